package judge

import (
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/testing/prooftest"
)

// TestComparedByCommand: the files with which the gate's own command compares are known, and a
// script of the gate is one text.
func TestComparedByCommand(t *testing.T) {
	t.Parallel()
	for gate, want := range map[string]string{
		"python3 app.py | diff - want.txt":              "want.txt",
		"python3 app.py | sort | cmp - data/want":       "data/want",
		"python3 app.py >out.txt; cmp out.txt want.txt": "want.txt",
		"python3 app.py | grep -qxf want.txt":           "want.txt",
		`bash -c "diff want.txt <(python3 app.py)"`:     "want.txt",
		"sh check.sh": "want.txt",
		"python3 app.py want.txt | grep -qx hello": "",
		"grep -q hello want.txt":                   "",
		"python3 app.py | diff - app.py":           "",
		"python3 app.py; diff want.txt data/want":  "",
	} {
		s := prooftest.Store{}
		got, err := DutiesOf(loop.Gate{Run: gate}, s.Add(prooftest.Tree{
			"app.py": "print('hi')\n", "want.txt": "hello\n", "data/want": "hello\n", "check.sh": "python3 app.py | diff - want.txt\n",
		}), s.Read)
		if strings.Join(got.Compared, " ") != want || err != nil {
			t.Errorf("%s: compares with %q, want %q: %v", gate, got.Compared, want, err)
		}
		if n := strings.Count(got.Texts, "want.txt"); n > 1 {
			t.Errorf("%s: the texts name the file %d times: %q", gate, n, got.Texts)
		}
	}
}
