package store

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// lockAt takes byte at of the lock file for as long as the returned file is
// open. Open-file-description locks belong to the open file, not to the process,
// so neither another descriptor nor a child (close-on-exec) can lose them.
func lockAt(path string, at int64) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	lk := unix.Flock_t{Type: unix.F_WRLCK, Start: at, Len: 1}
	err = unix.FcntlFlock(f.Fd(), unix.F_OFD_SETLK, &lk)
	if err == nil {
		return f, nil
	}
	_ = f.Close()
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES) {
		return nil, errLocked
	}
	return nil, &fs.PathError{Op: "lock", Path: path, Err: err}
}

// unlock releases the lock before it closes: a child that is just being forked has a copy
// of the descriptor until it executes its program, and the lock would live on.
func unlock(f *os.File) {
	_ = unix.FcntlFlock(f.Fd(), unix.F_OFD_SETLK, &unix.Flock_t{Type: unix.F_UNLCK})
	_ = f.Close()
}

// lockedFrom reports whether a process holds byte from or a later one. It takes
// no lock.
func lockedFrom(path string, from int64) (bool, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	lk := unix.Flock_t{Type: unix.F_WRLCK, Start: from}
	if err := unix.FcntlFlock(f.Fd(), unix.F_OFD_GETLK, &lk); err != nil {
		return false, &fs.PathError{Op: "ask for lock", Path: path, Err: err}
	}
	return lk.Type != unix.F_UNLCK, nil
}
