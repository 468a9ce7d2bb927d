//go:build linux || darwin

package proc

import (
	"os"
	"testing"
)

// TestMain makes the test binary a shim, or one of the misbehaving programs of
// role_test.go, when it was started to be one.
func TestMain(m *testing.M) {
	if IsShim(os.Args) {
		ShimMain()
	}
	if l, args := OnLeash(os.Args[1:]); l != nil {
		leashed(l, args)
	}
	if len(os.Args) > 2 && os.Args[1] == roleWord {
		play(os.Args[2], os.Args[3:])
	}
	os.Exit(m.Run())
}
