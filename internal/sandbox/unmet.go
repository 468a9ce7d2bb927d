package sandbox

import (
	"path/filepath"
	"slices"
)

// Unmet is a folder that a person wants to be written, or that tools need, and that
// stays as it is. Do says what helps.
type Unmet struct{ Path, Why, Do string }

// Unmet are the wishes in Write of which nothing comes, and the folders of tools
// that lead to where nothing may be written.
func (p Profile) Unmet() []Unmet {
	p = p.Look()
	locked := p.locked()
	var out []Unmet
	for _, path := range p.Write {
		r, ok := real(path)
		why := ""
		switch {
		case !filepath.IsAbs(path):
			why = "it is not named from / or ~/ on"
		case !ok:
			why = "it is not there"
		case r == "/":
			why = "it is everything"
		case slices.ContainsFunc(locked, func(l string) bool { return within(r, l) }):
			why = "it is protected"
		}
		if why != "" {
			out = append(out, Unmet{path, why, "change sandbox_write"})
		}
	}
	return append(out, p.closed()...)
}

// closed are links of the home that tools would write through.
func (p Profile) closed() []Unmet {
	home := p.home()
	var out []Unmet
	for _, l := range p.looked.leads {
		if l.why != "" && l.needed() && !p.allowed(l.to) {
			out = append(out, Unmet{filepath.Join(home, l.name), "it leads to " + l.to + ", " + l.why, l.do})
		}
	}
	return out
}

// allowed says whether a person has named a path, or what it lies in, in Write.
func (p Profile) allowed(path string) bool {
	c := p.claims()
	if c.has(path) {
		return slices.ContainsFunc(c, func(x claim) bool { return x.path == path && x.write })
	}
	roof, ok := c.over(path)
	return ok && roof.write
}
