package worker

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// The file <tree>.setup/for has two lines: what the set-up was made for, and the folder of the
// loop whose HOME has what it left there, which is empty where it left nothing.

// stillSetUp reports whether a set-up with these lines serves this loop, too.
func (w *Worker) stillSetUp(lines, want string) bool {
	what, home, ok := strings.Cut(lines, "\n")
	return ok && what == want && (home == "" || home == w.Files.Dir && w.leftInHome())
}

// homeOfSetup is the second line, once the set-up has run.
func (w *Worker) homeOfSetup() string {
	if !w.leftInHome() {
		return ""
	}
	return w.Files.Dir
}

// leftInHome reports whether anything is in the HOME of the loop's gates that set-up, or a
// gate of the base, left there.
func (w *Worker) leftInHome() bool {
	if kept, err := w.kept("gate"); err == nil {
		if left, _ := filepath.Glob(filepath.Join(kept, "*", "upper", "*")); len(left) > 0 {
			return true
		}
	}
	home, users, left := w.homeDir(), agent.Home(w.Env.Gate(loop.Gate{})), false
	_ = filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == home {
			return err
		}
		name, err := filepath.Rel(home, path)
		if left = err != nil || !broughtIn(name, path, users, d); left {
			return fs.SkipAll
		}
		return nil
	})
	return left
}

// broughtIn reports whether a name in a HOME of ralph's own is one that ownHome made: the
// user's .gitconfig as it is, and links to downloads in their folders.
func broughtIn(name, path, users string, d fs.DirEntry) bool {
	switch {
	case d.IsDir():
		return slices.ContainsFunc(downloads, func(at string) bool { return strings.HasPrefix(at, name+"/") })
	case d.Type()&fs.ModeSymlink != 0:
		return slices.Contains(downloads, name)
	}
	if name != ".gitconfig" {
		return false
	}
	made, err := os.ReadFile(path)
	have, unread := os.ReadFile(filepath.Join(users, name))
	return err == nil && unread == nil && bytes.Equal(made, have)
}
