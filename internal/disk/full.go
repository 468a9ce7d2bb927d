package disk

// least is the free space, in bytes, below which a failure may be caused by a full disk.
const least = 1 << 20

// Full returns the first of the directories whose disk is full; empty: none is, as far as
// is known. Directories that do not exist, and empty names, are left out.
func Full(dirs ...string) string {
	for _, dir := range dirs {
		if free, known := freeSpace(dir); known && free < least {
			return dir
		}
	}
	return ""
}
