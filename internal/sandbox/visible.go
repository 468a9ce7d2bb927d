package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// exposed adds what must stay visible although it lies among temporary files: all
// of Visible and its targets, and then, in place of links to folders on the way
// there, the names that were used.
func (p Profile) exposed(c rules) rules {
	out := append(rules{}, c...)
	if r, ok := p.real(p.Temp); ok {
		out.add(rule{path: r, write: true})
	}
	var names rules
	sockets := p.sockets()
	for _, named := range append(slices.Clone(p.Visible), p.programs()...) {
		for _, s := range trail(named) {
			out.expose(rule{path: place(s.path)})
			if x, ok := s.alias(); ok && !around(sockets, x.from) {
				names.add(x)
			}
		}
	}
	for _, x := range names.sorted() {
		out.expose(x)
	}
	return out
}

// expose adds a read-only rule for a path among temporary files, unless a parent
// exposes it already.
func (c *rules) expose(x rule) {
	if !inTemp(x.path) || slices.Contains(tempDirs, x.path) || c.has(x.path) {
		return
	}
	if _, there := real(x.path); !there {
		return // a dangling link cannot be mounted
	}
	if roof, ok := c.parent(x.path); !ok || slices.Contains(tempDirs, roof.path) {
		c.add(x)
	}
}

// programs returns the folders on PATH that lie among temporary files, or are
// named there, with the links in them: npm, pipx and their like put a link there,
// and the program somewhere else.
func (p Profile) programs() []string {
	var out []string
	for _, dir := range filepath.SplitList(p.get("PATH")) {
		r, ok := p.real(dir)
		if !ok || !inTemp(r) && !inTemp(filepath.Clean(dir)) {
			continue
		}
		out = append(out, dir)
		entries, _ := os.ReadDir(r)
		for _, e := range entries {
			if e.Type()&os.ModeSymlink != 0 {
				out = append(out, filepath.Join(dir, e.Name()))
			}
		}
	}
	return out
}

// maxLinks is the number of links that are followed, as by the kernel.
const maxLinks = 40

// hop is a path in a real folder, and the name by which it was reached.
type hop struct{ path, name string }

// trail follows a path link by link and ends where nothing exists.
func trail(path string) []hop {
	var out []hop
	for len(out) < maxLinks {
		dir, ok := real(filepath.Dir(path))
		if !ok {
			return out
		}
		s := hop{filepath.Join(dir, filepath.Base(path)), filepath.Clean(path)}
		if _, err := os.Lstat(s.path); err != nil {
			return out
		}
		out = append(out, s)
		to, err := os.Readlink(s.path)
		if err != nil {
			return out
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(dir, to)
		}
		path = to
	}
	return out
}

// alias mounts the place of a path under the name that leads to it, or only the
// path where the name takes another way through that place.
func (s hop) alias() (rule, bool) {
	if s.name == s.path {
		return rule{}, false
	}
	whole := place(s.path)
	if below, err := filepath.Rel(whole, s.path); err == nil {
		if name, ok := strings.CutSuffix(s.name, "/"+below); ok {
			if r, ok := real(name); ok && r == whole {
				return rule{path: name, from: whole}, true
			}
		}
	}
	r, ok := real(s.path)
	return rule{path: s.name, from: r}, ok
}

// around reports whether a folder under another name would lead around a cover.
func around(sockets []string, dir string) bool {
	return slices.ContainsFunc(sockets, func(s string) bool { return within(s, dir) || within(dir, s) })
}

// place returns what a program needs besides its own file: for one from npm all
// packages that were installed with it, for one in a folder bin the parent of
// that folder, otherwise its folder. A folder stands for itself.
func place(path string) string {
	const packages = "/node_modules/"
	if before, _, ok := strings.Cut(path, packages); ok {
		return before + strings.TrimSuffix(packages, "/")
	}
	dir := path
	if info, err := os.Lstat(path); err != nil || !info.IsDir() {
		dir = filepath.Dir(path)
	}
	if up := filepath.Dir(dir); filepath.Base(dir) == "bin" && !slices.Contains(tempDirs, up) {
		return up
	}
	if slices.Contains(tempDirs, dir) {
		return path
	}
	return dir
}
