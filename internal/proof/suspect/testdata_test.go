package suspect

import (
	"strings"
	"testing"

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
