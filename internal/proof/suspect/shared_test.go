package suspect

import (
	"fmt"
	"testing"

	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

// TestSharedNames: functions that read what only the gate's scripts set are named.
func TestSharedNames(t *testing.T) {
	t.Parallel()
	const (
		script = ". ./lib.sh\nwant=250\ngot=$(total 1 2)\n[ \"$got\" = \"$want\" ] || exit 1\n"
	)
	for _, c := range []struct{ file, text, texts, want string }{
		{"lib.sh", "total() { echo \"$want\"; }\n", script, "[lib.sh:1 " + findsTests + "]"},
		{"lib.sh", "total() {\n  echo ${want}\n}\n", script, "[lib.sh:2 " + findsTests + "]"},
		{"lib.sh", "total() { want=$(($1 + $2)); echo $want; }\n", script, "[]"},
		{"lib.sh", "total() { local got want; got=1; echo $got $want $HOME $1; }\n", script, "[]"},
		{"lib.sh", "total() { for got in 1 2; do echo $got; done; read -r want; echo $want; }\n", script, "[]"},
		{"calc.h", "#define total(a, b) sum(a, b, want)\n", "", "[calc.h:1 " + findsTests + "]"},
		{"calc.h", "#define total(a, b) ((a) + (b))\n#define LIMIT want\n#define CLAMP(x) do { if ((x) > MAX) (x) = MAX; } while (0)\n", "", "[]"},
		{"calc.h", "extern int rate;\n#define total(a, b) sum(a, b, rate)\n#define cents(p) ((p)->cents + *(int *)(p))\n", "", "[]"},
	} {
		s := prooftest.Store{}
		found, _, err := Find(nil, s.Add(prooftest.Tree{c.file: c.text}), judge.Duties{Texts: c.texts}, s.Read)
		if got := fmt.Sprint(found); got != c.want || err != nil {
			t.Errorf("%s %v: %s, want %s", c.text, err, got, c.want)
		}
	}
}

// TestNUL: a source with a NUL byte is nothing that grep looks into.
func TestNUL(t *testing.T) {
	t.Parallel()
	s := prooftest.Store{}
	found, _, err := Find(nil, s.Add(prooftest.Tree{"a.py": "print(1)\n# \x00\n"}), judge.Duties{}, s.Read)
	if got := fmt.Sprint(found); got != "[a.py "+looksBinary+"]" || err != nil {
		t.Errorf("%s %v", got, err)
	}
}
