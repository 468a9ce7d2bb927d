package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// visible adds what must be seen although it lies among temporary files: all
// that is named and what it leads to, and then, in the place of links to folders
// on the way there, the names that were used.
func (p Profile) visible(c claims) claims {
	out := append(claims{}, c...)
	if r, ok := real(p.Temp); ok {
		out.add(claim{path: r, write: true})
	}
	var names claims
	sockets := p.sockets()
	for _, named := range append(slices.Clone(p.Named), p.programs()...) {
		for _, s := range trail(named) {
			out.see(claim{path: place(s.path)})
			if x, ok := s.alias(); ok && !around(sockets, x.from) {
				names.add(x)
			}
		}
	}
	for _, x := range names.sorted() {
		out.see(x)
	}
	return out
}

// see adds a read-only claim of a path among temporary files, unless it is seen
// with what it lies in.
func (c *claims) see(x claim) {
	if !temporary(x.path) || slices.Contains(hidden(), x.path) || c.has(x.path) {
		return
	}
	if _, there := real(x.path); !there {
		return // a link to nowhere cannot be mounted
	}
	if roof, ok := c.over(x.path); !ok || slices.Contains(hidden(), roof.path) {
		c.add(x)
	}
}

// programs are the folders on PATH that lie among temporary files, or are named
// there, with the links in them: npm, pipx and their like put a link there, and
// the program somewhere else.
func (p Profile) programs() []string {
	var out []string
	for _, dir := range filepath.SplitList(p.get("PATH")) {
		r, ok := real(dir)
		if !ok || !temporary(r) && !temporary(filepath.Clean(dir)) {
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

// longestTrail is how many links are followed, as by the kernel.
const longestTrail = 40

// seen is a path in a real folder, and the name by which it was reached.
type seen struct{ path, name string }

// trail is a path with all that it leads to, link by link. It ends where nothing
// is.
func trail(path string) []seen {
	var out []seen
	for len(out) < longestTrail {
		dir, ok := real(filepath.Dir(path))
		if !ok {
			return out
		}
		s := seen{filepath.Join(dir, filepath.Base(path)), filepath.Clean(path)}
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

// alias puts the place of a path under the name that leads to it, or the path
// alone where the name goes another way through that place.
func (s seen) alias() (claim, bool) {
	if s.name == s.path {
		return claim{}, false
	}
	whole := place(s.path)
	if below, err := filepath.Rel(whole, s.path); err == nil {
		if name, ok := strings.CutSuffix(s.name, "/"+below); ok {
			if r, ok := real(name); ok && r == whole {
				return claim{path: name, from: whole}, true
			}
		}
	}
	r, ok := real(s.path)
	return claim{path: s.name, from: r}, ok
}

// around says whether a folder under another name would lead around a cover.
func around(sockets []string, dir string) bool {
	return slices.ContainsFunc(sockets, func(s string) bool { return within(s, dir) || within(dir, s) })
}

// place is what a program needs besides its own file: of one from npm all
// packages that were installed with it, of one in a folder bin what lies beside
// that folder, of another one what lies beside it. A folder is meant as it is.
func place(path string) string {
	const packages = "/node_modules/"
	if before, _, ok := strings.Cut(path, packages); ok {
		return before + strings.TrimSuffix(packages, "/")
	}
	dir := path
	if info, err := os.Lstat(path); err != nil || !info.IsDir() {
		dir = filepath.Dir(path)
	}
	if up := filepath.Dir(dir); filepath.Base(dir) == "bin" && !slices.Contains(hidden(), up) {
		return up
	}
	if slices.Contains(hidden(), dir) {
		return path
	}
	return dir
}
