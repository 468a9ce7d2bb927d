//go:build unix

package proc

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"ralph/internal/durable"
)

// held are the open folders with the locks of this process, by path. The kernel drops the
// locks with the process, however it ends.
var held sync.Map

// hold locks a folder. Where it cannot be locked, it counts as abandoned only once it is old.
func hold(dir string) {
	f, err := openFolder(dir)
	if err != nil {
		return
	}
	if !locked(f) {
		_ = f.Close()
		return
	}
	held.Store(realPath(dir), f)
}

// realPath is the path of a folder that may be gone, below its real parent.
func realPath(dir string) string {
	parent, err := filepath.EvalSymlinks(filepath.Dir(dir))
	if err != nil {
		return dir
	}
	return filepath.Join(parent, filepath.Base(dir))
}

// unhold returns what releases the lock of a folder, once it is gone.
func unhold(dir string) (release func()) {
	if f, ok := held.LoadAndDelete(realPath(dir)); ok {
		return func() { _ = f.(*os.File).Close() }
	}
	return func() {}
}

// unlocked reports whether a lock on the folder is possible and no process has it.
func unlocked(dir string) bool {
	f, err := openFolder(dir)
	if err != nil {
		return false
	}
	defer f.Close()
	return locked(f)
}

func locked(f *os.File) bool {
	ours, err := durable.TryLock(f)
	return err == nil && ours
}

func openFolder(dir string) (*os.File, error) {
	return os.OpenFile(dir, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
}

// ours reports whether a folder belongs to this user.
func ours(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
