//go:build unix

package worker

import (
	"os"
	"syscall"
)

// foreignGroup reports whether a directory belongs to a group that layers cannot
// handle: an overlay copies no file whose group is unknown in its namespace. Root
// has all groups there.
func foreignGroup(dir string) bool {
	info, err := os.Stat(dir)
	if err != nil || os.Geteuid() == 0 {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Gid) != os.Getegid()
}
