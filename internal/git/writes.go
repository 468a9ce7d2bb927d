package git

import (
	"os"
	"path/filepath"
)

// Writes are the directories of the repository in which its refs and objects are written.
func (r *Repo) Writes() []string {
	refs := filepath.Join(r.CommonDir, "refs", "heads")
	if own := filepath.Join(refs, "ralph"); isDir(own) { // a branch of that name is a file
		refs = own
	}
	return []string{r.CommonDir, filepath.Join(r.CommonDir, "objects"), refs}
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
