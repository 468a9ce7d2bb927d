//go:build unix

package proc

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"testing"

	"ralph/internal/loop"
)

// TestLack: what the machine has not for a while says nothing about the work; a program that
// may not be executed is no such thing.
func TestLack(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err  error
		want loop.Cause
	}{
		{&fs.PathError{Op: "open", Path: "/f", Err: syscall.EROFS}, loop.CauseLack},
		{&fs.PathError{Op: "open", Path: "/f", Err: syscall.EIO}, loop.CauseLack},
		{&fs.PathError{Op: "open", Path: "/f", Err: syscall.ESTALE}, loop.CauseLack},
		{&fs.PathError{Op: "open", Path: "/f", Err: syscall.EDQUOT}, loop.CauseLack},
		{&fs.PathError{Op: "open", Path: "/f", Err: syscall.EACCES}, loop.CauseLack},
		{&os.LinkError{Op: "rename", Old: "/f", New: "/g", Err: syscall.EPERM}, loop.CauseLack},
		{&fs.PathError{Op: "fork/exec", Path: "/f", Err: syscall.EACCES}, loop.CauseItself},
		{&fs.PathError{Op: "open", Path: "/f", Err: syscall.ENOENT}, loop.CauseItself},
		{syscall.EACCES, loop.CauseItself},
	} {
		if got := CauseOf(fmt.Errorf("wrapped: %w", tt.err)); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.err, got, tt.want)
		}
	}
}

// TestTempRoot: where TMPDIR is gone, temporary files are made elsewhere.
func TestTempRoot(t *testing.T) {
	gone := t.TempDir() + "/gone"
	t.Setenv("TMPDIR", gone)
	for _, parent := range []string{"", gone} {
		dir, err := TempDir(parent, "test")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(dir); err != nil {
			t.Error(err)
		}
	}
	if err := os.Mkdir(gone, 0o700); err != nil || TempRoot() != gone {
		t.Error(err, TempRoot())
	}
}
