package gate

import (
	"maps"
	"slices"
	"strings"
)

// environment adds a gate's own variables; the later of two wins.
func environment(base []string, own map[string]string) []string {
	out := slices.DeleteFunc(slices.Clone(base), func(kv string) bool {
		k, _, _ := strings.Cut(kv, "=")
		_, replaced := own[k]
		return replaced
	})
	for _, k := range slices.Sorted(maps.Keys(own)) {
		out = append(out, k+"="+own[k])
	}
	return out
}

// lookup is the value of a variable, the last one that is set.
func lookup(env []string, name string) string {
	for _, kv := range slices.Backward(env) {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
}
