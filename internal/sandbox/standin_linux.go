package sandbox

import (
	"os"
	"syscall"
)

// errReadOnly is that of a file system that nobody writes.
const errReadOnly = syscall.EROFS

// share takes a shared lock, which goes with the file or the process. Where
// there are no locks a stand-in is never alone, and stays.
func share(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_SH) }

// alone says whether no other process holds a lock.
func alone(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
