//go:build linux || darwin

package proc

import (
	"os"
	"testing"
)

// TestMain runs the test binary as a shim, or as one of the misbehaving programs of role_test.go, if its arguments say so.
func TestMain(m *testing.M) {
	if IsShim(os.Args) {
		ShimMain()
	}
	if l, args := AcceptHandoff(os.Args[1:]); l != nil {
		runBackground(l, args)
	}
	if len(os.Args) > 2 && os.Args[1] == roleArg {
		play(os.Args[2], os.Args[3:])
	}
	os.Exit(m.Run())
}
