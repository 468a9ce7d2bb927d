package git

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// StaleLocks lists the lock files of git that were made before a moment, below CommonDir. Git
// refuses to work until they are gone. No process has those from before the boot of this
// machine; a repository on a disk that other machines share may be locked by one of them.
func (r *Repo) StaleLocks(before time.Time) (locks []string) {
	look := func(path string, e fs.DirEntry) {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && strings.HasSuffix(path, ".lock") && info.ModTime().Before(before) {
			locks = append(locks, path)
		}
	}
	top, _ := os.ReadDir(r.CommonDir)
	for _, e := range top {
		look(filepath.Join(r.CommonDir, e.Name()), e)
	}
	_ = filepath.WalkDir(filepath.Join(r.CommonDir, "refs"), func(path string, e fs.DirEntry, err error) error {
		if err == nil {
			look(path, e)
		}
		return nil
	})
	return locks
}
