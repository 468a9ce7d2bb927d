//go:build !linux

package git

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// syncSettings makes git fsync every file it writes; Sync adds the folders.
func syncSettings(bool) map[string]string {
	return map[string]string{"core.fsync": "all", "core.fsyncMethod": "fsync"}
}

// Sync returns when the names of everything that git wrote so far are on disk. The
// files of trees are synced as git writes them.
func (r *Repo) Sync(...string) error {
	if runtime.GOOS == "windows" {
		return nil // a directory cannot be synced there
	}
	for _, sub := range []string{"objects", "refs", "worktrees"} {
		err := filepath.WalkDir(filepath.Join(r.CommonDir, sub), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return nil // it vanished under us: not ours to keep
			}
			return syncDir(path)
		})
		if err != nil {
			return fmt.Errorf("sync repository: %w", err)
		}
	}
	return syncDir(r.CommonDir)
}

func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}
