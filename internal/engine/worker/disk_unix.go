//go:build unix

package worker

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

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

// syncDir makes a rename in dir last.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
