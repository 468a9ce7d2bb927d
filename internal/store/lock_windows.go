package store

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// lockAt takes byte at of the lock file. A query holds it for an instant, so it
// is tried more than once.
func lockAt(path string, at int64) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for range 20 {
		err = lockRange(f, at, 1)
		if !errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err == nil {
		return f, nil
	}
	_ = f.Close()
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return nil, errLocked
	}
	return nil, &fs.PathError{Op: "lock", Path: path, Err: err}
}

func unlock(f *os.File) { _ = f.Close() }

func lockRange(f *os.File, from, n int64) error {
	o := &windows.Overlapped{Offset: uint32(from), OffsetHigh: uint32(from >> 32)}
	return windows.LockFileEx(windows.Handle(f.Fd()),
		windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, uint32(n), uint32(n>>32), o)
}

// lockedFrom reports whether a process holds byte from or a later one.
func lockedFrom(path string, from int64) (bool, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	err = lockRange(f, from, math.MaxInt64-from)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return true, nil
	}
	return false, err
}
