package sandbox

import (
	"path/filepath"
	"slices"
)

// Unmet is a folder that a person wants to be written and that stays as it is.
type Unmet struct{ Path, Why string }

// Unmet are the wishes in Write of which nothing comes.
func (p Profile) Unmet() []Unmet {
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
			out = append(out, Unmet{path, why})
		}
	}
	return out
}
