package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// homeLink is a link in the home whose name begins with a dot: stow makes such
// links, and users who keep their caches on another disk.
type homeLink struct {
	// name below the home.
	name string
	// to is the target.
	to string
	// why the target stays closed, "" if it is as open as a folder would be;
	// fix tells the user how to open it.
	why, fix string
}

// homeLinks returns the links of the home, and of the folders in it that hold one
// folder per program. Deeper ones belong to the programs themselves.
func (p Profile) homeLinks(locked []string) []homeLink {
	home := p.home()
	if home == "" {
		return nil
	}
	var out []homeLink
	for _, dir := range append([]string{""}, sharedFolders...) {
		for _, e := range list(filepath.Join(home, dir)) {
			if e.Type()&os.ModeSymlink == 0 || dir == "" && !strings.HasPrefix(e.Name(), ".") {
				continue
			}
			l := homeLink{name: filepath.Join(dir, e.Name())}
			if to, ok := p.real(filepath.Join(home, l.name)); ok {
				l.to = to
				l.check(home, locked)
				out = append(out, l)
			}
		}
	}
	return out
}

// check decides whether the target may be opened: it is the user's work or the
// system's as often as a tool's own.
func (l *homeLink) check(home string, locked []string) {
	l.fix = "list " + l.to + " in sandbox_write"
	switch {
	case slices.ContainsFunc(locked, func(x string) bool { return within(l.to, x) }):
		l.why, l.fix = "which is protected", "move it to a folder of its own"
	case within(home, l.to):
		l.why, l.fix = "which contains the home", "move it to a folder of its own"
	case strings.HasPrefix(l.to, home+"/."): // writable under its own name
	case filepath.Dir(l.to) == home:
		l.why = "a folder of your work"
	case isSystemDir(l.to):
		l.why = "a system folder"
	case inRepository(l.to, home):
		l.why = "in one of your repositories"
	}
}

// isSystemDir reports whether users keep no data of their own at path.
func isSystemDir(path string) bool {
	return slices.ContainsFunc([]string{"/bin", "/boot", "/etc", "/lib", "/lib32", "/lib64", "/nix", "/proc", "/run", "/sbin", "/sys", "/usr"},
		func(dir string) bool { return within(path, dir) })
}

// inRepository reports whether a path lies in a working tree. A home that is one
// as a whole, as some users keep their dotfiles, does not count.
func inRepository(path, home string) bool {
	for dir := path; dir != "/" && dir != home; dir = filepath.Dir(dir) {
		if isRepository(filepath.Join(dir, ".git")) {
			return true
		}
	}
	return false
}

// isRepository reports whether path is a repository, or a file that points to
// one.
func isRepository(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() {
		return err == nil
	}
	_, err = os.Lstat(filepath.Join(path, "HEAD"))
	return err == nil
}

// needed reports whether agents and tools fail where the link stays closed. The
// other links of a home are settings that no program writes during a run.
func (l homeLink) needed() bool {
	tools := []string{".npm", ".cargo", ".gradle", ".m2", ".yarn", ".bun"}
	return slices.Contains(slices.Concat(agentFolders(), agentFiles(), sharedFolders, tools), l.name) || filepath.Dir(l.name) == ".cache"
}

// Unwritable is a folder that stays read-only although the user configured it
// as writable, or tools need it. Fix tells the user how to open it.
type Unwritable struct{ Path, Why, Fix string }

// Unwritable returns the paths in Write that stay read-only, and the folders of
// tools that lead to where nothing may be written.
func (p Profile) Unwritable() []Unwritable {
	p = p.Scan()
	locked, hiding := p.locked(), p.hiding()
	var out []Unwritable
	for _, path := range p.Write {
		r, ok := p.real(path)
		why := ""
		switch {
		case !filepath.IsAbs(path):
			why = "it does not begin with / or ~/"
		case !ok:
			why = "it does not exist"
		case r == "/":
			why = "it is the root folder"
		case slices.ContainsFunc(locked, func(l string) bool { return within(r, l) }):
			why = "it is protected"
		case hiding.hides(r):
			why = "it is hidden, and a repository cannot uncover it"
		}
		if why != "" {
			out = append(out, Unwritable{path, why, "change sandbox_write"})
		}
	}
	return append(out, p.closedLinks()...)
}

// closedLinks returns the links of the home that tools would write through.
func (p Profile) closedLinks() []Unwritable {
	home := p.home()
	var out []Unwritable
	for _, l := range p.scan.links {
		if l.why != "" && l.needed() && !p.allowed(l.to) {
			out = append(out, Unwritable{filepath.Join(home, l.name), "it leads to " + l.to + ", " + l.why, l.fix})
		}
	}
	return out
}

// allowed reports whether the user listed a path, or its parent, in Write.
func (p Profile) allowed(path string) bool {
	c := p.rules()
	if c.has(path) {
		return slices.ContainsFunc(c, func(x rule) bool { return x.path == path && x.write })
	}
	roof, ok := c.parent(path)
	return ok && roof.write
}
