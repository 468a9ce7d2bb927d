//go:build linux || darwin

package git

import (
	"os"
	"syscall"
	"time"
)

// tellsChange: the system tells when a file was changed last.
const tellsChange = true

// changeTime is when the inode last changed: it cannot be set back.
func changeTime(info os.FileInfo) time.Time {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(changed(st).Unix())
	}
	return info.ModTime()
}

func inode(info os.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ino
	}
	return 0
}
