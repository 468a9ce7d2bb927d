//go:build unix

package git

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// own reports whether path belongs to the user of this process.
func own(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

// writable reports whether files can be created in a folder, as far as that is
// known without creating one.
func writable(dir string) bool {
	err := unix.Access(dir, unix.W_OK)
	return !errors.Is(err, unix.EROFS) && !errors.Is(err, unix.EACCES) && !errors.Is(err, unix.EPERM)
}
