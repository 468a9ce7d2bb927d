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
		"want.awk": `$1 != "hello" { exit 1 }`, "run.sh": "x",
		"reads.py":   "#!/usr/bin/env python3\n\"\"\"All is well?\"\"\"\nimport sys\nif sys.stdin.read() != 'hello\\n':\n    sys.exit('failed')\nprint('ok')\n",
		"reads.js":   "const fs = require('fs')\nif (fs.readFileSync(0, 'utf8').trim() !== '29') { console.error('failed'); process.exit(1) }\n",
		"reads.sh":   "read -r tax\n[ \"$tax\" = 29 ] || { echo failed; exit 1; }\necho ok\n",
		"says.sh":    "grep -q '^ok' || exit 1\n",
		"summary.py": "import sys\nfor line in sys.stdin:\n    if line.startswith('not ok'):\n        sys.exit(1)\n",
		"counts.py":  "import json, sys\nif json.load(sys.stdin)['tests'] < 5 or json.load(sys.stdin).failures:\n    sys.exit(1)\n",
		"tax.c":      "int tax(int c) { return c; }", "check.c": "int main(void) { return 0; }", "run.c": "int main (void) { return 0; }",
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
		{"python3 tax.py 150 | grep -qxf want.txt", "want.txt", true},
		{"python3 tax.py 150 | grep -qx want.txt", "want.txt", false},
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
		{`python3 tax.py 150 | jq -eR '. == "hello"'`, "tax.py", false},
		{"python3 tax.py 150 2>&1 | wc -c | grep -qx 6", "tax.py", false},
		{"python3 tax.py 150 | sha1sum | grep -q f572d396", "tax.py", false},
		{"python3 tax.py 150 | sha1sum -c want.txt", "tax.py", false},
		{`python3 tax.py 150 | awk '$1 != "hello" {exit 1}'`, "tax.py", false},
		{`python3 tax.py 150 | awk '$1 == "hello" {ok=1} END {exit !ok}'`, "tax.py", false},
		{"python3 tax.py 150 | awk '{print $2}' | grep -qx 29", "tax.py", false},
		{"python3 tax.py 150 | awk -f want.awk", "tax.py", false},
		{"python3 tax.py 150 | awk -f want.awk", "want.awk", true},
		{"python3 tax.py 150 | awk -f want.awk | diff - want.txt", "want.awk", true},
		{"python3 tax.py 150 | awk -f want.awk | diff - want.txt", "tax.py", false},
		{"python3 tax.py 150 | sort | python3 run.py | diff - want.txt", "run.py", true},
		{"./tax 150 | python3 run.py | diff - want.txt", "run.py", true},
		{"python3 tax.py 150 >out.txt; awk -f want.awk out.txt | diff - want.txt", "want.awk", true},
		{"python3 tax.py 150 >out.txt; cat out.txt | awk -f want.awk | diff - want.txt", "want.awk", true},
		{"echo 150 | python3 tax.py | grep -qx 29", "tax.py", false},
		{"awk -f want.awk in.csv | diff - want.txt", "want.awk", false},
		{"cat in.csv | awk -f want.awk | diff - want.txt", "want.awk", false},
		{"/bin/cat in.csv | awk -f want.awk | diff - want.txt", "want.awk", false},
		{"python3 tax.py 150 | perl -ne 'exit 1 unless /^hello$/'", "tax.py", false},
		{"python3 tax.py 150 | python3 reads.py", "tax.py", false},
		{"python3 tax.py 150 | python3 reads.py", "reads.py", true},
		{"python3 tax.py 150 | ./reads.py", "tax.py", false},
		{"python3 tax.py 150 > out.txt && python3 reads.py out.txt", "tax.py", false},
		{`python3 tax.py 150 | python3 -c "import sys; sys.exit(sys.stdin.read() != '29\n')"`, "tax.py", false},
		{`python3 tax.py 150 | python3 -c "import json, sys; print(json.load(sys.stdin)['tax'])" | grep -qx 29`, "tax.py", false},
		{"python3 tax.py 150 | node reads.js", "tax.py", false},
		{"python3 tax.py 150 | sh reads.sh", "tax.py", false},
		{"python3 tax.py 150 | sh reads.sh", "reads.sh", true},
		{"python3 tax.py 150 | sort | diff - want.txt", "tax.py", false},
		{"python3 tax.py 150 | sed 's/ *$//' | head -1 | grep -q 29", "tax.py", false},
		{"python3 tax.py 150 | tr a-z A-Z | cmp - want.txt", "tax.py", false},
		{"python3 tax.py 150 | xargs test 29 =", "tax.py", false},
		{`diff want.txt <(python3 tax.py 150 | sort)`, "tax.py", false},
		// what says itself that it is right
		{"./run.sh | tee log | tail -1 | grep -q ok", "run.sh", true},
		{"./run.sh | awk '/PASS/ {found=1} END {exit !found}'", "run.sh", true},
		{"./run.sh | awk '{print}'", "run.sh", true},
		{"./run.sh | awk '$2 > 0 {exit 1}'", "run.sh", true},
		{"./run.sh | perl -ne 'exit 1 if /FAIL/'", "run.sh", true},
		{"./run.sh | jq -e .success", "run.sh", true},
		{"./run.sh | jq .tax", "run.sh", true},
		{"./run.sh | wc -l | grep -qx 0", "run.sh", true},
		{"./run.sh | grep -c FAIL | grep -qx 0", "run.sh", true},
		{"./run.sh | sed -n '/FAIL/p' | cmp - /dev/null", "run.sh", true},
		{"./run.sh 2>&1 | tail -5", "run.sh", true},
		{"./run.sh | python3 summary.py", "run.sh", true},
		{"./run.sh | python3 counts.py", "run.sh", true},
		{"./run.sh | sh says.sh", "run.sh", true},
		{"./run.sh | python3 missing.py", "run.sh", true},
		{"python3 check.py | awk '{print}'", "check.py", true},
		{"python3 check.py | sort | diff - want.txt", "check.py", true},
		{`bash -c "diff want.txt <(python3 tax.py 150)"`, "tax.py", false},
		{`. ./lib.sh && test "$(tax 150)" = 29`, "lib.sh", false},
		{". ./lib.sh && tax_is_right", "lib.sh", true},
		{`. checks/lib.sh && test "$(tax 150)" = 29`, "checks/lib.sh", true},
	} {
		var base []proof.File
		for p := range files {
			base = append(base, proof.File{Path: p, Mode: "100644", ID: p})
		}
		d, err := Case{Gate: loop.Gate{Run: c.gate}, Base: base, Work: base, Content: func(id string) ([]byte, error) { return []byte(files[id]), nil }}.diff()
		if err != nil {
			t.Fatal(err)
		}
		r, err := d.reachDirectly()
		if err != nil {
			t.Fatal(err)
		}
		if r.named[c.file] != c.judges {
			t.Errorf("%s: %s judges: %t, want %t", c.gate, c.file, r.named[c.file], c.judges)
		}
	}
}
