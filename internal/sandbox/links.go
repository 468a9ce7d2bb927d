package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// lead is a link where folders are that begin with a dot: as stow makes them, and
// who keeps his caches on another disk.
type lead struct {
	// name below the home.
	name string
	// to is what it leads to.
	to string
	// why that stays closed, "" where it is as open as a folder would be; do is what
	// helps.
	why, do string
}

// leads are those of the home, and of the folders in it that hold one folder a
// program. Deeper ones are links of the programs themselves.
func (p Profile) leads(locked []string) []lead {
	home := p.home()
	if home == "" {
		return nil
	}
	var out []lead
	for _, dir := range append([]string{""}, usualFolders()...) {
		for _, e := range listed(filepath.Join(home, dir)) {
			if e.Type()&os.ModeSymlink == 0 || dir == "" && !strings.HasPrefix(e.Name(), ".") {
				continue
			}
			l := lead{name: filepath.Join(dir, e.Name())}
			if to, ok := real(filepath.Join(home, l.name)); ok {
				l.to = to
				l.judge(home, locked)
				out = append(out, l)
			}
		}
	}
	return out
}

// judge says whether what it leads to may be opened: it is a person's work or the
// system's as often as a tool's own.
func (l *lead) judge(home string, locked []string) {
	l.do = "list " + l.to + " in sandbox_write"
	switch {
	case slices.ContainsFunc(locked, func(x string) bool { return within(l.to, x) }):
		l.why, l.do = "which is protected", "move it to a place of its own"
	case within(home, l.to):
		l.why, l.do = "which is more than a home", "move it to a place of its own"
	case strings.HasPrefix(l.to, home+"/."): // open by its own name
	case filepath.Dir(l.to) == home:
		l.why = "a folder of your work"
	case ofMachine(l.to):
		l.why = "a folder of the system"
	case inRepository(l.to, home):
		l.why = "in a repository of yours"
	}
}

// ofMachine is not where persons keep data of theirs.
func ofMachine(path string) bool {
	return slices.ContainsFunc([]string{"/bin", "/boot", "/etc", "/lib", "/lib32", "/lib64", "/nix", "/proc", "/run", "/sbin", "/sys", "/usr"},
		func(dir string) bool { return within(path, dir) })
}

// inRepository says whether a path lies in a working tree. A home that is one as a
// whole, as some keep their dotfiles, says nothing.
func inRepository(path, home string) bool {
	for dir := path; dir != "/" && dir != home; dir = filepath.Dir(dir) {
		if isRepository(filepath.Join(dir, ".git")) {
			return true
		}
	}
	return false
}

// isRepository says whether git keeps a repository at path, or says there where.
func isRepository(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() {
		return err == nil
	}
	_, err = os.Lstat(filepath.Join(path, "HEAD"))
	return err == nil
}

// needed says whether agents and tools come to a stop where it stays closed. The
// other links of a home are files of settings that nobody writes in a run.
func (l lead) needed() bool {
	tools := []string{".claude.json", ".npm", ".cargo", ".gradle", ".m2", ".yarn", ".bun"}
	return slices.Contains(slices.Concat(agentFolders(), usualFolders(), tools), l.name) || filepath.Dir(l.name) == ".cache"
}
