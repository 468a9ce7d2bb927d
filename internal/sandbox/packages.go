package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// packages are what programs on PATH consist of besides the folders on PATH
// themselves: what the links in these lead to, the links on the way there, and
// what a program loads from beside itself. Who writes one of them has written the
// program.
func (p Profile) packages() []string {
	s := p.shelves()
	var out []string
	for _, dir := range p.pathFolders() {
		steps := way(dir)
		for _, link := range steps[:len(steps)-1] {
			out = append(out, s.around(link)...)
		}
		r := steps[len(steps)-1]
		inside := s.holds(r)
		if inside {
			out = append(out, s.parts(filepath.Join(r, "program"))...)
		}
		if ofSystem(r) {
			continue
		}
		entries, _ := os.ReadDir(r)
		for _, e := range entries {
			if e.Type()&os.ModeSymlink != 0 {
				out = append(out, s.behind(r, e.Name(), inside)...)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// pathFolders are the absolute ones on PATH, each once.
func (p Profile) pathFolders() []string {
	var out []string
	for _, dir := range filepath.SplitList(p.get("PATH")) {
		if filepath.IsAbs(dir) && !slices.Contains(out, filepath.Clean(dir)) {
			out = append(out, filepath.Clean(dir))
		}
	}
	return out
}

// ofSystem folders are filled by the system's packages, with links to one another
// by the hundred, and with none into a home.
func ofSystem(dir string) bool {
	return slices.Contains([]string{"/usr/bin", "/usr/sbin", "/bin", "/sbin"}, dir)
}

// behind is what must stay for the program that a link in a folder on PATH leads
// to. Outside of what may be open only those are followed that lead there at once.
func (s shelves) behind(dir, name string, inside bool) []string {
	if to, err := os.Readlink(filepath.Join(dir, name)); !inside && (err != nil || !s.holds(absolute(dir, to))) {
		return nil
	}
	steps := wayFrom(dir, name)
	end := steps[len(steps)-1]
	if info, err := os.Lstat(end); err == nil && info.IsDir() {
		return nil // a folder is no program
	}
	var out []string
	for _, link := range steps[1 : len(steps)-1] {
		out = append(out, s.around(link)...)
	}
	if s.holds(end) {
		out = append(out, s.parts(end)...)
	}
	return out
}

// around is the folder of a link: a link cannot be kept by itself.
func (s shelves) around(link string) []string {
	if dir := filepath.Dir(link); s.holds(link) && !s.common[dir] {
		return []string{dir}
	}
	return nil
}

// parts of the program at a real path: of one from npm all packages that were
// installed with it, of one in a folder bin what that folder lies in (the version
// of a language, a virtual environment), of another one its folder. What lies in a
// common folder is one program's whole house, state and caches included: of that
// only the folders of programs and libraries.
func (s shelves) parts(path string) []string {
	const packages = "/node_modules"
	if before, _, ok := strings.Cut(path, packages+"/"); ok {
		return []string{before + packages}
	}
	dir := filepath.Dir(path)
	up := filepath.Dir(dir)
	switch {
	case filepath.Base(dir) != "bin" && (s.common[dir] || s.common[up]):
		return []string{path}
	case filepath.Base(dir) != "bin":
		return []string{dir}
	case s.common[up] || s.common[filepath.Dir(up)]:
		return append(below(up, "lib", "lib64", "libexec"), dir)
	}
	return []string{up}
}

// way is every link that leads on the way of an absolute path, as a path in a
// real folder, and at its end what the path leads to, whether it is there or not.
func way(path string) []string { return wayFrom("/", strings.TrimPrefix(path, "/")) }

func wayFrom(dir, path string) []string {
	var out []string
	at, rest := dir, strings.Split(path, "/")
	for len(rest) > 0 && len(out) < longestTrail {
		next := filepath.Join(at, rest[0])
		rest = rest[1:]
		to, err := os.Readlink(next)
		switch {
		case err == nil:
			out = append(out, next)
			rest = append(strings.Split(to, "/"), rest...)
			if filepath.IsAbs(to) {
				at = "/"
			}
		case errors.Is(err, fs.ErrNotExist):
			return append(out, filepath.Join(append([]string{next}, rest...)...))
		default:
			at = next
		}
	}
	return append(out, at)
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
