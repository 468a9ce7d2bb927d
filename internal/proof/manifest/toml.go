package manifest

import (
	"maps"
	"reflect"
	"slices"

	"github.com/pelletier/go-toml/v2"
)

// Table is one of TOML.
type Table = map[string]any

var (
	// PyDependencies are the tables of dependencies in pyproject.toml, by their keys; * is any.
	PyDependencies = [][]string{
		{"project", "dependencies"},
		{"project", "optional-dependencies"},
		{"dependency-groups"},
		{"build-system", "requires"},
		{"tool", "poetry", "dependencies"},
		{"tool", "poetry", "dev-dependencies"},
		{"tool", "poetry", "group", "*", "dependencies"},
		{"tool", "pdm", "dev-dependencies"},
		{"tool", "uv", "dev-dependencies"},
	}
	// CargoDependencies are those in Cargo.toml.
	CargoDependencies = [][]string{
		{"dependencies"},
		{"dev-dependencies"},
		{"build-dependencies"},
		{"workspace", "dependencies"},
		{"target", "*", "dependencies"},
		{"target", "*", "dev-dependencies"},
		{"target", "*", "build-dependencies"},
	}
	// The keys of an added manifest that configure tests and builds.
	pyJudges    = [][]string{{"project", "entry-points"}, {"build-system", "backend-path"}}
	cargoJudges = [][]string{
		{"test"},
		{"bench"},
		{"profile"},
		{"patch"},
		{"replace"},
		{"lints"},
		{"package", "build"},
		{"package", "autotests"},
		{"package", "autobenches"},
		{"lib", "test"},
		{"lib", "harness"},
		{"lib", "doctest"},
		{"workspace", "lints"},
	}
	// The keys that only describe a project:
	// https://packaging.python.org/en/latest/specifications/pyproject-toml/
	// https://doc.rust-lang.org/cargo/reference/manifest.html#the-package-section
	pyWords = [][]string{
		{"project", "version"},
		{"project", "description"},
		{"project", "authors"},
		{"project", "maintainers"},
		{"project", "keywords"},
		{"project", "classifiers"},
		{"project", "urls"},
		// Files of data that packages have: https://setuptools.pypa.io/en/latest/userguide/datafiles.html
		{"tool", "setuptools", "package-data"},
		{"tool", "setuptools", "include-package-data"},
		{"tool", "poetry", "version"},
		{"tool", "poetry", "description"},
		{"tool", "poetry", "authors"},
	}
	cargoWords = [][]string{
		{"package", "version"},
		{"package", "description"},
		{"package", "authors"},
		{"package", "keywords"},
		{"package", "categories"},
		{"package", "license"},
		{"package", "repository"},
		{"package", "homepage"},
		{"package", "documentation"},
		{"workspace", "package", "version"},
	}
	// packagers are tables of pyproject.toml that say what is built, not how it is tested.
	packagers = []string{"poetry", "setuptools", "hatch", "flit", "pdm", "uv"}
)

// MergePyprojectWith merges a pyproject.toml in which further keys and the tables of some
// tools judge nothing.
func MergePyprojectWith(free [][]string, tools []string) Merger {
	words := slices.Concat(pyWords, free)
	for _, name := range tools {
		words = append(words, []string{"tool", name})
	}
	return func(base, work []byte) ([]byte, bool, bool) { return mergePython(base, work, words) }
}

func mergePyproject(base, work []byte) ([]byte, bool, bool) { return mergePython(base, work, pyWords) }

func mergePython(base, work []byte, words [][]string) ([]byte, bool, bool) {
	return mergeTOML(base, work, PyDependencies, words, func(t Table) {
		remove(t, pyJudges)
		tools, _ := t["tool"].(Table)
		maps.DeleteFunc(tools, func(k string, _ any) bool { return !slices.Contains(packagers, k) })
	})
}

func mergeCargo(base, work []byte) ([]byte, bool, bool) { return MergeCargoWith(nil)(base, work) }

// MergeCargoWith merges a Cargo.toml in which further keys judge nothing.
func MergeCargoWith(free [][]string) Merger {
	words := slices.Concat(cargoWords, free)
	return func(base, work []byte) ([]byte, bool, bool) {
		return mergeTOML(base, work, CargoDependencies, words, func(t Table) { remove(t, cargoJudges) })
	}
}

// mergeTOML loses comments and order: only tools read the result.
func mergeTOML(base, work []byte, dependencies, words [][]string, strip func(Table)) (merged []byte, same, ok bool) {
	var now, out Table
	if toml.Unmarshal(work, &now) != nil {
		return nil, false, false
	}
	if base == nil {
		_ = toml.Unmarshal(work, &out)
		strip(out)
	} else {
		if toml.Unmarshal(base, &out) != nil {
			return nil, false, false
		}
		had := Table{}
		for _, keys := range dependencies {
			ListDependencies(At(out, keys), had)
		}
		for _, keys := range dependencies {
			copyKeys(out, now, keys, had)
		}
		for _, keys := range words {
			copyKeys(out, now, keys, nil)
		}
	}
	if reflect.DeepEqual(out, now) {
		return nil, true, true
	}
	merged, err := toml.Marshal(out)
	return merged, false, err == nil
}

// At returns the values of a path of keys.
func At(t Table, keys []string) []any {
	if len(keys) == 0 {
		return []any{t}
	}
	var out []any
	for k, v := range t {
		if keys[0] != "*" && keys[0] != k {
			continue
		}
		if sub, isTable := v.(Table); isTable && len(keys) > 1 {
			out = append(out, At(sub, keys[1:])...)
		} else if len(keys) == 1 {
			out = append(out, v)
		}
	}
	return out
}

// ListDependencies adds the dependencies in lists and tables, by name.
func ListDependencies(values []any, had Table) {
	for _, v := range values {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				if s, text := e.(string); text {
					had[RequirementName(s)] = s
				}
			}
		case Table:
			for name, x := range v {
				if list, isList := x.([]any); isList {
					ListDependencies([]any{list}, had)
				} else {
					had[name] = x
				}
			}
		}
	}
}

// copyKeys makes the value of a path in out that of now; had are the dependencies of the
// base, nil where the value has none.
func copyKeys(out, now Table, keys []string, had Table) {
	k := keys[0]
	if k == "*" {
		for _, k := range slices.Concat(slices.Collect(maps.Keys(out)), slices.Collect(maps.Keys(now))) {
			copyKeys(out, now, append([]string{k}, keys[1:]...), had)
		}
		return
	}
	if len(keys) == 1 {
		if v, has := now[k]; has {
			if had != nil {
				v = official(v, had)
			}
			out[k] = v
		} else {
			delete(out, k)
		}
		return
	}
	from, _ := now[k].(Table)
	to, isTable := out[k].(Table)
	if !isTable {
		if out[k] != nil || len(At(from, keys[1:])) == 0 {
			return
		}
		to = Table{}
		out[k] = to
	}
	copyKeys(to, from, keys[1:], had)
}

func remove(t Table, paths [][]string) {
	for _, keys := range paths {
		in := t
		for _, k := range keys[:len(keys)-1] {
			in, _ = in[k].(Table)
		}
		delete(in, keys[len(keys)-1])
	}
}
