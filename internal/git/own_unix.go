//go:build unix

package git

import (
	"os"
	"syscall"
)

// own says whether path belongs to the user of this process.
func own(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
