package git

import (
	"fmt"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// syncSettings makes git sync each ref and each object before it gets its name: the
// file system may write a rename before the content. The empty ref that a power cut
// leaves breaks the whole repository for its user; an empty object is worse than a
// missing one, since git takes it for present and never writes it again. "batch"
// syncs the objects of one command together. So is an index, where it is the user's.
// syncfs covers everything else.
func syncSettings(index bool) map[string]string {
	set := map[string]string{"core.fsync": "reference,loose-object", "core.fsyncMethod": "batch"}
	if index {
		set["core.fsync"] += ",index"
	}
	return set
}

// Sync returns when everything that git wrote so far is on disk, in the repository
// and in these trees.
func (r *Repo) Sync(trees ...string) error {
	var synced []uint64
	for _, path := range append([]string{r.CommonDir}, trees...) {
		var at unix.Stat_t
		if err := unix.Stat(path, &at); err != nil {
			return fmt.Errorf("sync %s: %w", path, err)
		}
		if slices.Contains(synced, at.Dev) {
			continue
		}
		synced = append(synced, at.Dev)
		if err := syncFileSystem(path); err != nil {
			return fmt.Errorf("sync %s: %w", path, err)
		}
	}
	return nil
}

func syncFileSystem(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	return unix.Syncfs(int(dir.Fd()))
}
