package git

import (
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/proc"
)

// Glance is OpenEnv without a process, for whoever answers an agent that waits:
// it looks at files only. It knows what Peek knows, and answers false wherever
// git has a say: about other layouts, and about a repository of another user,
// which safe.directory decides. The version of git is not asked.
func Glance(dir string, environ []string) (*Repo, bool) {
	place, ok := Peek(dir)
	if !ok || place.MainRoot == "" || !own(place.CommonDir) {
		return nil, false
	}
	program, err := proc.LookPath("git")
	if err != nil {
		return nil, false
	}
	root, prefix, ok := holding(dir)
	if !ok || !own(root) {
		return nil, false
	}
	r := &Repo{
		Root: root, MainRoot: place.MainRoot, CommonDir: place.CommonDir, Prefix: prefix,
		program: program, gitDir: place.CommonDir, env: inherited(environ), known: unknown(),
	}
	if configured(place.CommonDir) {
		return nil, false
	}
	if root == place.MainRoot {
		return r, true
	}
	if r.gitDir = r.adminDir(root); r.gitDir == "" {
		return nil, false
	}
	return r, true
}

// holding finds the root of the tree that dir is in, and the way from there.
func holding(dir string) (root, prefix string, ok bool) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", "", false
	}
	for root = dir; ; root = filepath.Dir(root) {
		if exists(filepath.Join(root, ".git")) {
			prefix, err := filepath.Rel(root, dir)
			if prefix == "." {
				prefix = ""
			}
			return root, filepath.ToSlash(prefix), err == nil
		}
		if root == filepath.Dir(root) {
			return "", "", false
		}
	}
}

// configured: the repository says itself where its tree is.
func configured(commonDir string) bool {
	config, err := os.ReadFile(filepath.Join(commonDir, "config"))
	text := strings.ToLower(string(config))
	return err != nil || strings.Contains(text, "worktree") || strings.Contains(text, "bare = true")
}
