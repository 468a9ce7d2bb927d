package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// visible adds what must be seen although it lies among temporary files.
func (p Profile) visible(c claims) claims {
	out := append(claims{}, c...)
	if r, ok := real(p.Temp); ok {
		out.add(claim{path: r, write: true})
	}
	for _, named := range append(slices.Clone(p.Named), p.programs()...) {
		for _, path := range trail(named) {
			out.see(place(path))
		}
	}
	return out
}

// see adds a read-only claim of a path among temporary files, unless it is seen
// with what it lies in.
func (c *claims) see(path string) {
	if !temporary(path) || slices.Contains(hidden(), path) || c.has(path) {
		return
	}
	if roof, ok := c.over(path); !ok || slices.Contains(hidden(), roof.path) {
		c.add(claim{path: path})
	}
}

// programs are the folders on PATH that lie among temporary files, with the
// links in them: npm, pipx and their like put a link there, and the program
// somewhere else.
func (p Profile) programs() []string {
	var out []string
	for _, dir := range filepath.SplitList(p.get("PATH")) {
		r, ok := real(dir)
		if !ok || !temporary(r) {
			continue
		}
		out = append(out, r)
		entries, _ := os.ReadDir(r)
		for _, e := range entries {
			if e.Type()&os.ModeSymlink != 0 {
				out = append(out, filepath.Join(r, e.Name()))
			}
		}
	}
	return out
}

// longestTrail is how many links are followed, as by the kernel.
const longestTrail = 40

// trail is a path with all that it leads to, link by link; each lies in a real
// folder. It ends where nothing is.
func trail(path string) []string {
	var out []string
	for len(out) < longestTrail {
		dir, ok := real(filepath.Dir(path))
		if !ok {
			return out
		}
		path = filepath.Join(dir, filepath.Base(path))
		if _, err := os.Lstat(path); err != nil {
			return out
		}
		out = append(out, path)
		to, err := os.Readlink(path)
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
