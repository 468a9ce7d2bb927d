package sandbox

import (
	"os"
	"syscall"

	"ralph/internal/durable"
)

// errReadOnly is the error of a read-only file system.
const errReadOnly = syscall.EROFS

// share takes a shared lock, which ends with the file or the process. Where there
// are no locks a placeholder is never unused, and stays.
func share(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_SH) }

// alone reports whether no other process holds a lock.
func alone(f *os.File) bool {
	locked, err := durable.TryLock(f)
	return err == nil && locked
}
