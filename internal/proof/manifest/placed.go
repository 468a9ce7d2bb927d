package manifest

import (
	"reflect"
	"strings"

	"ralph/internal/lazyregexp"
)

// A dependency can name the place that it comes from: a folder, a repository, an address. Work
// may add one there; it may not move one of the base there, nor take a runner from there.

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
