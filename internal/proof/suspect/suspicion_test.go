package suspect

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ralph/internal/lazyregexp"
)

// TestForms: each form matches a line of the examples of its language, and each of these lines has
// a form that matches it.
func TestForms(t *testing.T) {
	t.Parallel()
	all := map[string][]group{"everywhere": everywhere}
	for lang, own := range groups {
		all[lang] = own
	}
	for lang, own := range all {
		data, err := os.ReadFile(filepath.Join("testdata", "forms", lang+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(data)), "\n")
		matched := make([]bool, len(lines))
		for _, g := range own {
			for _, f := range g.forms {
				pattern, found := lazyregexp.New(f.pattern), false
				for i, line := range lines {
					if pattern.MatchString(line) {
						matched[i], found = true, true
					}
				}
				if !found {
					t.Errorf("%s: no example of %s", lang, f.finds)
				}
			}
		}
		for i, line := range lines {
			if !matched[i] {
				t.Errorf("%s: no form matches %s", lang, line)
			}
		}
	}
}
