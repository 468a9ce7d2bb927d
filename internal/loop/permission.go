package loop

import (
	"slices"
	"strings"
)

// coversAll reports whether a path glob permits every file: it consists of wildcards
// alone, of which at most one stands for exactly one name.
func coversAll(glob string) bool {
	names := 0
	for part := range strings.SplitSeq(glob, "/") {
		switch strings.Trim(part, "*") {
		case "", ".":
		default:
			return false
		}
		if part == "*" {
			names++
		}
	}
	return names <= 1
}

// PermitsAll are the globs by which the work may change every judge file: of
// --may-change, a task, an upheld dispute, or a scope.
func (s Spec) PermitsAll() (globs []string) {
	for _, g := range slices.Concat(s.MayChange, s.Task.Scope) {
		if coversAll(g) && !slices.Contains(globs, g) {
			globs = append(globs, g)
		}
	}
	return globs
}

// boundless is the concern about such a permission; "" is none.
func (s Spec) boundless() string {
	globs := s.PermitsAll()
	if len(globs) == 0 {
		return ""
	}
	return "the work had permission to change every file that judges it (" + strings.Join(globs, ", ") + ")"
}
