package doctor

import "golang.org/x/sys/unix"

// remote names file systems of other machines.
func remote(s *unix.Statfs_t) string {
	switch name := unix.ByteSliceToString(s.Fstypename[:]); name {
	case "nfs", "smbfs", "afpfs", "webdav":
		return name
	}
	return ""
}
