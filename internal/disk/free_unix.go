//go:build unix

package disk

import (
	"os"

	"golang.org/x/sys/unix"
)

// writable returns why this user cannot write in dir. Root is kept from a file system that
// is read-only or broken, and from nothing else.
func writable(dir string) error {
	return unix.Faccessat(unix.AT_FDCWD, dir, unix.W_OK|unix.X_OK, unix.AT_EACCESS)
}

// freeSpace returns the bytes that this user may still write on the disk of
// dir; none where its inodes are used up.
func freeSpace(dir string) (bytes uint64, known bool) {
	var st unix.Statfs_t
	if dir == "" || unix.Statfs(dir, &st) != nil {
		return 0, false
	}
	if st.Files > 0 && st.Ffree == 0 {
		return 0, true
	}
	blocks := uint64(st.Bavail)
	if os.Geteuid() == 0 {
		blocks = st.Bfree
	}
	return blocks * uint64(st.Bsize), true
}
