package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/sandbox/room"
)

// Profile lists the paths that one process may write. Paths are absolute; those
// that do not exist are ignored.
type Profile struct {
	// Grants are writable in any case: the process's own tree and its part of the
	// repository.
	Grants []string
	// ReadOnly lies in Grants and stays read-only all the same.
	ReadOnly []string
	// Mounts are folders of ralph's mounted over others.
	Mounts []Mount
	// Protected is never writable: the repository, ralph's state, other trees.
	Protected []string
	// Visible stays readable although it lies among temporary files.
	Visible []string
	// Write are further paths that the user allows. Asked: a repository asks for them, so
	// that they stay hidden where Hide covers them.
	Write []string
	Asked bool
	// Hide lists what the process must not read: paths, absolute or from ~/ on, globs,
	// and $NAME for what a variable names. An entry that begins with ! is an exception.
	Hide []string
	// Keep are paths that are never hidden: the process needs them.
	Keep []string
	// Temp is the folder for temporary files, made for this run.
	Temp string
	// Env is the environment of the process: it tells the home and where tools
	// keep their caches.
	Env []string
	// NoNetwork cuts it off every network but a loopback of its own.
	NoNetwork bool
	// OwnIPC gives it shared memory and message queues of its own (bubblewrap).
	OwnIPC bool
	// Sockets are directories of sockets through which it asks ralph.
	Sockets []string

	// view is the room in which the process starts, see In; nil without one.
	view *room.Spec
	// scan is the result of Scan, nil before.
	scan *scan
	// known are paths that were resolved since Scan, nil before.
	known *known
}

// scan holds paths that decide what other programs run, and links that lead out
// of the home.
type scan struct {
	programs []string
	// personal decide what the user runs: at a login, by git.
	personal []string
	links    []homeLink
}

// Scan reads the home once for everything that is asked of the returned profile.
func (p Profile) Scan() Profile {
	if p.known == nil {
		p.known = &known{paths: map[string]string{}}
	}
	if p.scan == nil {
		p.scan = &scan{programs: append(p.packages(), p.versions()...), personal: append(p.startup(), p.repositories()...)}
		p.scan.links = p.homeLinks(p.locked())
	}
	return p
}

// Mount mounts the folder From over the folder At.
type Mount struct {
	From, At string
	Write    bool
}

// real resolves links, so that a path is not judged by a name that an agent can
// point elsewhere.
func real(path string) (string, bool) {
	if !filepath.IsAbs(path) {
		return "", false
	}
	r, err := filepath.EvalSymlinks(path)
	return r, err == nil
}

// rules returns the rules for a user's home. Write never opens a protected path;
// Grants do.
func (p Profile) rules() rules {
	p = p.Scan()
	var c rules
	locked := p.locked()
	add := func(path string, write bool) {
		r, ok := p.real(path)
		if !ok || r == "/" {
			return
		}
		if write && slices.ContainsFunc(locked, func(l string) bool { return within(r, l) }) {
			return
		}
		c.add(rule{path: r, write: write})
	}
	for _, w := range p.homeRules() {
		add(w.path, w.write)
	}
	for _, l := range p.scan.links {
		if l.why == "" {
			add(l.to, true)
		}
	}
	for _, path := range p.Write {
		add(path, true)
	}
	for _, path := range locked {
		c.add(rule{path: path})
	}
	for _, path := range p.Grants {
		if r, ok := p.real(path); ok {
			c.add(rule{path: r, write: true})
		}
	}
	for _, path := range p.ReadOnly {
		if r, ok := p.real(path); ok {
			c.add(rule{path: r, soft: true})
		}
	}
	for _, x := range p.Mounts {
		if r, ok := p.real(x.At); ok {
			c.add(rule{path: r, from: x.From, write: x.Write})
		}
	}
	return p.hide(c)
}

// locked returns the real paths that Write cannot open.
func (p Profile) locked() []string {
	var out []string
	for _, path := range p.Protected {
		if r, ok := p.real(path); ok && r != "/" && !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	scan := p.Scan().scan
	private := scan.personal
	paths := append(slices.Clone(scan.programs), p.programFolders()...)
	for _, s := range p.secrets() {
		private = append(private, s.path)
	}
	for i, path := range slices.Concat(paths, private) {
		r, ok := p.real(path)
		if ok && r != "/" && !slices.Contains(out, r) && (i < len(paths) || !p.private(r)) {
			out = append(out, r)
		}
	}
	return out
}

// get returns a variable of the profile's environment.
func (p Profile) get(name string) string {
	for _, kv := range slices.Backward(p.Env) {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
}

// values returns the values of the variables that are set.
func (p Profile) values(names []string) []string {
	var out []string
	for _, name := range names {
		if v := p.get(name); v != "" {
			out = append(out, v)
		}
	}
	return out
}

// home returns the user's home, "" where there is no usable one.
func (p Profile) home() string {
	if p.known == nil {
		return findHome(p.get("HOME"))
	}
	return p.known.homeOf(p.get("HOME"))
}

func findHome(path string) string {
	h, ok := real(path)
	if !ok || h == "/" {
		return ""
	}
	if info, err := os.Stat(h); err != nil || !info.IsDir() {
		return ""
	}
	return h
}
