package gate

import (
	"io/fs"
	"syscall"
	"time"
)

// changedAt is when the file itself or what is known of it was last changed.
func changedAt(info fs.FileInfo) time.Time {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(s.Ctim.Unix())
	}
	return info.ModTime()
}
