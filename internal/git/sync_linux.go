package git

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// syncSettings: syncfs covers everything, git's own fsync stays as it is.
func syncSettings() map[string]string { return nil }

// Sync returns when everything that git wrote so far is on disk.
func (r *Repo) Sync() error {
	dir, err := os.Open(r.CommonDir)
	if err != nil {
		return fmt.Errorf("sync repository: %w", err)
	}
	defer dir.Close()
	if err := unix.Syncfs(int(dir.Fd())); err != nil {
		return fmt.Errorf("sync repository: %w", err)
	}
	return nil
}
