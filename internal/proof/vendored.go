package proof

import (
	"path"
	"strings"
)

// versions are the module versions that go.mod files require.
type versions struct{ base, work map[string]string }

// vendored reports whether a path is in a folder of vendored dependencies.
func vendored(p string) bool {
	return strings.HasPrefix(p, "vendor/") || strings.Contains(p, "/vendor/")
}

// judgesVendored: the files of a Go dependency whose version the work changed belong
// to that change; any other vendored file could replace an assertion or a runner.
func (d *diff) judgesVendored(p string) bool {
	_, name, ok := strings.Cut("/"+p, "/vendor/")
	if !ok || d.modules.work == nil {
		return true
	}
	if name == "modules.txt" {
		return false
	}
	for m := dirOf(name); m != "."; m = dirOf(m) {
		was, had := d.modules.base[m]
		now, has := d.modules.work[m]
		if had || has {
			return was == now
		}
	}
	return true
}

// moduleVersions reads the requirements of the go.mod files beside vendor folders.
func (d *diff) moduleVersions() (versions, error) {
	v := versions{}
	for _, p := range d.changed {
		if !vendored(p) {
			continue
		}
		var err error
		dir, _, _ := strings.Cut("/"+p, "/vendor/")
		mod := strings.TrimPrefix(path.Join(dir, "go.mod"), "/")
		if v.base, err = d.required(d.base[mod]); err == nil {
			v.work, err = d.required(d.work[mod])
		}
		return v, err
	}
	return v, nil
}

func (d *diff) required(f File) (map[string]string, error) {
	if f.ID == "" {
		return nil, nil
	}
	data, err := d.Content(f.ID)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, s := range goStatements(string(data)) {
		if w := strings.Fields(s); len(w) >= 3 && w[0] == "require" {
			out[strings.Trim(w[1], "\"`")] = w[2]
		}
	}
	return out, nil
}
