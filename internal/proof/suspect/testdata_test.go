package suspect

import (
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

// TestNamesTestData: the product reads what its tests expect.
func TestNamesTestData(t *testing.T) {
	t.Parallel()
	base := prooftest.Tree{
		"testdata/receipt.golden": "1\n2\n", "tests/data/want.json": "{}\n", "data/rates.json": "{}\n", "lib/golden/want.json": "{}\n", "shop/fixtures/start.json": "{}\n",
		"tests/test_tax.py": "want = json.load(open('tests/data/want.json'))\n", "shop/load.py": "START = 'tests/data/want.json'\n",
	}
	for name, c := range map[string]struct {
		file, text string
		named      bool
	}{
		"Go":              {"render.go", "package shop\n\nfunc want() []byte {\n\tb, _ := os.ReadFile(\"testdata/receipt.golden\")\n\treturn b\n}\n", true},
		"parts":           {"shop/tax.py", "WANT = json.loads(Path(__file__).parent.joinpath('..', 'tests', 'data', 'want.json').read_text())\n", true},
		"JavaScript":      {"lib/tax.js", "export const want = readFileSync(new URL('./golden/want.json', import.meta.url));\n", true},
		"data of its own": {"shop/tax.py", "RATES = json.load(open('data/rates.json'))\n", false},
		"fixtures":        {"shop/tax.py", "call_command('loaddata', 'shop/fixtures/start.json')\n", false},
		"only its name":   {"shop/tax.py", "NAME = 'want.json'\n", false},
		"a comment":       {"shop/tax.py", "RATE = 19  # as in 'tests/data/want.json'\n", false},
		"as before":       {"shop/load.py", "START = 'tests/data/want.json'\nOTHER = 1\n", false},
		"a test":          {"tests/test_more.py", "want = open('tests/data/want.json')\n", false},
	} {
		k, s := change("make", base, prooftest.Tree{c.file: c.text})
		found, _, err := Find(k.Base, k.Work, judge.Duties{}, s.Read)
		if err != nil {
			t.Fatal(err)
		}
		if named := len(found) > 0 && strings.Contains(found[0].String(), namesTestData); named != c.named {
			t.Errorf("%s: got %v", name, found)
		}
	}
}

// TestNamesDataOfTests: data that lies beside the product, and that only its tests read, tells
// what they expect.
func TestNamesDataOfTests(t *testing.T) {
	t.Parallel()
	base := prooftest.Tree{
		"cases.json": "[[1, 2]]\n", "rates.json": "{}\n", "list.txt": "1 2\n",
		"test_tax.py": "import json\nimport tax\n\n\ndef test_all():\n    for given, want in json.load(open('cases.json')):\n        assert tax.of(given) == want\n",
		"tax.py":      "import json\n\nRATES = json.load(open('rates.json'))\n",
		"check.sh":    "while read -r given want; do\n  [ \"$(python3 tax.py \"$given\")\" = \"$want\" ] || exit 1\ndone < list.txt\n",
	}
	tests, script := loop.Gate{Name: "tests", Kind: loop.KindTests, Run: "python3 -m pytest"}, loop.Gate{Name: "check", Run: "sh check.sh"}
	for name, c := range map[string]struct {
		gate             loop.Gate
		file, text, task string
		named            bool
	}{
		"the cases":           {tests, "tax.py", "KNOWN = dict(json.load(open('cases.json')))\n", "", true},
		"the list":            {script, "tax.py", "KNOWN = open('list.txt').read()\n", "", true},
		"of another gate":     {tests, "tax.py", "KNOWN = open('list.txt').read()\n", "", false},
		"embedded":            {tests, "tax.go", "package tax\n\n//go:embed cases.json\nvar known []byte\n", "", true},
		"in the task":         {tests, "tax.py", "KNOWN = dict(json.load(open('cases.json')))\n", "read cases.json", false},
		"data of the product": {tests, "tax.py", "import json\nMORE = json.load(open('rates.json'))\n", "", false},
		"in a comment":        {tests, "tax.py", "RATE = 19  # see cases.json\n", "", false},
		"in a new test":       {tests, "test_more.py", "CASES = open('cases.json')\n", "", false},
	} {
		k, s := change("", base, prooftest.Tree{c.file: c.text})
		found, err := NamesTestData(k.Base, k.Work, []loop.Gate{c.gate}, c.task, s.Read)
		if err != nil || len(found) > 0 != c.named {
			t.Errorf("%s: got %v, %v", name, found, err)
		}
	}
}
