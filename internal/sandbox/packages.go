package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"ralph/internal/agent"
	"ralph/internal/agent/registry"
)

// packages returns what programs on PATH consist of besides the folders on PATH:
// targets of links, the links on the way there, and what a program loads from
// beside itself. A process that can write any of these can replace the program.
func (p Profile) packages() []string {
	s := p.writableRoots()
	var out []string
	for _, dir := range p.pathFolders() {
		steps := way(dir)
		for _, link := range steps[:len(steps)-1] {
			out = append(out, s.linkDir(link)...)
		}
		r := steps[len(steps)-1]
		inside := s.contains(r)
		if inside {
			out = append(out, s.parts(filepath.Join(r, "program"))...)
		}
		if isSystemBin(r) {
			continue
		}
		entries, _ := os.ReadDir(r)
		for _, e := range entries {
			if e.Type()&os.ModeSymlink != 0 {
				out = append(out, s.target(r, e.Name(), inside)...)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// pathFolders returns the absolute folders on PATH, each once.
func (p Profile) pathFolders() []string {
	var out []string
	for _, dir := range filepath.SplitList(p.get("PATH")) {
		if filepath.IsAbs(dir) && !slices.Contains(out, filepath.Clean(dir)) {
			out = append(out, filepath.Clean(dir))
		}
	}
	return out
}

// isSystemBin reports whether the system's packages fill a folder: it has
// hundreds of links to other programs, and none into a home.
func isSystemBin(dir string) bool {
	return slices.Contains([]string{"/usr/bin", "/usr/sbin", "/bin", "/sbin"}, dir)
}

// target returns what must stay for the program that a link in a folder on PATH
// leads to. Outside of the writable roots only links that lead into them directly
// are followed.
func (s writableRoots) target(dir, name string, inside bool) []string {
	if to, err := os.Readlink(filepath.Join(dir, name)); !inside && (err != nil || !s.contains(absolute(dir, to))) {
		return nil
	}
	steps := wayFrom(dir, name)
	end := steps[len(steps)-1]
	if info, err := os.Lstat(end); err == nil && info.IsDir() {
		return nil // a folder is not a program
	}
	var out []string
	for _, link := range steps[1 : len(steps)-1] {
		out = append(out, s.linkDir(link)...)
	}
	if s.contains(end) {
		out = append(out, s.parts(end)...)
	}
	return out
}

// linkDir returns the folder of a link: a link cannot be protected by itself.
func (s writableRoots) linkDir(link string) []string {
	if dir := filepath.Dir(link); s.contains(link) && !s.shared[dir] {
		return []string{dir}
	}
	return nil
}

// parts returns what belongs to the program at a real path: for one from npm all
// packages that were installed with it, for one in a folder bin the parent of
// that folder (the version of a language, a virtual environment), otherwise its
// folder. A folder below a shared folder holds everything of one program, state
// and caches included: of that only the folders of programs and libraries.
func (s writableRoots) parts(path string) []string {
	const packages = "/node_modules"
	if before, _, ok := strings.Cut(path, packages+"/"); ok {
		return []string{before + packages}
	}
	dir := filepath.Dir(path)
	up := filepath.Dir(dir)
	switch {
	case filepath.Base(dir) != "bin" && (s.shared[dir] || s.shared[up]):
		return []string{path}
	case filepath.Base(dir) != "bin":
		return []string{dir}
	case s.shared[up] || s.shared[filepath.Dir(up)]:
		return append(below(up, "lib", "lib64", "libexec"), dir)
	}
	return []string{up}
}

// way returns every link on the way of an absolute path, as a path in a real
// folder, and at its end the real target, which need not exist.
func way(path string) []string { return wayFrom("/", strings.TrimPrefix(path, "/")) }

func wayFrom(dir, path string) []string {
	var out []string
	at, rest := dir, strings.Split(path, "/")
	for len(rest) > 0 && len(out) < maxLinks {
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

// writableRoots are the places in which something may be writable.
type writableRoots struct {
	roots []string
	// shared are folders in which each program has one of its own, and the
	// state folders of agents: none of them is the package of one program.
	shared map[string]bool
}

func (p Profile) writableRoots() writableRoots {
	s := writableRoots{shared: map[string]bool{}}
	add := func(path string) {
		if r, ok := p.real(path); ok && r != "/" {
			s.roots, s.shared[r] = append(s.roots, r), true
		}
	}
	if home := p.home(); home != "" {
		add(home)
		for _, name := range append(sharedFolders, agentFolders()...) {
			s.shared[filepath.Join(home, name)] = true
		}
	}
	for _, path := range append(p.values(cacheVariables()), p.Write...) {
		add(path)
	}
	return s
}

// sharedFolders of a home hold one folder for each program.
var sharedFolders = []string{".local", ".local/share", ".local/state", ".config", ".cache"}

// agentFolders are where the agents that ralph knows keep their state.
var agentFolders = sync.OnceValue(func() []string {
	return registry.Collect(agent.Footprint.AllFolders)
})

// agentFiles are the files that they keep directly in the home.
var agentFiles = sync.OnceValue(func() []string {
	return registry.Collect(func(f agent.Footprint) []string { return f.Files })
})

// contains reports whether something at path might be writable.
func (s writableRoots) contains(path string) bool {
	return slices.ContainsFunc(s.roots, func(root string) bool { return within(path, root) })
}
