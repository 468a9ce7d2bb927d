package judge

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/testing/prooftest"
)

// TestInlinePrograms: what a program within a command takes judges, as with a program in a
// file. What it tests, and what it only reads, is the work.
func TestInlinePrograms(t *testing.T) {
	t.Parallel()
	const python = "import json, tax; assert all(tax.tax(int(c)) == w for c, w in json.load(open('cases.json')).items())"
	const node = "for (const [c, w] of Object.entries(JSON.parse(require('fs').readFileSync('cases.json')))) require('assert').equal(require('./tax.js').tax(+c), w)"
	run := "def run():\n    from tax import tax\n    assert tax(50) == 10\n"
	base := prooftest.Tree{"tax.py": "import rates\nassert rates.VAT == 19\n\ndef tax(c):\n    return 1\n", "rates.py": "VAT = 19\n", "tax.js": "exports.tax = (c) => c", "cases.json": "{}", "page.json": "{}"}
	for what, c := range map[string]struct {
		gate    string
		files   prooftest.Tree
		changed string
		want    bool
	}{
		"opened in a command":        {`python3 -c "` + python + `"`, nil, "cases.json", true},
		"with other options":         {`/usr/bin/python3.12 -Wd -Bc "` + python + `"`, nil, "cases.json", true},
		"by node":                    {`node -e "` + node + `"`, nil, "cases.json", true},
		"required":                   {`node --print "const c = require('./cases.json'); c.every(require('./tax.js').tax)"`, nil, "cases.json", true},
		"by make":                    {"make test", prooftest.Tree{"Makefile": "test:\n\t@python3 -c \"" + python + "\"\n"}, "cases.json", true},
		"by another goal":            {"make test", prooftest.Tree{"Makefile": "test:\n\ttrue\nother:\n\tpython3 -c \"" + python + "\"\n"}, "cases.json", false},
		"by npm":                     {"npm test", prooftest.Tree{"package.json": `{"scripts": {"test": "node -e \"require('./tax.js'); require('./cases.json')\""}}`}, "cases.json", true},
		"in a script":                {"sh ci.sh", prooftest.Tree{"ci.sh": "# don't\npython3 -c \"" + python + "\"\n"}, "cases.json", true},
		"in lines of a script":       {"sh ci.sh", prooftest.Tree{"ci.sh": "python3 -c \"\nimport json\nimport tax\n" + python + "\n\"\n"}, "cases.json", true},
		"in a here-document":         {"sh ci.sh", prooftest.Tree{"ci.sh": "python3 - <<'X'\n" + python + "\nX\n"}, "cases.json", true},
		"in a pipe":                  {"sh ci.sh", prooftest.Tree{"ci.sh": "cat <<X | python3\n" + python + "\nX\n"}, "cases.json", true},
		"a text of a script":         {"sh ci.sh", prooftest.Tree{"ci.sh": "cat >note <<X\n" + python + "\nX\n"}, "cases.json", false},
		"data is what is checked":    {`python3 -c "import json; json.load(open('page.json'))"`, nil, "page.json", false},
		"so it is by node":           {`node -e "JSON.parse(require('fs').readFileSync('page.json'))"`, nil, "page.json", false},
		"the product reads it":       {`python3 -c "` + python + `"`, prooftest.Tree{"more.py": "open('cases.json')"}, "cases.json", false},
		"run as code":                {`python3 -c "exec(open('checks.txt').read())"`, prooftest.Tree{"checks.txt": run}, "checks.txt", true},
		"run by its path":            {`python3 -c "import runpy; runpy.run_path('checks.py')"`, prooftest.Tree{"checks.py": run}, "checks.py", true},
		"a module that tests":        {`python3 -c "import verified; verified.run()"`, prooftest.Tree{"verified.py": run}, "verified.py", true},
		"a module that node tests":   {`node -e "require('./verified').run()"`, prooftest.Tree{"verified.js": "const a = require('assert'); exports.run = () => a.strictEqual(require('./tax').tax(50), 10)"}, "verified.js", true},
		"a module of data":           {`python3 -c "import want, tax; assert all(tax.tax(c) == w for c, w in want.CASES.items())"`, prooftest.Tree{"want.py": "CASES = {50: 10}\n"}, "want.py", true},
		"a package of data":          {`python3 -c "from want import CASES; import tax; assert CASES[50] == tax.tax(50)"`, prooftest.Tree{"want/__init__.py": "CASES = {50: 10}\n"}, "want/__init__.py", true},
		"the product":                {`python3 -c "import tax; assert tax.tax(50) == 10"`, nil, "tax.py", false},
		"the product that asserts":   {`python3 -c "import tax; tax.tax(50)"`, nil, "tax.py", false},
		"data of the product":        {`python3 -c "import rates, tax; assert rates.VAT == 19"`, nil, "rates.py", false},
		"nothing but a module":       {`python3 -c "import want; print(want.CASES)"`, prooftest.Tree{"want.py": "CASES = {50: 10}\n"}, "want.py", false},
		"the product of node":        {`node -e "require('assert').equal(require('./tax').tax(50), 10)"`, nil, "tax.js", false},
		"an option of another thing": {`grep -c "` + python + `" tax.py`, nil, "cases.json", false},
	} {
		files := maps.Clone(base)
		maps.Copy(files, c.files)
		k, _ := change(c.gate, files, prooftest.Tree{c.changed: "changed"})
		got, err := k.Judges()
		var want []string
		if c.want {
			want = []string{c.changed}
		}
		if d := cmp.Diff(want, got.SetAside); d != "" || err != nil {
			t.Errorf("%s: %v %s", what, err, d)
		}
	}
}

// TestExpectsValues: a comparison of a call with known values tells a test from a product.
func TestExpectsValues(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"assert tax(50) == 10":                       true,
		"return tax(50) != 10 || tax(150) != 29;":    true,
		"if (10 == Tax.tax(50)) {":                   true,
		"assert_eq!(shop::tax(50), 10);":             true,
		"assert_eq!(10, shop::tax(50));":             true,
		"assert.strictEqual(tax(50), 10)":            true,
		"expect(tax(50)).toBe(10)":                   true,
		`if (!Name.of("ada").equals("Ada"))`:         true,
		`slug("Hello World") == "hello-world"`:       true,
		`if os.environ.get("DEBUG") == "1":`:         false,
		"if (strcmp(\"a\", \"b\") == 0)":             false,
		"if tax(cents) == 10:":                       false,
		"total = max(abs(-1), 2)":                    false,
		"if (fclose(f) != 0) return 1;":              false,
		"assert len(cases) == 3":                     false,
		"let x = tax(50); println!(\"{}\", tax(1));": false,
	} {
		if got := expectsValues(text); got != want {
			t.Errorf("%s: %t, want %t", text, got, want)
		}
	}
}
