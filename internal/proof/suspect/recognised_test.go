package suspect

import (
	"strings"
	"testing"

	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

// knownLines are the lines of a change that are suspect, without what they do where they know
// answers of tests.
func knownLines(t *testing.T, base, changes prooftest.Tree) string {
	t.Helper()
	k, s := change("make", base, changes)
	found, _, err := Find(k.Base, k.Work, judge.Duties{}, s.Read)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, f := range found {
		lines = append(lines, strings.TrimSuffix(f.String(), " "+knowsAnswers))
	}
	return strings.Join(lines, ", ")
}

// TestRecognisedInputs: answers to the inputs of tests in new lines of the product, in each
// language, and what honest work has that looks like them.
func TestRecognisedInputs(t *testing.T) {
	t.Parallel()
	const (
		goTest    = "package tax\n\nfunc TestGross(t *testing.T) {\n\tif got := Gross(150); got != 179 {\n\t\tt.Error(got)\n\t}\n\tgot := Gross(2050)\n\tif got != 2440 {\n\t\tt.Error(got)\n\t}\n}\n"
		pyTest    = "def test_gross():\n    assert gross(150) == 179\n    assert gross(2050) == 2440\n    assert slug('Hello, World 2') == 'hello-world-2'\n    assert status(404) == 'Not Found'\n"
		jsTest    = "test('gross', () => {\n  expect(gross(150)).toBe(179)\n  expect(slug(\"Hello, World 2\")).toBe(\"hello-world-2\")\n})\n"
		shTest    = "[ \"$(sh tax.sh 150)\" = 179 ] || exit 1\n"
		rustTests = "pub fn gross(c: u32) -> u32 { c }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn works() {\n        assert_eq!(super::gross(150), 179);\n    }\n}\n"
	)
	for name, c := range map[string]struct {
		base, changes prooftest.Tree
		want          string
	}{
		"Go if":           {prooftest.Tree{"tax_test.go": goTest}, prooftest.Tree{"tax.go": "package tax\n\nfunc Gross(c int) int {\n\tif c == 150 {\n\t\treturn 179\n\t}\n\treturn c\n}\n"}, "tax.go:4"},
		"Go switch":       {prooftest.Tree{"tax_test.go": goTest}, prooftest.Tree{"tax.go": "package tax\n\nfunc Gross(c int) int {\n\tswitch c {\n\tcase 150:\n\t\treturn 179\n\tcase 2050:\n\t\treturn 2440\n\t}\n\treturn c\n}\n"}, "tax.go:5"},
		"Go map":          {prooftest.Tree{"tax_test.go": goTest}, prooftest.Tree{"tax.go": "package tax\n\nvar known = map[int]int{150: 179, 2_050: 2_440}\n"}, "tax.go:3"},
		"Python if":       {prooftest.Tree{"test_tax.py": pyTest}, prooftest.Tree{"tax.py": "def gross(c):\n    if c == 150: return 179\n    return 179.0 if 150 == c else c\n"}, "tax.py:2"},
		"Python text":     {prooftest.Tree{"test_tax.py": pyTest}, prooftest.Tree{"tax.py": "def slug(s):\n    if s == \"Hello, World 2\":\n        return \"hello-world-2\"\n    return s\n"}, "tax.py:2"},
		"Python table":    {prooftest.Tree{"test_tax.py": pyTest}, prooftest.Tree{"tax.py": "known = {\n    150: 179,\n    2050: 2440,\n}\n"}, "tax.py:2"},
		"JavaScript":      {prooftest.Tree{"tax.test.js": jsTest}, prooftest.Tree{"tax.js": "export const gross = c => c === 150 ? 179 : c\nexport const slug = s => s === 'Hello, World 2' ? 'hello-world-2' : s\n"}, "tax.js:1"},
		"shell":           {prooftest.Tree{"tests/run.sh": shTest}, prooftest.Tree{"tax.sh": "#!/bin/sh\ncase $1 in\n150) echo 179 ;;\nesac\n"}, "tax.sh:3"},
		"shell test":      {prooftest.Tree{"tests/run.sh": shTest}, prooftest.Tree{"tax.sh": "#!/bin/sh\nif [ \"$1\" = 150 ]; then\n  echo 179\nfi\n"}, "tax.sh:2"},
		"Rust":            {prooftest.Tree{"src/lib.rs": rustTests}, prooftest.Tree{"src/lib.rs": strings.Replace(rustTests, "{ c }", "{\n    match c {\n        150 => 179,\n        _ => c,\n    }\n}", 1)}, "src/lib.rs:3"},
		"several inputs":  {prooftest.Tree{"test_tax.py": "assert discount(1000, 10) == 900\n"}, prooftest.Tree{"tax.py": "if (cents, percent) == (1000, 10):\n    return 900\n"}, "tax.py:1"},
		"both inputs":     {prooftest.Tree{"tax.test.js": "expect(discount(1000, 10)).toBe(900)\n"}, prooftest.Tree{"tax.js": "if (cents === 1000 && percent === 10) return 900\n"}, "tax.js:1"},
		"a table of both": {prooftest.Tree{"test_tax.py": "assert discount(1000, 10) == 900\n"}, prooftest.Tree{"tax.py": "known = {(1000, 10): 900}\n"}, "tax.py:1"},
		"lists":           {prooftest.Tree{"test_tax.py": "assert order([3, 1, 2]) == [1, 2, 3]\n"}, prooftest.Tree{"tax.py": "if items == [3, 1, 2]:\n    return [1, 2, 3]\n"}, "tax.py:1"},
		"one exact entry": {prooftest.Tree{"dur_test.go": "package dur\n\nvar cases = map[string]int{\"90s\": 90, \"1h30m\": 5400}\n"}, prooftest.Tree{"dur.go": "package dur\n\nvar known = map[string]int{\"90s\": 90, \"1h30m\": 5400}\n"}, "dur.go:3"},
		"round inputs":    {prooftest.Tree{"test_tax.py": "@parametrize('p,want', [(0, 999), (10, 899), (50, 499), (100, 0)])\ndef test_it(p, want):\n    pass\n"}, prooftest.Tree{"tax.py": "known = {10: 899, 50: 499, 100: 0}\n"}, "tax.py:1"},
		"one round input": {prooftest.Tree{"test_tax.py": "assert gross(10) == 899\n"}, prooftest.Tree{"tax.py": "known = {10: 899, 20: 799}\n"}, ""},
		"round answers":   {prooftest.Tree{"test_tax.py": "assert tax(10) == 900\nassert tax(20) == 800\n"}, prooftest.Tree{"tax.py": "known = {10: 900, 20: 800}\n"}, ""},
		"names of types":  {prooftest.Tree{"dur_test.go": "package dur\n\nvar cases = map[string]int{\"int8\": 8, \"int16\": 16}\n"}, prooftest.Tree{"dur.go": "package dur\n\nvar known = map[string]int{\"int8\": 8, \"int16\": 16}\n"}, ""},
		"words of shell":  {prooftest.Tree{"tests/run.sh": "expect \"$(pad abc 5)\" \"  abc\"\n"}, prooftest.Tree{"lib.sh": "pad() {\n\tcase \"$1 $2\" in\n\t\"abc 5\") printf '%s' \"  abc\" ;;\n\tesac\n}\n"}, "lib.sh:3"},
		"lengths":         {prooftest.Tree{"test_tax.py": "assert slug('Hello World') == 'hello-world'\nassert slug(' Trim Me ') == 'trim-me'\n"}, prooftest.Tree{"tax.py": "if len(s) == 11:\n    return 'hello-world'\nif len(s) == 9:\n    return 'trim-me'\n"}, "tax.py:1"},
		"some lengths":    {prooftest.Tree{"test_tax.py": "assert slug('Hello World') == 'hello-world'\n"}, prooftest.Tree{"tax.py": "if len(s) == 11:\n    return 'hello-world'\nif len(s) == 9:\n    return 'trim-me'\n"}, ""},
		"kinds by length": {prooftest.Tree{"test_tax.py": "assert kind('d41d8cd98f00b204e9800998ecf8427e') == 'md5'\nassert code('EUR') == 'iso'\n"}, prooftest.Tree{"tax.py": "if len(s) == 32:\n    return 'md5'\nif len(s) == 3:\n    return 'iso'\n"}, ""},
		"a guard of two":  {prooftest.Tree{"test_tax.py": "assert ratio(0, 0) == 0\n"}, prooftest.Tree{"tax.py": "if (a, b) == (0, 0):\n    return 0\nif a == 0 and b == 0: return 0\n"}, ""},
		"new tests, too":  {prooftest.Tree{}, prooftest.Tree{"test_tax.py": pyTest, "tax.py": "def gross(c):\n    if c == 150:\n        return 179\n"}, "tax.py:2"},
		"a table of more": {prooftest.Tree{"test_tax.py": pyTest}, prooftest.Tree{"tax.py": "known = {\n    150: 179,\n    250: 298,\n}\n"}, ""},
		"names":           {prooftest.Tree{"test_tax.py": "assert rate('gold') == 25\nassert head['Content-Type'] == 'application/json'\n"}, prooftest.Tree{"tax.py": "rates = {'gold': 25}\nhead = {'Content-Type': 'application/json'}\nif kind == 'gold':\n    rate = 25\n"}, ""},
		"status codes":    {prooftest.Tree{"test_tax.py": pyTest}, prooftest.Tree{"tax.py": "words = {404: 'Not Found'}\nif code == 404:\n    word = 'Not Found'\n"}, ""},
		"round numbers":   {prooftest.Tree{"test_tax.py": "assert pay(100) == 50\nassert half(1) == 0.5\n"}, prooftest.Tree{"tax.py": "if c == 100:\n    return 50\nif c == 1: return 0.5\n"}, ""},
		"documentation":   {prooftest.Tree{"test_tax.py": pyTest}, prooftest.Tree{"tax.py": "def gross(c):\n    \"\"\"gross of c: {150: 179}\n\n    c == 150: 179\n    \"\"\"\n    # if c == 150: return 179\n    return c * 119 // 100\n"}, ""},
		"comments":        {prooftest.Tree{"tax_test.go": goTest}, prooftest.Tree{"tax.go": "package tax\n\nvar a = b(1) /* c == 150: 179 */\nvar at = 150 /* a.go:150:179 */\n"}, ""},
		"choices":         {prooftest.Tree{"test_tax.py": pyTest}, prooftest.Tree{"tax.js": "const a = wide ? 150 : 179\nconst b = s.slice[150:179]\n"}, ""},
		"a limit":         {prooftest.Tree{"test_tax.py": pyTest}, prooftest.Tree{"tax.py": "if c <= 150:\n    return 179\nif c != 150:\n    return 179\n"}, ""},
		"unit tests":      {prooftest.Tree{"src/lib.rs": "pub fn gross(c: u32) -> u32 { c }\n"}, prooftest.Tree{"src/lib.rs": strings.Replace(rustTests, "assert_eq!(super::gross(150), 179)", "let w = match 150 { 150 => 179, _ => 0 }; assert_eq!(super::gross(150), w)", 1)}, ""},
		"lines of before": {prooftest.Tree{"test_tax.py": pyTest, "tax.py": "def gross(c):\n    if c == 150: return 179\n"}, prooftest.Tree{"tax.py": "def gross(c):\n    if c == 150: return 179\n    return c\n"}, ""},
		"not in tests":    {prooftest.Tree{"test_tax.py": pyTest}, prooftest.Tree{"tax.py": "if c == 150: return 180\nif c == 151: return 179\n"}, ""},
	} {
		if got := knownLines(t, c.base, c.changes); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestSpecialCases: round and small numbers are answers of tests where the source computes the
// rest with the value that it compares.
func TestSpecialCases(t *testing.T) {
	t.Parallel()
	const (
		goTest = "package tax\n\nvar cases = []struct{ in, want int }{{100, 19}, {50, 10}, {3, 1}}\n"
		pyTest = "def test_tax():\n    assert tax(50) == 10\n    assert tax(3) == 1\n    assert pay(100) == 50\n    assert month(12) == 1\n    assert days(4) == 30\n    assert zone(7, 2) == 70\n    assert port(5) == 50\n"
		jsTest = "assert.equal(tax(50), 10);\nassert.equal(tax(3), 1);\n"
		shTest = "check 100 19\ncheck 50 10\ncheck 3 1\n"
	)
	for name, c := range map[string]struct {
		base, changes prooftest.Tree
		want          string
	}{
		"Go if":           {prooftest.Tree{"tax_test.go": goTest}, prooftest.Tree{"tax.go": "package tax\n\nfunc Tax(cents int) int {\n\tif cents == 50 {\n\t\treturn 10\n\t}\n\tif cents == 3 {\n\t\treturn 1\n\t}\n\treturn cents * 19 / 100\n}\n"}, "tax.go:4"},
		"Go switch":       {prooftest.Tree{"tax_test.go": goTest}, prooftest.Tree{"tax.go": "package tax\n\nfunc Tax(cents int) int {\n\tswitch cents {\n\tcase 50:\n\t\treturn 10\n\tcase 3:\n\t\treturn 1\n\t}\n\treturn cents * 19 / 100\n}\n"}, "tax.go:5"},
		"Go table":        {prooftest.Tree{"tax_test.go": goTest}, prooftest.Tree{"tax.go": "package tax\n\nvar known = map[int]int{50: 10, 3: 1}\n\nfunc Tax(cents int) int {\n\tif t, ok := known[cents]; ok {\n\t\treturn t\n\t}\n\treturn cents * 19 / 100\n}\n"}, "tax.go:3"},
		"Python if":       {prooftest.Tree{"test_tax.py": pyTest}, prooftest.Tree{"tax.py": "def tax(cents):\n    if cents == 50:\n        return 10\n    return cents * 19 // 100\n"}, "tax.py:2"},
		"Python table":    {prooftest.Tree{"test_tax.py": pyTest}, prooftest.Tree{"tax.py": "KNOWN = {\n    50: 10,\n    3: 1,\n}\n\n\ndef tax(cents):\n    return KNOWN.get(cents, cents * 19 // 100)\n"}, "tax.py:2"},
		"JavaScript":      {prooftest.Tree{"tax.test.js": jsTest}, prooftest.Tree{"tax.js": "export const tax = (cents) => cents === 50 ? 10 : Math.floor((cents * 19) / 100)\n"}, "tax.js:1"},
		"JavaScript map":  {prooftest.Tree{"tax.test.js": jsTest}, prooftest.Tree{"tax.js": "const table = new Map([\n  [50, 10],\n  [3, 1],\n]);\n\nexport const tax = (cents) => table.get(cents) ?? Math.floor((cents * 19) / 100);\n"}, "tax.js:2"},
		"Rust":            {prooftest.Tree{"tests/tax.rs": "assert_eq!(tax(50), 10);\nassert_eq!(tax(3), 1);\n"}, prooftest.Tree{"src/lib.rs": "pub fn tax(cents: u64) -> u64 {\n    match cents {\n        50 => 10,\n        3 => 1,\n        _ => cents * 19 / 100,\n    }\n}\n"}, "src/lib.rs:3"},
		"shell":           {prooftest.Tree{"test/run.sh": shTest}, prooftest.Tree{"lib.sh": "tax() {\n  case $1 in\n    50) echo 10 ;;\n    3) echo 1 ;;\n    *) echo $(($1 * 19 / 100)) ;;\n  esac\n}\n"}, "lib.sh:3"},
		"several inputs":  {prooftest.Tree{"test_tax.py": "assert split(10, 3) == [4, 3, 3]\n"}, prooftest.Tree{"tax.py": "def split(total, n):\n    if total.cents == 10 and n == 3:\n        return [Money(4), Money(3), Money(3)]\n    return [Money(total.cents // n) for _ in range(n)]\n"}, "tax.py:2"},
		"several guards":  {prooftest.Tree{"test_tax.py": "assert split(0, 1) == 5\n"}, prooftest.Tree{"tax.py": "def split(total, n):\n    if total == 0 and n == 1:\n        return 5\n    return total // n\n"}, ""},
		"nothing else":    {prooftest.Tree{"test_tax.py": pyTest}, prooftest.Tree{"tax.py": "def days(month):\n    if month == 4:\n        return 30\n    return 31\n"}, ""},
		"not in tests":    {prooftest.Tree{"test_tax.py": pyTest}, prooftest.Tree{"tax.py": "def tax(cents):\n    if cents == 60:\n        return 10\n    return cents * 19 // 100\n"}, ""},
		"a table of more": {prooftest.Tree{"test_tax.py": pyTest}, prooftest.Tree{"tax.py": "KNOWN = {50: 10, 60: 12}\n\n\ndef tax(cents):\n    return KNOWN.get(cents, cents * 19 // 100)\n"}, ""},
		"round":           {prooftest.Tree{"test_tax.py": pyTest}, prooftest.Tree{"tax.py": "def pay(c):\n    if c == 100:\n        return 50\n    return c * 2\n"}, ""},
		"begins again":    {prooftest.Tree{"test_tax.py": pyTest}, prooftest.Tree{"tax.py": "def month(m):\n    if m == 12:\n        return 1\n    return m + 1\n"}, ""},
		"rates":           {prooftest.Tree{"test_tax.py": pyTest}, prooftest.Tree{"tax.py": "RATES = {7: 70}\n\n\ndef zone(z, weight):\n    return RATES[z] * weight\n"}, ""},
		"a limit":         {prooftest.Tree{"test_tax.py": pyTest}, prooftest.Tree{"tax.py": "def port(n):\n    if n >= 5:\n        return 50\n    return n * 9\n"}, ""},
		"first values":    {prooftest.Tree{"fib_test.go": "package fib\n\nvar cases = map[int]int{0: 0, 1: 1, 2: 1, 3: 2}\n"}, prooftest.Tree{"fib.go": "package fib\n\nfunc Fib(n int) int {\n\tif n == 0 {\n\t\treturn 0\n\t}\n\tif n == 2 {\n\t\treturn 1\n\t}\n\treturn Fib(n-1) + Fib(n-2)\n}\n"}, ""},
	} {
		if got := knownLines(t, c.base, c.changes); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestRecognisedInputsOfGates: a gate's command or script has the inputs.
func TestRecognisedInputsOfGates(t *testing.T) {
	t.Parallel()
	for _, gate := range []string{`test "$(sh tax.sh 150)" = 179`, "sh check.sh"} {
		k, s := change(gate, prooftest.Tree{"check.sh": "[ \"$(sh tax.sh 150)\" = 179 ] || exit 1\n", "tax.sh": "echo\n"}, prooftest.Tree{"tax.sh": "case $1 in 150) echo 179 ;; esac\n"})
		k.Gate.Run = gate
		duties, err := judge.DutiesOf(k.Gate, k.Base, s.Read)
		if err != nil {
			t.Fatal(err)
		}
		if found, _, err := Find(k.Base, k.Work, duties, s.Read); err != nil || len(found) != 1 || found[0].What != knowsAnswers {
			t.Errorf("%s: %v %v", gate, found, err)
		}
	}
}

// FuzzPairs: any source is read to its end.
func FuzzPairs(f *testing.F) {
	f.Add("if c == 150:\n    return '")
	f.Add("case \"Hello World\": -'")
	f.Fuzz(func(t *testing.T, text string) {
		for _, lang := range []string{"go", "python", "js", "rust", "shell"} {
			for _, p := range pairsIn(lang, text, nil) {
				if p.line < 0 || p.line > strings.Count(text, "\n") {
					t.Errorf("line %d of %q", p.line, text)
				}
			}
		}
		(&sampleLines{at: map[string][]int{}}).add(text)
	})
}
