//go:build linux || darwin

package doctor

import "golang.org/x/sys/unix"

// spaceOf asks the file system that holds dir.
func spaceOf(dir string) (space, bool) {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil {
		return space{}, false
	}
	return space{free: uint64(s.Bavail) * uint64(s.Bsize), remote: remote(&s)}, true
}
