package git

import "path/filepath"

// Writes are the directories of the repository in which its refs and objects are written.
func (r *Repo) Writes() []string {
	return []string{r.CommonDir, filepath.Join(r.CommonDir, "objects"), filepath.Join(r.CommonDir, "refs", "heads", "ralph")}
}
