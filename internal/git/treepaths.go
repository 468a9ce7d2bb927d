package git

import (
	"os"
	"path/filepath"
	"strings"
)

// AdminDir is where the repository keeps what belongs to a linked worktree
// alone: its HEAD and its index; "" for any other path.
func (r *Repo) AdminDir(tree string) string {
	path, err := realPath(tree)
	if err != nil {
		return ""
	}
	return r.adminDir(path)
}

// TreePaths are the linked worktrees that the repository knows of, by its files
// alone.
func (r *Repo) TreePaths() []string {
	var out []string
	entries, _ := os.ReadDir(filepath.Join(r.CommonDir, "worktrees"))
	for _, e := range entries {
		admin := filepath.Join(r.CommonDir, "worktrees", e.Name())
		to := strings.TrimSpace(string(readSmall(filepath.Join(admin, "gitdir"))))
		if to == "" {
			continue
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(admin, to)
		}
		out = append(out, filepath.Dir(to))
	}
	return out
}
