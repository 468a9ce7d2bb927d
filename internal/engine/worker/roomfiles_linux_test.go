package worker_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ralph/internal/engine/worker"
	"ralph/internal/loop"
	"ralph/internal/sandbox"
)

// TestRoomsLeaveNoOpenFiles: a process that runs thousands of gates holds none of the folders
// that it made for them. What is open makes each later start of a program slower, and is
// limited.
func TestRoomsLeaveNoOpenFiles(t *testing.T) {
	temp, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	t.Setenv("TMPDIR", temp)
	for name, k := range map[string]*sandbox.Capabilities{"here": {Env: os.Environ()}, "copy": nil} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, writes("new", "x"))
			b.Confine = worker.Confine{Capabilities: k}
			b.spec.Gates = []loop.Gate{{Name: "there", Kind: loop.KindCommand, Level: loop.Hard, Run: "test -e new"}}
			if s := b.drive(t); s.Status != loop.StatusPassed {
				t.Fatalf("%s/%s: %+v", s.Status, s.Reason, s.Last().Results)
			}
			open, err := os.ReadDir("/proc/self/fd")
			must(t, err)
			for _, f := range open {
				if to, _ := os.Readlink(filepath.Join("/proc/self/fd", f.Name())); strings.HasPrefix(to, filepath.Join(temp, "ralph-")) {
					t.Errorf("%s is open", to)
				}
			}
		})
	}
}
