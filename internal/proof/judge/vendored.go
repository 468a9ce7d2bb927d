package judge

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"ralph/internal/proof"
	"ralph/internal/proof/manifest"
)

// versions are the module versions that go.mod files require.
type versions struct{ base, work map[string]string }

// vendored reports whether a path is in a folder of vendored dependencies.
func vendored(p string) bool {
	return strings.HasPrefix(p, "vendor/") || strings.Contains(p, "/vendor/")
}

// judgesVendored: the files of a Go dependency whose version the work changed belong
// to that change; any other vendored file could replace an assertion or a runner.
func (j *judging) judgesVendored(p string) bool {
	_, name, ok := strings.Cut("/"+p, "/vendor/")
	if !ok || j.modules.work == nil {
		return !j.newPackages[packageFolder(p)]
	}
	if name == "modules.txt" {
		return false
	}
	for m := proof.DirOf(name); m != "."; m = proof.DirOf(m) {
		was, had := j.modules.base[m]
		now, has := j.modules.work[m]
		if had || has {
			return was == now
		}
	}
	return true
}

// packageFolder is the folder of a file's package below vendor/: one name, or one in a scope.
func packageFolder(p string) string {
	parts := strings.Split(p, "/")
	at := slices.Index(parts, "vendor")
	n := at + 2
	if n < len(parts) && strings.HasPrefix(parts[at+1], "@") {
		n++
	}
	if at < 0 || n >= len(parts) {
		return ""
	}
	return strings.Join(parts[:n], "/")
}

// addedPackages finds the folders below vendor/ that the base does not have and that a
// package.json of the base now lists as a dependency with a name of its own
// ("round": "file:./vendor/round"). Node finds such a package by no other way than the
// product's dependencies. A folder with sources of another language is none.
func (d *Diff) addedPackages() (map[string]bool, error) {
	found := map[string]bool{}
	for _, p := range d.changed {
		if folder := packageFolder(p); folder != "" {
			if _, seen := found[folder]; !seen {
				added, err := d.addedPackage(folder)
				if err != nil {
					return nil, err
				}
				found[folder] = added
			}
		}
	}
	return found, nil
}

func (d *Diff) addedPackage(folder string) (bool, error) {
	root, _, _ := strings.Cut("/"+folder, "/vendor/")
	list := strings.TrimPrefix(path.Join(root, "package.json"), "/")
	if d.Before[list].ID == "" || d.After[list].ID == "" || !proof.IsFile(d.Before[list]) || !proof.IsFile(d.After[list]) {
		return false, nil
	}
	if _, file := d.Before[folder]; file || d.baseHas(folder) {
		return false, nil
	}
	for p, f := range d.After {
		if !strings.HasPrefix(p, folder+"/") {
			continue
		}
		if lang := proof.LanguageOf(p); !proof.IsFile(f) || lang != "" && lang != "js" || f.Mode == proof.ExecMode || slices.Contains(strings.Split(p[len(folder):], "/"), "node_modules") {
			return false, nil
		}
	}
	old, err := d.npmPackages(list, d.Before)
	if err != nil {
		return false, err
	}
	now, err := d.npmPackages(list, d.After)
	for name, version := range now {
		_, had := old[name]
		local := strings.TrimPrefix(strings.TrimPrefix(version, "file:"), "link:")
		if !had && !manifest.IsRunner(name) && manifest.IsLocal(version) && path.Join(proof.DirOf(list), local) == folder {
			return true, err
		}
	}
	return false, err
}

// npmPackages are the dependencies of a package.json, with their versions.
func (d *Diff) npmPackages(p string, files map[string]proof.File) (map[string]string, error) {
	data, err := d.Content(files[p].ID)
	if err != nil {
		return nil, err
	}
	var sections map[string]json.RawMessage
	all := map[string]string{}
	if json.Unmarshal(data, &sections) != nil {
		return all, nil
	}
	for _, key := range manifest.NpmDependencies {
		var section map[string]string
		if json.Unmarshal(sections[key], &section) == nil {
			maps.Copy(all, section)
		}
	}
	return all, nil
}

// moduleVersions reads the requirements of the go.mod files beside vendor folders.
func (d *Diff) moduleVersions() (versions, error) {
	v := versions{}
	for _, p := range d.changed {
		if !vendored(p) {
			continue
		}
		var err error
		dir, _, _ := strings.Cut("/"+p, "/vendor/")
		mod := strings.TrimPrefix(path.Join(dir, "go.mod"), "/")
		if v.base, err = d.required(d.Before[mod]); err == nil {
			v.work, err = d.required(d.After[mod])
		}
		return v, err
	}
	return v, nil
}

func (d *Diff) required(f proof.File) (map[string]string, error) {
	if f.ID == "" {
		return nil, nil
	}
	data, err := d.Content(f.ID)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, s := range manifest.GoStatements(string(data)) {
		if w := strings.Fields(s); len(w) >= 3 && w[0] == "require" {
			out[strings.Trim(w[1], "\"`")] = w[2]
		}
	}
	return out, nil
}
