package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"

	"ralph/internal/proof"
)

var (
	// NpmDependencies are the sections of package.json that list dependencies.
	NpmDependencies = []string{
		"dependencies", "devDependencies", "peerDependencies", "peerDependenciesMeta", "optionalDependencies", "bundledDependencies", "bundleDependencies", "dependenciesMeta",
	}
	// NpmJudges are the members of an added package.json that configure tools.
	NpmJudges = []string{
		"scripts", "jest", "mocha", "ava", "nyc", "c8", "vitest", "babel", "tap", "tsd", "xo", "standard", "eslintConfig", "eslintIgnore", "prettier",
		"overrides", "resolutions", "pnpm", "packageManager", "volta", "config", "wireit", "nx", "lint-staged", "husky",
	}
	// npmEntries are the members of a package.json that decide which files node and
	// bundlers load for the name of its folder or for a name with "#":
	// https://nodejs.org/api/packages.html#nodejs-packagejson-field-definitions
	npmEntries = []string{"main", "exports", "imports", "module", "browser"}
	// npmWords are the members of a package.json that only describe it.
	npmWords = []string{"version", "description", "keywords", "author", "contributors", "license", "homepage", "repository", "bugs", "funding", "engines", "files", "publishConfig"}
	// npmTypes name the declarations of its types. The first of them take the place of none.
	npmTypes             = []string{"types", "typings"}
	composerDependencies = []string{"require", "require-dev"}
	composerJudges       = []string{"scripts", "scripts-descriptions", "scripts-aliases", "config", "repositories", "extra"}
)

// MergePackage merges package.json.
func MergePackage(base, work []byte) ([]byte, bool, bool) {
	if base != nil {
		base = WithMembers(base, work, npmWords)
		if old, err := Members(base); err == nil && !slices.ContainsFunc(old, func(m member) bool { return slices.Contains(npmTypes, m.key) }) {
			base = WithMembers(base, work, npmTypes)
		}
	}
	return MergeJSON(base, work, NpmDependencies, NpmJudges)
}

// WithMembers returns an object with some members of another one. Where one of them is no
// object it is the first as it is.
func WithMembers(to, from []byte, keys []string) []byte {
	now, err := Members(from)
	for _, key := range keys {
		all, bad := Members(to)
		if err != nil || bad != nil {
			return to
		}
		m, _ := Last(now, key)
		to = put(to, all, key, m.Value(from))
	}
	return to
}

// MergeAddedPackage merges a package.json that the work added beside sources of the
// base: what decides which of them is loaded judges, too.
func MergeAddedPackage(p string) Merger {
	judging := slices.Concat(NpmJudges, npmEntries)
	if proof.DirOf(p) != "." {
		judging = append(judging, "type")
	}
	return func(base, work []byte) ([]byte, bool, bool) {
		return MergeJSON(base, work, NpmDependencies, judging)
	}
}

func mergeComposer(base, work []byte) ([]byte, bool, bool) {
	return MergeJSON(base, work, composerDependencies, composerJudges)
}

// MergeJSON changes no other byte of the base, or of an added manifest, than the
// members that it must.
func MergeJSON(base, work []byte, dependencies, judging []string) (merged []byte, same, ok bool) {
	now, err := Members(work)
	if err != nil {
		return nil, false, false
	}
	out, old := work, []member(nil)
	for _, key := range judging {
		if base == nil {
			out = removeKey(out, key)
		}
	}
	if base != nil {
		if old, err = Members(base); err != nil {
			return nil, false, false
		}
		out = base
	}
	had := registered(old, base, dependencies)
	for _, key := range dependencies {
		m, _ := Last(now, key)
		all, err := Members(out)
		if err != nil {
			return nil, false, false
		}
		out = put(out, all, key, fromRegistry(m.Value(work), had))
	}
	return out, sameJSON(out, work), true
}

// registered are the dependencies of the base with their versions.
func registered(all []member, data []byte, keys []string) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for _, key := range keys {
		m, ok := Last(all, key)
		var section map[string]json.RawMessage
		if ok && json.Unmarshal(m.Value(data), &section) == nil {
			maps.Copy(out, section)
		}
	}
	return out
}

// fromRegistry puts back the dependencies that the work took from another place than
// the base did, and leaves out runners that it took from such a place.
func fromRegistry(section []byte, had map[string]json.RawMessage) []byte {
	var entries map[string]json.RawMessage
	if json.Unmarshal(section, &entries) != nil {
		return section
	}
	changed := false
	for _, name := range slices.Collect(maps.Keys(entries)) {
		var version string
		if json.Unmarshal(entries[name], &version) != nil || !IsLocal(version) || bytes.Equal(entries[name], had[name]) {
			continue
		}
		if old, was := had[name]; was {
			entries[name], changed = old, true
		} else if IsRunner(name) {
			delete(entries, name)
			changed = true
		}
	}
	if !changed {
		return section
	}
	out, err := json.Marshal(entries)
	if err != nil {
		return section
	}
	return out
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// member is one top-level member of a JSON object: the positions of its key and
// its value.
type member struct {
	key             string
	start, from, to int
}

// Value is the text of a member's value in the data that it is of.
func (m member) Value(data []byte) []byte { return data[m.from:m.to] }

// Members lists them. Node takes the last of equal keys.
func Members(data []byte) ([]member, error) {
	if !json.Valid(data) {
		return nil, errors.New("no JSON")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("no JSON object")
	}
	var out []member
	for d.More() {
		before := int(d.InputOffset())
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, err
		}
		key, _ := t.(string)
		end := int(d.InputOffset())
		start := before + bytes.IndexByte(data[before:], '"')
		out = append(out, member{key: key, start: start, from: end - len(raw), to: end})
	}
	return out, nil
}

// Last returns the last member of a key, which is the one that readers take.
func Last(all []member, key string) (m member, ok bool) {
	for _, m := range slices.Backward(all) {
		if m.key == key {
			return m, true
		}
	}
	return member{}, false
}

// put gives a key of an object a value; an empty one removes the key.
func put(data []byte, all []member, key string, value []byte) []byte {
	m, has := Last(all, key)
	switch {
	case has && len(value) > 0:
		return slices.Concat(data[:m.from], value, data[m.to:])
	case has:
		return removeKey(data, key)
	case len(value) == 0:
		return data
	}
	open := bytes.IndexByte(data, '{') + 1
	comma := []byte(",")
	if len(all) == 0 {
		comma = nil
	}
	name, _ := json.Marshal(key)
	return slices.Concat(data[:open], name, []byte(":"), value, comma, data[open:])
}

// removeKey deletes every member of that key with one of the commas around it.
func removeKey(data []byte, key string) []byte {
	all, err := Members(data)
	i := slices.IndexFunc(all, func(m member) bool { return m.key == key })
	if err != nil || i < 0 {
		return data
	}
	from, to := all[i].start, all[i].to
	switch {
	case i+1 < len(all):
		to = all[i+1].start
	case i > 0:
		from = all[i-1].to
	}
	return removeKey(slices.Concat(data[:from], data[to:]), key)
}
