package doctor

import "golang.org/x/sys/unix"

// remote names file systems of other machines, by their magic numbers.
func remote(s *unix.Statfs_t) string {
	switch uint32(s.Type) { //nolint:gosec // the numbers have 32 bits
	case unix.NFS_SUPER_MAGIC:
		return "NFS"
	case unix.CIFS_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC:
		return "a Windows share"
	case unix.V9FS_MAGIC:
		return "9P"
	}
	return ""
}
