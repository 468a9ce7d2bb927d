package suspect

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

// TestCompared: the files with which the gate's commands compare must not be written while it
// runs, and new code of the product that names one is named.
func TestCompared(t *testing.T) {
	t.Parallel()
	base := prooftest.Tree{
		"check.sh": "python3 cli.py build/out.txt\ncmp build/out.txt expected/out.txt\n. ./.env\nfor f in cases/*.in; do diff \"${f%.in}.want\" build/out.txt; done\n",
		"cli.py":   "import app\n", "expected/out.txt": "1", ".env": "A=1", "cases/a.in": "1", "cases/a.want": "1", "README.md": "x",
	}
	k, s := change("sh check.sh", base, prooftest.Tree{"cli.py": "import app\nopen(dst, 'w')\nshutil.copy('expected/' + name, dst)\nopen('./cases/x')\nprint('expected 1')\n# expected/out.txt\n"})
	duties, err := judge.DutiesOf(k.Gate, k.Base, k.Content)
	if want := []string{"cases/a.in", "cases/a.want", "expected/out.txt"}; !slices.Equal(duties.Compared, want) || err != nil {
		t.Errorf("compared with %q, want %q %v", duties.Compared, want, err)
	}
	found, _, err := Find(k.Base, k.Work, duties, s.Read)
	want := []Finding{{Path: "cli.py", Line: 3, What: namesCompared}, {Path: "cli.py", Line: 4, What: namesCompared}}
	if d := cmp.Diff(want, found); d != "" || err != nil {
		t.Error(err, d)
	}
}
