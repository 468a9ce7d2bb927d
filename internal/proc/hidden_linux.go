package proc

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/landlock-lsm/go-landlock/landlock"
	llsys "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// readable returns the rules for reading: everything, or each entry of the folders
// above what is hidden.
func (w *LandlockRules) readable() []landlock.Rule {
	if len(w.Hidden) == 0 {
		return []landlock.Rule{landlock.RODirs("/").WithIoctlDev()}
	}
	rules := []landlock.Rule{landlock.PathAccess(llsys.AccessFSReadDir, "/")}
	w.read("/", func(r landlock.FSRule) { rules = append(rules, r.WithIoctlDev().IgnoreIfMissing()) })
	for _, path := range w.Shown {
		w.read(path, func(r landlock.FSRule) { rules = append(rules, r.WithIoctlDev().IgnoreIfMissing()) })
	}
	return rules
}

// read adds rules for a path and what is below, but for what is hidden. A link has
// no contents of its own.
func (w *LandlockRules) read(path string, add func(landlock.FSRule)) {
	info, err := os.Lstat(path)
	switch {
	case err != nil || info.Mode()&fs.ModeSymlink != 0 || slices.Contains(w.Hidden, path):
	case !info.IsDir():
		add(landlock.ROFiles(path))
	case !slices.ContainsFunc(w.Hidden, func(h string) bool { return strings.HasPrefix(h, strings.TrimSuffix(path, "/")+"/") }):
		add(landlock.RODirs(path))
	default:
		entries, _ := os.ReadDir(path)
		for _, e := range entries {
			w.read(filepath.Join(path, e.Name()), add)
		}
	}
}
