package trust

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// born is when a directory was made, "" where the file system does not tell. A rename keeps
// it, and no program can set it: a copy has its own.
func born(dir string) string {
	var st unix.Statx_t
	if unix.Statx(unix.AT_FDCWD, dir, 0, unix.STATX_BTIME, &st) != nil || st.Mask&unix.STATX_BTIME == 0 {
		return ""
	}
	return fmt.Sprintf("%d.%09d", st.Btime.Sec, st.Btime.Nsec)
}
