//go:build unix

package control

import (
	"io/fs"
	"os"
	"syscall"
)

// ours reports whether a folder belongs to this user.
func ours(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
