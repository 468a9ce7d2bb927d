//go:build linux

package local_test

import (
	"context"
	"os"
	"testing"

	"ralph/internal/agent/script"
	"ralph/internal/proc"
)

// TestMain makes the test binary every other program of a run: the supervisor
// that a test kills, the shim under which that starts its children, and the
// player of a scripted agent.
func TestMain(m *testing.M) {
	if proc.IsShim(os.Args) {
		proc.ShimMain()
	}
	if len(os.Args) == 3 {
		switch os.Args[1] {
		case script.Verb:
			os.Exit(script.Play(context.Background(), os.Args[2], os.Stdout))
		case supervisorWord:
			os.Exit(supervise(os.Args[2]))
		}
	}
	code := m.Run()
	if dir, err := template(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}
