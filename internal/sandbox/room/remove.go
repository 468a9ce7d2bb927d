package room

import (
	"io/fs"
	"os"
	"path/filepath"
)

// RemoveAll deletes a directory with everything in it. An overlay leaves folders
// without any permission, and gates leave read-only ones.
func RemoveAll(dir string) {
	if dir == "" || os.RemoveAll(dir) == nil {
		return
	}
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	_ = os.RemoveAll(dir)
}
