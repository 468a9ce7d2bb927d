package judge

import (
	"testing"

	"ralph/internal/loop"
	"ralph/internal/proof"
)

// TestNamedByCommand: what a gate's command runs judges, and what it looks at is the work.
func TestNamedByCommand(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"tax.py": "x", "check.py": "x", "run.py": "x", "lib.sh": "x", "checks/lib.sh": "x", "want.txt": "x", "ruff.cfg": "x", "tax.js": "x",
		"tax.c": "int tax(int c) { return c; }", "check.c": "int main(void) { return 0; }", "run.c": "int main (void) { return 0; }",
	}
	for _, c := range []struct {
		gate, file string
		judges     bool
	}{
		{"python3 run.py", "run.py", true},
		{"python3 -m py_compile tax.py && python3 -m unittest", "tax.py", false},
		{"python3 -m mypy --strict tax.py", "tax.py", false},
		{"ruff check --config ruff.cfg tax.py", "tax.py", false},
		{"ruff check --config ruff.cfg tax.py", "ruff.cfg", true},
		{"ruff check --config=ruff.cfg tax.py", "ruff.cfg", true},
		{"cat want.txt | cmp - out.txt", "want.txt", true},
		{"python3 tax.py want.txt | grep -qx 29", "want.txt", true},
		{"python3 -B tax.py want.txt | grep -qx 29", "tax.py", false},
		{"python3 tax.py <want.txt | grep -qx 29", "tax.py", false},
		{"./lib.sh want.txt | grep -qx 29", "lib.sh", false},
		{"./lib.sh want.txt | grep -qx 29", "want.txt", true},
		{"python3 run.py | grep -q '^All'", "run.py", true},
		{"node --check tax.js && npm test", "tax.js", false},
		{"node tax.js", "tax.js", true},
		{"bash -n lib.sh && bash test.sh", "lib.sh", false},
		{"bash lib.sh -n", "lib.sh", true},
		{"gcc -o t check.c tax.c && ./t", "tax.c", false},
		{"gcc -o t check.c tax.c && ./t", "check.c", true},
		{"gcc -o t run.c tax.c && ./t", "run.c", true},
		{"gcc -o t tax.c && ./t", "tax.c", true},
		{"python3 tax.py 150 | grep -qx 29", "tax.py", false},
		{"python3 tax.py 150 || grep -qx 29 want.txt", "tax.py", true},
		{"python3 run.py | grep -q OK", "run.py", true},
		{"python3 run.py | grep -q '0 failed'", "run.py", true},
		{"python3 check.py | grep -qx 29", "check.py", true},
		{"python3 tax.py 150 | cmp - want.txt", "tax.py", false},
		{"python3 tax.py 150 | cmp - want.txt", "want.txt", true},
		{"python3 tax.py 150 | python3 run.py", "tax.py", true},
		{"python3 tax.py 150 >out.txt && grep -qx 29 out.txt", "tax.py", false},
		{"python3 tax.py 150 > out.txt; cmp out.txt want.txt", "tax.py", false},
		{"python3 run.py > out.txt", "run.py", true},
		{`bash -c "diff want.txt <(python3 tax.py 150)"`, "tax.py", false},
		{`. ./lib.sh && test "$(tax 150)" = 29`, "lib.sh", false},
		{". ./lib.sh && tax_is_right", "lib.sh", true},
		{`. checks/lib.sh && test "$(tax 150)" = 29`, "checks/lib.sh", true},
	} {
		var base []proof.File
		for p := range files {
			base = append(base, proof.File{Path: p, Mode: "100644", ID: p})
		}
		d, err := Case{Gate: loop.Gate{Run: c.gate}, Base: base, Work: base, Content: func(id string) ([]byte, error) { return []byte(files[id]), nil }}.survey()
		if err != nil {
			t.Fatal(err)
		}
		d.reach()
		if d.named[c.file] != c.judges {
			t.Errorf("%s: %s judges: %t, want %t", c.gate, c.file, d.named[c.file], c.judges)
		}
	}
}
