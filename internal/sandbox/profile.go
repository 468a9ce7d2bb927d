package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Profile says what one process needs. Paths are absolute; what is not there is
// passed over.
type Profile struct {
	// Grants are writable whatever else is said of them: the process's own tree
	// and its part of the repository.
	Grants []string
	// Kept lies in what is granted and is not to be written all the same.
	Kept []string
	// Placed are folders of ours that stand in the place of others.
	Placed []Placed
	// Protected is never writable: the repository, ralph's memory, other trees.
	Protected []string
	// Named stays readable although it lies among temporary files.
	Named []string
	// Write is what a person allows besides.
	Write []string
	// Temp is the folder for temporary files, made for this run.
	Temp string
	// Env is the environment that the process will have: it tells the home and
	// where tools keep their caches.
	Env []string
	// NoNetwork keeps it from every network but a loopback of its own.
	NoNetwork bool

	// looked is what Look has found, nil before.
	looked *looked
}

// looked are paths that decide what other programs run, and links that lead out of the home.
type looked struct {
	programs []string
	leads    []lead
}

// Look finds out what there is in the home, once for everything that is asked of
// the profile that it answers.
func (p Profile) Look() Profile {
	if p.looked == nil {
		p.looked = &looked{programs: slices.Concat(p.packages(), p.known(), p.repositories())}
		p.looked.leads = p.leads(p.locked())
	}
	return p
}

// Placed puts a folder in the place of another.
type Placed struct {
	From, At string
	Write    bool
}

// real resolves links, so that nothing is judged by a name that somebody can
// point elsewhere.
func real(path string) (string, bool) {
	if !filepath.IsAbs(path) {
		return "", false
	}
	r, err := filepath.EvalSymlinks(path)
	return r, err == nil
}

// claims are those of a profile for a person's home. A wish to write never
// opens what is protected; a grant does.
func (p Profile) claims() claims {
	p = p.Look()
	var c claims
	locked := p.locked()
	wish := func(path string, write bool) {
		r, ok := real(path)
		if !ok || r == "/" {
			return
		}
		if write && slices.ContainsFunc(locked, func(l string) bool { return within(r, l) }) {
			return
		}
		c.add(claim{path: r, write: write})
	}
	for _, w := range p.homeWishes() {
		wish(w.path, w.write)
	}
	for _, l := range p.looked.leads {
		if l.why == "" {
			wish(l.to, true)
		}
	}
	for _, path := range p.Write {
		wish(path, true)
	}
	for _, path := range locked {
		c.add(claim{path: path})
	}
	for _, path := range p.Grants {
		if r, ok := real(path); ok {
			c.add(claim{path: r, write: true})
		}
	}
	for _, path := range p.Kept {
		if r, ok := real(path); ok {
			c.add(claim{path: r, soft: true})
		}
	}
	for _, x := range p.Placed {
		if r, ok := real(x.At); ok {
			c.add(claim{path: r, from: x.From, write: x.Write})
		}
	}
	return c
}

// locked are the real paths that no wish opens.
func (p Profile) locked() []string {
	var out []string
	paths := slices.Clone(p.Protected)
	for _, s := range p.secrets() {
		paths = append(paths, s.path)
	}
	for _, path := range append(paths, p.Look().looked.programs...) {
		if r, ok := real(path); ok && r != "/" && !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}

// get is a variable of the profile's environment.
func (p Profile) get(name string) string {
	for _, kv := range slices.Backward(p.Env) {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
}

// values are those of the variables that are set.
func (p Profile) values(names []string) []string {
	var out []string
	for _, name := range names {
		if v := p.get(name); v != "" {
			out = append(out, v)
		}
	}
	return out
}

// home is the person's, "" where there is none to speak of.
func (p Profile) home() string {
	h, ok := real(p.get("HOME"))
	if !ok || h == "/" {
		return ""
	}
	if info, err := os.Stat(h); err != nil || !info.IsDir() {
		return ""
	}
	return h
}
