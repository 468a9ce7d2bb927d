//go:build unix

package durable

import (
	"errors"
	"os"
	"syscall"
)

// TryLock takes the lock of an open file or folder. It lasts until the last process that
// has this opening of it closes it, or ends. TryLock returns false while another opening
// has the lock.
func TryLock(f *os.File) (bool, error) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) //nolint:gosec // a descriptor
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
