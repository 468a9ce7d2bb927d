package manifest

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"ralph/internal/lazyregexp"
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

// official puts back dependencies that the work takes from another place than the
// base did, and leaves out runners from such a place.
func official(v any, had Table) any {
	switch v := v.(type) {
	case []any:
		out := []any{}
		for _, e := range v {
			s, text := e.(string)
			name := RequirementName(s)
			old, was := had[name]
			switch {
			case !text || !IsLocal(s) || old == e:
				out = append(out, e)
			case was:
				out = append(out, old)
			case !IsRunner(name):
				out = append(out, e)
			}
		}
		return out
	case Table:
		out := Table{}
		for name, x := range v {
			old, was := had[name]
			switch _, isList := x.([]any); {
			case isList:
				out[name] = official(x, had)
			case !isPlaced(x) || was && reflect.DeepEqual(old, x):
				out[name] = x
			case was:
				out[name] = old
			case !IsRunner(name):
				out[name] = x
			}
		}
		return out
	}
	return v
}

// isPlaced reports whether a dependency names where it comes from.
func isPlaced(v any) bool {
	t, isTable := v.(Table)
	if !isTable {
		return false
	}
	for _, k := range []string{"path", "git", "url", "file", "package", "registry", "source"} {
		if _, has := t[k]; has {
			return true
		}
	}
	return false
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

var requirement = lazyregexp.New(`^\s*([A-Za-z0-9][\w.-]*)`)

// dashes are what names of Python packages are equal under (PEP 503).
var dashes = lazyregexp.New(`[-_.]+`)

// RequirementName is the name of "Foo_bar[x] >= 1".
func RequirementName(s string) string {
	m := requirement.FindStringSubmatch(s)
	if m == nil {
		return ""
	}
	return dashes.ReplaceAllString(strings.ToLower(m[1]), "_")
}
