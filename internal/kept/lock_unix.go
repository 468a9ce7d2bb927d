//go:build unix

package kept

import (
	"errors"
	"os"
	"syscall"
)

// lock takes the lock of a loop's folder for as long as the file is open. It returns false
// while another process has it.
func lock(folder *os.File) (bool, error) {
	err := syscall.Flock(int(folder.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) //nolint:gosec // a descriptor
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
