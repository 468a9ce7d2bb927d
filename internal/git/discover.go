package git

import (
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/proc"
)

// Location is where a repository keeps what all its worktrees share, and its main
// working tree ("" when it has none).
type Location struct{ CommonDir, MainRoot string }

// Discover finds the repository of dir by reading files only, without a process.
// It knows a plain repository and its linked worktrees; for anything else (bare,
// submodule, GIT_DIR) it returns false, and Open decides. Callers that only read
// ralph's state of a repository save two processes.
func Discover(dir string) (Location, bool) {
	for {
		dotgit := filepath.Join(dir, ".git")
		switch info, err := os.Lstat(dotgit); {
		case err == nil && info.IsDir():
			return repository(dotgit)
		case err == nil && info.Mode().IsRegular():
			return worktree(dotgit)
		case err == nil:
			return Location{}, false
		}
		if looksBare(dir) {
			return Location{}, false
		}
		up := filepath.Dir(dir)
		if up == dir {
			return Location{}, false
		}
		dir = up
	}
}

func repository(dotgit string) (Location, bool) {
	real, err := filepath.EvalSymlinks(dotgit)
	if err != nil || !looksBare(real) || exists(filepath.Join(real, "commondir")) {
		return Location{}, false
	}
	return Location{CommonDir: real, MainRoot: filepath.Dir(real)}, true
}

// worktree follows the .git file of a linked worktree to the repository.
func worktree(file string) (Location, bool) {
	own, ok := strings.CutPrefix(oneLine(file), "gitdir: ")
	if !ok || !filepath.IsAbs(own) {
		return Location{}, false
	}
	if common, lent := quarantineOf(own); lent {
		return repository(common)
	}
	common := oneLine(filepath.Join(own, "commondir"))
	if common == "" {
		return Location{}, false
	}
	if !filepath.IsAbs(common) {
		common = filepath.Join(own, common)
	}
	if filepath.Base(common) != ".git" {
		return Location{}, false
	}
	return repository(common)
}

func looksBare(dir string) bool {
	return exists(filepath.Join(dir, "HEAD")) && exists(filepath.Join(dir, "objects")) && exists(filepath.Join(dir, "refs"))
}

// oneLine returns the content of a small file without its final line break; ""
// for anything else.
func oneLine(path string) string {
	data, err := os.ReadFile(path)
	text := strings.TrimRight(string(data), "\r\n")
	if err != nil || len(text) > 4096 || strings.ContainsAny(text, "\r\n") {
		return ""
	}
	return text
}

// FastOpen is OpenEnv without a process, for calls of a waiting agent: it only
// reads files. It knows the layouts that Discover knows, and returns false
// wherever git must decide: for other layouts, and for a repository of another
// user, which safe.directory decides. The version of git is unknown.
func FastOpen(dir string, environ []string) (*Repo, bool) {
	place, ok := Discover(dir)
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
		program: program, gitDir: place.CommonDir, env: inherited(environ), known: newKnown(),
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

// holding finds the root of the tree that contains dir, and the path from there.
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

// configured reports whether the repository configures the place of its tree.
func configured(commonDir string) bool {
	config, err := os.ReadFile(filepath.Join(commonDir, "config"))
	text := strings.ToLower(string(config))
	return err != nil || strings.Contains(text, "worktree") || strings.Contains(text, "bare = true")
}

// AdminDir returns where the repository keeps what belongs to a linked worktree
// alone: its HEAD and its index; "" for any other path.
func (r *Repo) AdminDir(tree string) string {
	path, err := realPath(tree)
	if err != nil {
		return ""
	}
	return r.adminDir(path)
}

// TreePaths returns the linked worktrees that the repository has registered.
func (r *Repo) TreePaths() []string {
	var out []string
	entries, _ := os.ReadDir(filepath.Join(r.CommonDir, "worktrees"))
	for _, e := range entries {
		if tree := r.treeOf(filepath.Join(r.CommonDir, "worktrees", e.Name())); tree != "" {
			out = append(out, tree)
		}
	}
	return out
}

// treeOf returns the path that a registration is for; "" where it names none.
func (r *Repo) treeOf(admin string) string {
	to := strings.TrimSpace(string(readSmall(filepath.Join(admin, "gitdir"))))
	switch {
	case to == "":
		return ""
	case !filepath.IsAbs(to):
		to = filepath.Join(admin, to)
	}
	return filepath.Dir(to)
}
