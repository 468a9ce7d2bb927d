package proof

import (
	"path"
	"testing"

	"pgregory.net/rapid"
)

// What mayMatch refuses, path.Match refuses too.
func TestMayMatch(t *testing.T) {
	t.Parallel()
	for _, pattern := range append([]string{"a*a", "*", "", "ab", "*[-_]t", `a\*`}, testNames()["js"]...) {
		for _, name := range []string{"", "a", "aa", "aba", "x-t", "a*", "ab", "x.test.ts", "test.js", "x_test.", ".test."} {
			if ok, _ := path.Match(pattern, name); ok && !mayMatch(pattern, name) {
				t.Errorf("%q refuses %q", pattern, name)
			}
		}
	}
	if mayMatch("*_test.go", "a.go") || mayMatch("test_*", "a.py") || mayMatch("a*a", "a") {
		t.Error("it refuses nothing")
	}
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringMatching(`[ab*?\[\]\\.é-]{0,8}`).Draw(t, "pattern")
		name := rapid.StringMatching(`[ab.é-]{0,8}`).Draw(t, "name")
		if ok, err := path.Match(pattern, name); err == nil && ok && !mayMatch(pattern, name) {
			t.Errorf("%q refuses %q", pattern, name)
		}
	})
}
