package proof

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"ralph/internal/lazyregexp"
)

type table = map[string]any

var (
	// The tables of dependencies, by their keys; * is any.
	pyDependencies = [][]string{
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
	cargoDependencies = [][]string{
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

// mergePyprojectWith merges a pyproject.toml in which further keys and the tables of some
// tools judge nothing.
func mergePyprojectWith(free [][]string, tools []string) merger {
	words := slices.Concat(pyWords, free)
	for _, name := range tools {
		words = append(words, []string{"tool", name})
	}
	return func(base, work []byte) ([]byte, bool, bool) { return mergePython(base, work, words) }
}

func mergePyproject(base, work []byte) ([]byte, bool, bool) { return mergePython(base, work, pyWords) }

func mergePython(base, work []byte, words [][]string) ([]byte, bool, bool) {
	return mergeTOML(base, work, pyDependencies, words, func(t table) {
		remove(t, pyJudges)
		tools, _ := t["tool"].(table)
		maps.DeleteFunc(tools, func(k string, _ any) bool { return !slices.Contains(packagers, k) })
	})
}

func mergeCargo(base, work []byte) ([]byte, bool, bool) { return mergeCargoWith(nil)(base, work) }

// mergeCargoWith merges a Cargo.toml in which further keys judge nothing.
func mergeCargoWith(free [][]string) merger {
	words := slices.Concat(cargoWords, free)
	return func(base, work []byte) ([]byte, bool, bool) {
		return mergeTOML(base, work, cargoDependencies, words, func(t table) { remove(t, cargoJudges) })
	}
}

// mergeTOML loses comments and order: only tools read the result.
func mergeTOML(base, work []byte, dependencies, words [][]string, strip func(table)) (merged []byte, same, ok bool) {
	var now, out table
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
		had := table{}
		for _, keys := range dependencies {
			listDependencies(at(out, keys), had)
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

// at returns the values of a path of keys.
func at(t table, keys []string) []any {
	if len(keys) == 0 {
		return []any{t}
	}
	var out []any
	for k, v := range t {
		if keys[0] != "*" && keys[0] != k {
			continue
		}
		if sub, isTable := v.(table); isTable && len(keys) > 1 {
			out = append(out, at(sub, keys[1:])...)
		} else if len(keys) == 1 {
			out = append(out, v)
		}
	}
	return out
}

// listDependencies adds the dependencies in lists and tables, by name.
func listDependencies(values []any, had table) {
	for _, v := range values {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				if s, text := e.(string); text {
					had[requirementName(s)] = s
				}
			}
		case table:
			for name, x := range v {
				if list, isList := x.([]any); isList {
					listDependencies([]any{list}, had)
				} else {
					had[name] = x
				}
			}
		}
	}
}

// copyKeys makes the value of a path in out that of now; had are the dependencies of the
// base, nil where the value has none.
func copyKeys(out, now table, keys []string, had table) {
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
	from, _ := now[k].(table)
	to, isTable := out[k].(table)
	if !isTable {
		if out[k] != nil || len(at(from, keys[1:])) == 0 {
			return
		}
		to = table{}
		out[k] = to
	}
	copyKeys(to, from, keys[1:], had)
}

// official puts back dependencies that the work takes from another place than the
// base did, and leaves out runners from such a place.
func official(v any, had table) any {
	switch v := v.(type) {
	case []any:
		out := []any{}
		for _, e := range v {
			s, text := e.(string)
			name := requirementName(s)
			old, was := had[name]
			switch {
			case !text || !isLocal(s) || old == e:
				out = append(out, e)
			case was:
				out = append(out, old)
			case !isRunner(name):
				out = append(out, e)
			}
		}
		return out
	case table:
		out := table{}
		for name, x := range v {
			old, was := had[name]
			switch _, isList := x.([]any); {
			case isList:
				out[name] = official(x, had)
			case !isPlaced(x) || was && reflect.DeepEqual(old, x):
				out[name] = x
			case was:
				out[name] = old
			case !isRunner(name):
				out[name] = x
			}
		}
		return out
	}
	return v
}

// isPlaced reports whether a dependency names where it comes from.
func isPlaced(v any) bool {
	t, isTable := v.(table)
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

func remove(t table, paths [][]string) {
	for _, keys := range paths {
		in := t
		for _, k := range keys[:len(keys)-1] {
			in, _ = in[k].(table)
		}
		delete(in, keys[len(keys)-1])
	}
}

var requirement = lazyregexp.New(`^\s*([A-Za-z0-9][\w.-]*)`)

// dashes are what names of Python packages are equal under (PEP 503).
var dashes = lazyregexp.New(`[-_.]+`)

// requirementName is the name of "Foo_bar[x] >= 1".
func requirementName(s string) string {
	m := requirement.FindStringSubmatch(s)
	if m == nil {
		return ""
	}
	return dashes.ReplaceAllString(strings.ToLower(m[1]), "_")
}
