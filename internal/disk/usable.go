package disk

import (
	"errors"
	"io/fs"
	"path/filepath"
)

// Unusable returns the first of the directories that cannot be written, and why; nil where
// all can. In place of one that does not exist stands the nearest directory above it.
func Unusable(dirs ...string) (dir string, why error) {
	for _, dir := range dirs {
		if dir == "" {
			continue
		}
		err := writable(dir)
		for errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir) {
			dir = filepath.Dir(dir)
			err = writable(dir)
		}
		if err != nil {
			return dir, err
		}
	}
	return "", nil
}
