package sandbox

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/proc"
)

// rule is the access to a path and everything below; the deepest rule decides.
type rule struct {
	path string // real
	// from is mounted at path; "" keeps what is there.
	from  string
	write bool
	// hidden: neither the path nor anything below it can be seen, except what has a
	// rule of its own.
	hidden bool
	// soft rules are dropped where only additions can be expressed (Landlock).
	soft bool
}

// rules hold one rule per path.
type rules []rule

// add adds a rule and replaces one for the same path.
func (c *rules) add(n rule) {
	for i := range *c {
		if (*c)[i].path == n.path {
			(*c)[i] = n
			return
		}
	}
	*c = append(*c, n)
}

// sorted returns the rules, parents first.
func (c rules) sorted() rules {
	out := slices.Clone(c)
	slices.SortStableFunc(out, func(a, b rule) int {
		return cmp.Or(cmp.Compare(depth(a.path), depth(b.path)), cmp.Compare(a.path, b.path))
	})
	return out
}

func depth(path string) int { return strings.Count(strings.TrimSuffix(path, "/"), "/") }

// within reports whether path is dir or lies below it.
func within(path, dir string) bool {
	return path == dir || dir == "/" || len(path) > len(dir) && path[len(dir)] == '/' && path[:len(dir)] == dir
}

// parent returns the rule that decides about path, ignoring one for path itself.
func (c rules) parent(path string) (rule, bool) {
	best, found := rule{}, false
	for _, x := range c {
		if x.path != path && within(path, x.path) && (!found || len(x.path) > len(best.path)) {
			best, found = x, true
		}
	}
	return best, found
}

// hasReadOnly reports whether path, or something below it, is read-only.
func (c rules) hasReadOnly(path string) bool {
	return slices.ContainsFunc(c, func(x rule) bool { return !x.write && !x.soft && within(x.path, path) })
}

// pins returns the folders between a writable one and a read-only one below it:
// mounted on themselves they cannot be moved away together with their contents.
func (c rules) pins() rules {
	var pins rules
	for _, x := range c {
		roof, ok := c.parent(x.path)
		if x.write || !ok || !roof.write || roof.from != "" {
			continue
		}
		for dir := filepath.Dir(x.path); dir != roof.path && within(dir, roof.path); dir = filepath.Dir(dir) {
			pins.add(rule{path: dir, write: true})
		}
	}
	return pins
}

// with adds the rules of others that it has none for.
func (c rules) with(others rules) rules {
	for _, x := range others {
		if !c.has(x.path) {
			c.add(x)
		}
	}
	return c
}

// landlock returns the Landlock rules for a profile.
func (p Profile) landlock() *proc.LandlockRules {
	h := p.hiding()
	w := &proc.LandlockRules{Files: devices, Hidden: h.covered, Shown: h.kept}
	c := p.rules()
	for _, dir := range append(tempDirs, "/dev/shm", "/dev/pts", "/dev/mqueue", p.Temp) {
		if r, ok := p.real(dir); ok {
			if !c.has(r) {
				c.add(rule{path: r, write: true})
			}
		}
	}
	for _, x := range c.sorted() {
		if x.write {
			p.allow(w, c, x.path)
		}
	}
	return w
}

// allow opens a folder or, where something in it is read-only, each of its
// other entries. Entries that are created later stay closed. In a layer all is opened, see
// HoldMounts.
func (p Profile) allow(w *proc.LandlockRules, c rules, path string) {
	info, err := os.Lstat(path)
	switch {
	case err != nil || info.Mode()&os.ModeSymlink != 0:
	case !info.IsDir():
		w.Files = append(w.Files, path)
	case p.layered(path) || !c.hasReadOnly(path):
		w.Dirs = append(w.Dirs, path)
	default:
		entries, _ := os.ReadDir(path)
		for _, e := range entries {
			below := filepath.Join(path, e.Name())
			if !c.has(below) {
				p.allow(w, c, below)
			}
		}
	}
}

// Every program may write to the devices.
var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx"}
