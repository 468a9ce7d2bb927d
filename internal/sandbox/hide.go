package sandbox

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/sandbox/room"
)

// hiding is what of a profile's Hide exists: real paths. Of two that lie in each
// other the deeper one decides.
type hiding struct {
	covered []string
	// kept stay as they are although they lie in something covered.
	kept []string
}

// hiding finds the paths that are hidden, and those that stay visible: what the
// process needs, and the exceptions of the list.
func (p Profile) hiding() hiding {
	var h hiding
	for _, entry := range p.Hide {
		if except, ok := strings.CutPrefix(entry, "!"); ok {
			h.kept = append(h.kept, p.matches(except)...)
		} else {
			h.covered = append(h.covered, p.matches(entry)...)
		}
	}
	if len(h.covered) == 0 {
		return hiding{}
	}
	needed := slices.Concat(p.Keep, p.Grants, p.Sockets, []string{p.Temp})
	if !p.Asked {
		needed = append(needed, p.Write...)
	}
	for _, m := range p.Mounts {
		needed = append(needed, m.At)
	}
	for _, path := range needed {
		if r, ok := p.real(path); ok {
			h.kept = append(h.kept, r)
		}
	}
	return h.reduced()
}

// reduced drops what changes nothing: covered paths that are kept, or in something
// covered already, and kept ones that nothing covers.
func (h hiding) reduced() hiding {
	var out hiding
	for _, path := range h.covered {
		if !slices.Contains(h.kept, path) && !h.hides(filepath.Dir(path)) && !slices.Contains(out.covered, path) {
			out.covered = append(out.covered, path)
		}
	}
	for _, path := range h.kept {
		if h.hides(filepath.Dir(path)) && !slices.Contains(out.kept, path) {
			out.kept = append(out.kept, path)
		}
	}
	return out
}

// hides reports whether a path is hidden.
func (h hiding) hides(path string) bool {
	return len(deepest(h.covered, path)) > len(deepest(h.kept, path))
}

// deepest returns the deepest of dirs that holds path, or is it; "" for none.
func deepest(dirs []string, path string) string {
	best := ""
	for _, dir := range dirs {
		if within(path, dir) && len(dir) > len(best) {
			best = dir
		}
	}
	return best
}

// matches returns the existing real paths that an entry means: a path, a glob, or
// what a variable names. A path that holds the whole home is none of them.
func (p Profile) matches(entry string) []string {
	var names []string
	home := p.get("HOME")
	switch name, isVariable := strings.CutPrefix(entry, "$"); {
	case isVariable:
		names = filepath.SplitList(p.get(name))
	case strings.HasPrefix(entry, "~/") && filepath.IsAbs(home):
		names = globbed(home, entry[len("~/"):])
	case filepath.IsAbs(entry):
		names = globbed("/", entry[1:])
	}
	var out []string
	for _, name := range names {
		if r, ok := p.real(name); ok && r != "/" && !within(p.home(), r) {
			out = append(out, r)
		}
	}
	return out
}

// globbed returns the paths below dir that match; dir itself is taken literally.
func globbed(dir, pattern string) []string {
	found, _ := fs.Glob(os.DirFS(dir), pattern)
	return below(dir, found...)
}

// Literal returns the entry of Hide that means a path, whatever is in its name.
func Literal(path string) string {
	var b strings.Builder
	for _, r := range path {
		if strings.ContainsRune(`*?[\`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// hide adds the rules for what is hidden to those for writing.
func (p Profile) hide(c rules) rules {
	h := p.hiding()
	if len(h.covered) == 0 {
		return c
	}
	var out rules
	for _, path := range h.kept {
		roof, _ := c.parent(path)
		out.add(rule{path: path, write: roof.write})
	}
	for _, x := range c {
		if !h.hides(x.path) {
			out.add(x)
		}
	}
	for _, path := range h.covered {
		out.add(rule{path: path, hidden: true})
	}
	return out
}

// covers returns the arguments of bubblewrap that hide a path, and those that
// follow once everything below it is mounted.
func (x rule) covers() (now, after []string) {
	if isDir(x.path) {
		return []string{"--tmpfs", x.path}, []string{"--remount-ro", x.path}
	}
	return []string{"--ro-bind", os.DevNull, x.path}, nil
}

// HideMounts hides in a room what bubblewrap, or Landlock by its rules, would hide
// without one.
func (p Profile) HideMounts() []room.Mount {
	var out []room.Mount
	h := p.hiding()
	for _, path := range h.covered {
		m := room.Mount{Kind: room.ReadOnly, At: path, From: []string{os.DevNull}}
		if isDir(path) {
			m = room.Mount{Kind: room.Empty, At: path, Mode: 0o700}
		}
		out = append(out, m)
	}
	c := p.rules()
	for _, path := range h.kept {
		kind := room.ReadOnly
		if c.writes(path) {
			kind = room.Bind
		}
		out = append(out, room.Mount{Kind: kind, At: path, From: []string{path}})
	}
	slices.SortStableFunc(out, func(a, b room.Mount) int { return cmp.Compare(depth(a.At), depth(b.At)) })
	return out
}

// writes reports whether the rules let a path be written.
func (c rules) writes(path string) bool {
	if i := slices.IndexFunc(c, func(x rule) bool { return x.path == path }); i >= 0 {
		return c[i].write
	}
	roof, ok := c.parent(path)
	return ok && roof.write
}

// Hidden returns what is hidden of the entries, as they are written: those that
// exist and are not needed by the process.
func (p Profile) Hidden() []string {
	h := p.hiding()
	var out []string
	for _, entry := range p.Hide {
		if !strings.HasPrefix(entry, "!") && slices.ContainsFunc(p.matches(entry), h.hides) {
			out = append(out, entry)
		}
	}
	return out
}
