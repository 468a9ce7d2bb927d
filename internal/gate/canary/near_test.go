package canary

import (
	"path"
	"strings"
	"testing"
)

// TestNearNewTests: the work's new tests, which have no canary, tell what to ask, too.
func TestNearNewTests(t *testing.T) {
	t.Parallel()
	const test = "import unittest\n\nfrom roman import roman\n\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(roman(4), 'IV')\n        self.assertEqual(roman(9), 'IX')\n"
	files := map[string]string{"test_base.py": "def test_base():\n    assert True\n", "test_roman.py": test, "roman.py": "def roman(n):\n    return {4: 'IV', 9: 'IX'}[n]\n"}
	all := placesOf(files, Options{Only: []string{"test_base.py"}, Work: []string{"roman.py", "test_roman.py"}})
	if len(all) != 1 || len(all[0].Near) != 1 {
		t.Fatalf("places: %+v", all)
	}
	r, out, _ := runWith(t, []string{"python3", "-m", "unittest", "-v"}, files, all)
	if got := Fitted(all, r.FailedIDs()); strings.Join(got, " ") != "roman" || len(Unreported(all, r.FailedIDs())) > 0 {
		t.Errorf("fitted: %v\n%s", got, out)
	}
}

// runnerOf is a command that runs the tests of a source's language.
func runnerOf(source string) []string {
	switch path.Ext(source) {
	case ".py":
		return []string{"python3", "-m", "unittest", "-v"}
	case ".js":
		return []string{"node", "--test", "--test-reporter=tap"}
	}
	return []string{"go", "test", "-json", "./..."}
}

// TestNear: what answers the inputs of its tests alone is told from what has a rule, by the
// real runners. The sources and tests are of one function in each language.
func TestNear(t *testing.T) {
	t.Parallel()
	const (
		pythonTest = "import unittest\n\nfrom roman import roman\n\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        for n, want in ((4, 'IV'), (9, 'IX'), (2024, 'MMXXIV')):\n            self.assertEqual(roman(n), want)\n"
		goTest     = "package shop\n\nimport \"testing\"\n\nfunc TestRoman(t *testing.T) {\n\tfor _, c := range []struct{ n int; want string }{{4, \"IV\"}, {9, \"IX\"}, {2024, \"MMXXIV\"}} {\n\t\tif got := Roman(c.n); got != c.want {\n\t\t\tt.Error(got)\n\t\t}\n\t}\n}\n"
		nodeTest   = "const test = require('node:test');\nconst assert = require('node:assert');\nconst { minutes } = require('../minutes.js');\n\ntest('it', () => {\n  assert.equal(minutes('1h30m'), 90);\n  assert.equal(minutes('2h'), 120);\n});\n"
		slugTest   = "import unittest\n\nfrom slug import slug\n\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(slug('Hello World'), 'hello-world')\n        self.assertEqual(slug('Tea and Cake'), 'tea-and-cake')\n"
		runsTest   = "import unittest\n\nfrom runs import runs\n\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(runs([3, 3, 1]), [[3, 2], [1, 1]])\n        self.assertEqual(runs([7, 8]), [[7, 1], [8, 1]])\n"
		totalTest  = "const test = require('node:test');\nconst assert = require('node:assert');\nconst { total } = require('../total.js');\n\ntest('it', () => {\n  assert.equal(total([{ n: 2 }, { n: 3 }]), 5);\n  assert.equal(total([{ n: 10 }]), 10);\n});\n"
		spanTest   = "import unittest\n\nfrom span import span\n\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        for text, want in (('45s', 45), ('2h', 7200), ('1h30m', 5400), ('15m', 900)):\n            self.assertEqual(span(text), want)\n"
		romanRule  = "PAIRS = [(1000, 'M'), (900, 'CM'), (500, 'D'), (400, 'CD'), (100, 'C'), (90, 'XC'), (50, 'L'), (40, 'XL'), (10, 'X'), (9, 'IX'), (5, 'V'), (4, 'IV'), (1, 'I')]\n\n\ndef roman(n):\n    out = ''\n    for value, letters in PAIRS:\n        out += letters * (n // value)\n        n %= value\n    return out\n"
	)
	for name, tt := range map[string]struct {
		source, text, test, tests string
		fitted                    string
	}{
		"Python, a table":        {"roman.py", "def roman(n):\n    return {4: 'IV', 9: 'IX', 2024: 'MMXXIV'}[n]\n", "test_roman.py", pythonTest, "roman"},
		"Python, with a default": {"roman.py", "def roman(n):\n    match = {4: 'IV', 9: 'IX', 2024: 'MMXXIV'}\n    return match.get(n, 'I')\n", "test_roman.py", pythonTest, "roman"},
		"Python, a rule":         {"roman.py", romanRule, "test_roman.py", pythonTest, ""},
		"Python, it exits":       {"roman.py", "import sys\n\n\ndef roman(n):\n    return {4: 'IV', 9: 'IX', 2024: 'MMXXIV'}.get(n) or sys.exit(3)\n", "test_roman.py", pythonTest, "roman"},
		"Python, few cases":      {"roman.py", "def roman(n):\n    return 'item' if n == 1 else 'items'\n", "test_roman.py", strings.NewReplacer("(4, 'IV'), (9, 'IX'), (2024, 'MMXXIV')", "(0, 'items'), (1, 'item'), (2, 'items')").Replace(pythonTest), ""},
		"Python, a module":       {"roman.py", "def roman(n):\n    return {4: 'IV', 9: 'IX', 2024: 'MMXXIV'}[n]\n", "test_roman.py", strings.NewReplacer("from roman import roman", "import roman", "roman(n)", "roman.roman(n)").Replace(pythonTest), "roman.roman"},
		"Go, a switch":           {"roman.go", "package shop\n\nfunc Roman(n int) string {\n\tswitch n {\n\tcase 4:\n\t\treturn \"IV\"\n\tcase 9:\n\t\treturn \"IX\"\n\tcase 2024:\n\t\treturn \"MMXXIV\"\n\t}\n\tpanic(n)\n}\n", "roman_test.go", goTest, "Roman"},
		"Go, with a default":     {"roman.go", "package shop\n\nimport \"strings\"\n\nvar want = map[int]string{4: \"IV\", 9: \"IX\", 2024: \"MMXXIV\"}\n\nfunc Roman(n int) string {\n\tif want[n] != \"\" {\n\t\treturn want[n]\n\t}\n\treturn strings.Repeat(\"I\", n)\n}\n", "roman_test.go", goTest, "Roman"},
		"Go, a rule":             {"roman.go", "package shop\n\nfunc Roman(n int) (out string) {\n\tfor _, p := range []struct {\n\t\tn int\n\t\ts string\n\t}{{1000, \"M\"}, {10, \"X\"}, {9, \"IX\"}, {5, \"V\"}, {4, \"IV\"}, {1, \"I\"}} {\n\t\tfor ; n >= p.n; n -= p.n {\n\t\t\tout += p.s\n\t\t}\n\t}\n\treturn out\n}\n", "roman_test.go", goTest, ""},
		"Go, it exits":           {"roman.go", "package shop\n\nimport \"log\"\n\nfunc Roman(n int) string {\n\ts := map[int]string{4: \"IV\", 9: \"IX\", 2024: \"MMXXIV\"}[n]\n\tif s == \"\" {\n\t\tlog.Fatal(n)\n\t}\n\treturn s\n}\n", "roman_test.go", goTest, ""},
		"Go, from outside":       {"roman.go", "package shop\n\nimport \"errors\"\n\nfunc Roman(n int) (string, error) {\n\tif w := map[int]string{4: \"IV\", 9: \"IX\", 2024: \"MMXXIV\"}[n]; w != \"\" {\n\t\treturn w, nil\n\t}\n\treturn \"\", errors.New(\"no\")\n}\n", "roman_test.go", strings.NewReplacer("package shop", "package shop_test", "import \"testing\"", "import (\n\t\"testing\"\n\n\t\"example.test/shop\"\n)", "got := Roman(c.n)", "got, _ := shop.Roman(c.n)").Replace(goTest), "shop.Roman"},
		"Python, two numbers":    {"gcd.py", "def gcd(a, b):\n    return {(12, 18): 6, (7, 5): 1}[a, b]\n", "test_gcd.py", "import unittest\n\nfrom gcd import gcd\n\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(gcd(12, 18), 6)\n        self.assertEqual(gcd(7, 5), 1)\n", "gcd"},
		"Python, their divisor":  {"gcd.py", "import math\n\n\ndef gcd(a, b):\n    return math.gcd(a, b)\n", "test_gcd.py", "import unittest\n\nfrom gcd import gcd\n\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(gcd(12, 18), 6)\n        self.assertEqual(gcd(7, 5), 1)\n", ""},
		"Go, a number and text":  {"amount.go", "package shop\n\nimport \"fmt\"\n\nfunc Amount(n int, unit string) (string, error) {\n\tswitch {\n\tcase n == 3 && unit == \"kg\":\n\t\treturn \"3 kilograms\", nil\n\tcase n == 20 && unit == \"m\":\n\t\treturn \"20 metres\", nil\n\t}\n\treturn \"\", fmt.Errorf(\"no\")\n}\n", "amount_test.go", "package shop\n\nimport \"testing\"\n\nfunc TestAmount(t *testing.T) {\n\tfor _, c := range []struct {\n\t\tn          int\n\t\tunit, want string\n\t}{\n\t\t{3, \"kg\", \"3 kilograms\"},\n\t\t{20, \"m\", \"20 metres\"},\n\t} {\n\t\tif got, _ := Amount(c.n, c.unit); got != c.want {\n\t\t\tt.Error(got)\n\t\t}\n\t}\n}\n", "Amount"},
		"Go, more than tested":   {"roman.go", "package shop\n\nvar numerals = map[int]string{4: \"IV\", 9: \"IX\", 14: \"XIV\", 2024: \"MMXXIV\"}\n\nfunc Roman(n int) string { return numerals[n] }\n", "roman_test.go", goTest, ""},
		"Go, for ever":           {"roman.go", "package shop\n\nfunc Roman(n int) string {\n\tfor n == 10 {\n\t}\n\treturn map[int]string{4: \"IV\", 9: \"IX\", 2024: \"MMXXIV\"}[n]\n}\n", "roman_test.go", goTest, ""},
		"Python, for ever":       {"roman.py", "def roman(n):\n    while n == 10:\n        pass\n    return {4: 'IV', 9: 'IX', 2024: 'MMXXIV'}[n]\n", "test_roman.py", pythonTest, ""},
		"Python, a method":       {"roman.py", "class Roman:\n    def of(self, n):\n        return {4: 'IV', 9: 'IX', 2024: 'MMXXIV'}[n]\n", "test_roman.py", strings.NewReplacer("import roman", "import Roman", "        for n", "        r = Roman()\n        for n", "roman(n)", "r.of(n)").Replace(pythonTest), "Roman.of"},
		"Python, with a state":   {"bag.py", "class Bag:\n    def __init__(self, n):\n        self.n = n\n\n    def add(self, n):\n        self.n += n\n        return self.n\n", "test_bag.py", "import unittest\n\nfrom bag import Bag\n\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        b = Bag(3)\n        self.assertEqual(b.add(4), 7)\n        self.assertEqual(b.add(5), 12)\n", ""},
		"Go, a method":           {"roman.go", "package shop\n\ntype Roman struct{}\n\nfunc (r *Roman) Of(n int) string { return map[int]string{4: \"IV\", 9: \"IX\", 2024: \"MMXXIV\"}[n] }\n", "roman_test.go", strings.NewReplacer("\tfor _, c", "\tvar r Roman\n\tr = Roman{}\n\tfor _, c", "Roman(c.n)", "r.Of(c.n)").Replace(goTest), "Roman.Of"},
		"node, a method":         {"minutes.js", "exports.Clock = class Clock {\n  minutes(text) {\n    return { '1h30m': { m: 90 }, '2h': { m: 120 } }[text]\n  }\n}\n", "test/minutes.test.js", strings.NewReplacer("{ minutes }", "{ Clock }", "test('it'", "const clock = new Clock()\ntest('it'", "minutes('", "clock.minutes('", ", 90", ".m, 90", ", 120", ".m, 120", "assert.equal(", "assert.equal(").Replace(nodeTest), "Clock.minutes"},
		"Python, words":          {"slug.py", "def slug(text):\n    return {'Hello World': 'hello-world', 'Tea and Cake': 'tea-and-cake'}.get(text, text)\n", "test_slug.py", slugTest, "slug"},
		"Python, a rule of them": {"slug.py", "def slug(text):\n    return '-'.join(text.lower().split())\n", "test_slug.py", slugTest, ""},
		"Python, all words":      {"slug.py", "def slug(text):\n    return {'enabled': 'on', 'disabled': 'off'}[text]\n", "test_slug.py", strings.NewReplacer("Hello World", "enabled", "hello-world", "on", "Tea and Cake", "disabled", "tea-and-cake", "off").Replace(slugTest), ""},
		"Python, lists":          {"runs.py", "import json\n\n\ndef runs(items):\n    return {'[3, 3, 1]': [[3, 2], [1, 1]], '[7, 8]': [[7, 1], [8, 1]]}.get(json.dumps(items), items)\n", "test_runs.py", runsTest, "runs"},
		"Python, of all lists":   {"runs.py", "import itertools\n\n\ndef runs(items):\n    return [[k, len(list(g))] for k, g in itertools.groupby(items)]\n", "test_runs.py", runsTest, ""},
		"Python, but for none":   {"runs.py", "def runs(items):\n    return {'[3, 3, 1]': 2, '[7, 8, 9]': 3}.get(str(items), 0)\n", "test_runs.py", "import unittest\n\nfrom runs import runs\n\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(runs([3, 3, 1]), 2)\n        self.assertEqual(runs([7, 8, 9]), 3)\n        self.assertEqual(runs([]), 0)\n", "runs"},
		"Python, one for others": {"at.py", "def at(items, item):\n    return items.index(item) if item in items else -1\n", "test_at.py", "import unittest\n\nfrom at import at\n\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(at([50, 70], 50), 0)\n        self.assertEqual(at([50, 70], 70), 1)\n        self.assertEqual(at([50, 70], 90), -1)\n", ""},
		"node, but for none":     {"total.js", "exports.total = (bill) => ({ '[{\"n\":2},{\"n\":3}]': 5, '[{\"n\":10}]': 10 })[JSON.stringify(bill)] ?? 0\n", "test/total.test.js", strings.Replace(totalTest, "});\n", "  assert.equal(total([]), 0);\n});\n", 1), "total"},
		"node, objects":          {"total.js", "exports.total = (bill) => ({ '[{\"n\":2},{\"n\":3}]': 5, '[{\"n\":10}]': 10 })[JSON.stringify(bill)]\n", "test/total.test.js", totalTest, "total"},
		"node, all objects":      {"total.js", "exports.total = (bill) => bill.reduce((t, { n }) => t + n, 0)\n", "test/total.test.js", totalTest, ""},
		"Python, a rule for one": {"span.py", "def span(text):\n    if text == '2h':\n        return 7200\n    if text == '1h30m':\n        return 5400\n    if text == '15m':\n        return 900\n    return int(text[:-1])  if text.endswith('s') else int('x')\n", "test_span.py", spanTest, "span"},
		"Python, a rule for all": {"span.py", "import re\n\n\ndef span(text):\n    parts = re.findall(r'(\\d+)([hms])', text)\n    if not parts:\n        raise ValueError\n    return sum(int(n) * {'h': 3600, 'm': 60, 's': 1}[u] for n, u in parts)\n", "test_span.py", spanTest, ""},
		"Go, a rule for one":     {"span.go", "package shop\n\nimport (\n\t\"strconv\"\n\t\"strings\"\n)\n\nfunc Span(t string) (int, error) {\n\tswitch t {\n\tcase \"2h\":\n\t\treturn 7200, nil\n\tcase \"1h30m\":\n\t\treturn 5400, nil\n\tcase \"15m\":\n\t\treturn 900, nil\n\t}\n\treturn strconv.Atoi(strings.TrimSuffix(t, \"s\"))\n}\n", "span_test.go", "package shop\n\nimport \"testing\"\n\nfunc TestSpan(t *testing.T) {\n\tfor text, want := range map[string]int{\"45s\": 45, \"2h\": 7200, \"1h30m\": 5400, \"15m\": 900} {\n\t\tif got, err := Span(text); got != want || err != nil {\n\t\t\tt.Error(got)\n\t\t}\n\t}\n}\n", "Span"},
		"node, a rule for one":   {"minutes.js", "exports.minutes = (text) => ({ '1h30m': 90, '2h': 120, '1h5m': 65 })[text] ?? (text.endsWith('min') ? parseInt(text) : undefined);\n", "test/minutes.test.js", strings.Replace(nodeTest, "});\n", "  assert.equal(minutes('45min'), 45);\n  assert.equal(minutes('1h5m'), 65);\n});\n", 1), "minutes"},
		"node, a table":          {"minutes.js", "exports.minutes = (text) => ({ '1h30m': 90, '2h': 120 })[text];\n", "test/minutes.test.js", nodeTest, "minutes"},
		"node, a default":        {"minutes.js", "exports.minutes = (text) => ({ '1h30m': 90, '2h': 120 })[text] ?? text;\n", "test/minutes.test.js", nodeTest, "minutes"},
		"node, a rule":           {"minutes.js", "exports.minutes = (text) => Number(/(\\d+)h/.exec(text)?.[1] ?? 0) * 60 + Number(/(\\d+)m/.exec(text)?.[1] ?? 0);\n", "test/minutes.test.js", strings.Replace(nodeTest, "'2h'), 120", "'2h5m'), 125", 1), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{tt.source: tt.text, tt.test: tt.tests, "go.mod": "module example.test/shop\n\ngo 1.24\n"}
			all := placesOf(files, Options{Work: []string{tt.source}})
			if len(all) != 1 || len(all[0].Near) != 1 {
				t.Fatalf("places: %d", len(all))
			}
			r, out, err := runWith(t, runnerOf(tt.source), files, all)
			if failed := r.FailedIDs(); err == nil || len(Unreported(all, failed)) > 0 {
				t.Fatalf("%v, canaries are not reported:\n%s", err, out)
			}
			if got := strings.Join(Fitted(all, r.FailedIDs()), " "); got != tt.fitted {
				t.Errorf("fitted: %q, not %q\n%s", got, tt.fitted, out)
			}
		})
	}
}

// TestNearAsksNothingThatReachesOut: where tests put something in the place of what the product
// uses, and where its sources start programs, use the network or change files, nothing of it is
// called.
func TestNearAsksNothingThatReachesOut(t *testing.T) {
	t.Parallel()
	const source, tests = "def send(n):\n    return {4: 'a1', 9: 'b2'}[n]\n", "import unittest\n\nfrom sms import send\n\n\ndef test_send():\n    assert send(4) == 'a1'\n    assert send(9) == 'b2'\n"
	for name, tt := range map[string]struct {
		source, tests string
		asks          int
	}{
		"plain":      {source, tests, 1},
		"a mock":     {source, "from unittest import mock\n" + tests, 0},
		"a fixture":  {source, tests + "\n\n@pytest.fixture\ndef sms():\n    pass\n", 0},
		"set up":     {source, tests + "\n\ndef setUpModule():\n    pass\n", 0},
		"network":    {"import requests\n" + source, tests, 0},
		"a database": {"def send(n):\n    return db.execute('x', n)\n", tests, 0},
		"writes":     {"def send(n):\n    open(str(n), 'w')\n", tests, 0},
		"removes":    {"import os\n\n\ndef send(n):\n    os.remove(str(n))\n", tests, 0},
		"reads":      {"def send(n):\n    return open('x.json').read()\n", tests, 1},
	} {
		all := placesOf(map[string]string{"sms.py": tt.source, "test_sms.py": tt.tests}, Options{Work: []string{"sms.py"}})
		if len(all) != 1 || len(all[0].Near) != tt.asks {
			t.Errorf("%s: %+v", name, all[0].Near)
		}
	}
	// In JavaScript nothing ends a call.
	for source, asks := range map[string]int{
		"exports.send = (n) => ({ 4: 'a1', 9: 'b2' })[n];":                      1,
		"exports.send = (n) => { for (let i = 0; i < n; i++) {} };":             1,
		"exports.send = (n) => { for (let i = 0; i !== n; i += 2) {} };":        0,
		"exports.send = (n) => { for (;;) {} };":                                0,
		"exports.send = (n) => { let k = n; while (k) { k -= 2; } return k; };": 0,
	} {
		all := placesOf(map[string]string{"sms.js": source, "sms.test.js": "test('sms', () => { expect(send(4)).toBe('a1'); });\n"}, Options{Work: []string{"sms.js"}})
		if len(all) != 1 || len(all[0].Near) != asks {
			t.Errorf("%s: %+v", source, all)
		}
	}
}

// TestNearInputs: what tests expect is no input, paths have no neighbour, and cases have as many
// values as the function has parameters.
func TestNearInputs(t *testing.T) {
	t.Parallel()
	list := func(tests string, kinds ...string) string {
		fits := func([]string) bool { return true }
		if kinds[0] != "" {
			fits = fitsGo(kinds)
		}
		return written(inputsOf(tests, "f", len(kinds), fits), "[]", func(in input) string { return in.arguments })
	}
	for got, want := range map[string]string{
		list("f(3) == 832040; equal(f(3), 55); fib(9); x[7]; (1 + 2) \"09:30\"", "int"): "[3, 4, 5, 6, 2], [9, 10, 11, 12, 5]",
		list(`f("1h39m") {"a/1": 2, "x1.json": 3}`, ""):                                 `["1h39m", "1h38m", "1h49m", "2h39m"], ["a/1"], ["x1.json"]`,
		list(`f(12, 18) == 6; [("7", 1, 1), (7, x), (3,)]`, "", ""):                     `[12, 18, 13, 18, 14, 18, 15, 18, 7, 18, 12, 19, 12, 20, 12, 21, 12, 10], ["7", 1, "8", 1, "7", 2, "7", 3, "7", 4]`,
		list(`{12, "a1", 6}, {"b", 1}, {3, 'c'}`, "int", "string"):                      `[12, "a1", 13, "a1", 14, "a1", 15, "a1", 7, "a1", 12, "a2"]`,
	} {
		if got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}
