package git

import (
	"os"
	"path/filepath"
	"strings"
)

// Place is where a repository keeps what all its worktrees share, and its main
// working tree ("" when it has none).
type Place struct{ CommonDir, MainRoot string }

// Peek finds the repository of dir by looking at files only: no process is
// started and git's word is not asked. It knows a plain repository and its
// linked worktrees; of anything else (bare, submodule, GIT_DIR) it answers
// false, and Open finds out. Whoever only wants to read what ralph remembers of
// a repository saves two processes by it.
func Peek(dir string) (Place, bool) {
	for {
		dotgit := filepath.Join(dir, ".git")
		switch info, err := os.Lstat(dotgit); {
		case err == nil && info.IsDir():
			return repository(dotgit)
		case err == nil && info.Mode().IsRegular():
			return worktree(dotgit)
		case err == nil:
			return Place{}, false
		}
		if looksBare(dir) {
			return Place{}, false
		}
		up := filepath.Dir(dir)
		if up == dir {
			return Place{}, false
		}
		dir = up
	}
}

func repository(dotgit string) (Place, bool) {
	real, err := filepath.EvalSymlinks(dotgit)
	if err != nil || !looksBare(real) || exists(filepath.Join(real, "commondir")) {
		return Place{}, false
	}
	return Place{CommonDir: real, MainRoot: filepath.Dir(real)}, true
}

// worktree follows the .git file of a linked worktree to the repository.
func worktree(file string) (Place, bool) {
	own, ok := strings.CutPrefix(oneLine(file), "gitdir: ")
	if !ok || !filepath.IsAbs(own) {
		return Place{}, false
	}
	if common, lent := lentBy(own); lent {
		return repository(common)
	}
	common := oneLine(filepath.Join(own, "commondir"))
	if common == "" {
		return Place{}, false
	}
	if !filepath.IsAbs(common) {
		common = filepath.Join(own, common)
	}
	if filepath.Base(common) != ".git" {
		return Place{}, false
	}
	return repository(common)
}

func looksBare(dir string) bool {
	return exists(filepath.Join(dir, "HEAD")) && exists(filepath.Join(dir, "objects")) && exists(filepath.Join(dir, "refs"))
}

// oneLine is the content of a small file without its line's end; "" if it is
// anything else.
func oneLine(path string) string {
	data, err := os.ReadFile(path)
	text := strings.TrimRight(string(data), "\r\n")
	if err != nil || len(text) > 4096 || strings.ContainsAny(text, "\r\n") {
		return ""
	}
	return text
}
