package judge

import (
	"testing"

	"ralph/internal/proof"
)

func TestDependenciesChanged(t *testing.T) {
	t.Parallel()
	base := []proof.File{{Path: "package.json", ID: "1"}, {Path: "web/package-lock.json", ID: "2"}, {Path: "tax.js", ID: "3"}}
	for name, c := range map[string]struct {
		work []proof.File
		want bool
	}{
		"nothing":              {base, false},
		"a source":             {[]proof.File{base[0], base[1], {Path: "tax.js", ID: "4"}}, false},
		"a manifest":           {[]proof.File{{Path: "package.json", ID: "4"}, base[1], base[2]}, true},
		"a lock file below":    {[]proof.File{base[0], {Path: "web/package-lock.json", ID: "4"}, base[2]}, true},
		"a new list":           {append([]proof.File{{Path: "requirements-dev.txt", ID: "4"}}, base...), true},
		"a list that is gone":  {base[1:], true},
		"a vendored manifest":  {append([]proof.File{{Path: "vendor/x/package.json", ID: "4"}}, base...), false},
		"a vendored lock file": {append([]proof.File{{Path: "vendor/x/go.sum", ID: "4"}}, base...), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := DependenciesChanged(base, c.work); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
