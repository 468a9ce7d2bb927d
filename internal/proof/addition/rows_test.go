package addition

import (
	"strings"
	"testing"
)

// A table of each form, with what stands in it before a place for another row, marked by ^
// where it is the front of the table and by $ where it is the end.
const (
	goRows  = "package a\n\nfunc TestA(t *testing.T) {\n\ttests := []struct {\n\t\tname string\n\t\tn, size int\n\t\twant []int\n\t}{\n^\t\t{\"first\", 0, 2, []int{1, 2}},\n\t\t{\"beyond\", 9, 2, nil},\n$\t}\n\tfor _, tc := range tests {\n\t\tt.Log(tc)\n\t}\n}\n"
	goKeyed = "package a\n\nfunc TestA(t *testing.T) {\n\tfor _, tc := range []struct{ in, want string }{\n^\t\t{in: \"a,b\", want: \"a|b\"},\n\t\t{in: \"x\", want: \"x\"},\n$\t} {\n\t\tt.Log(tc)\n\t}\n}\n"
	goLong  = "package a\n\nvar tests = []*T{\n^\t&T{\n\t\tin:   \"a,b\",\n\t\twant: []string{\"a\"},\n\t},\n\t&T{\n\t\tin:   \"x\",\n\t\twant: nil,\n\t},\n$}\n\nfunc TestA(t *testing.T) {\n\tfor i := range tests {\n\t\tt.Log(tests[i])\n\t}\n}\n"
	goMap   = "package a\n\nfunc TestA(t *testing.T) {\n\tfor in, want := range map[string][]string{\n^\t\t\"a,b\": {\"a\", \"b\"},\n\t\t\"x\":   {\"x\"},\n$\t} {\n\t\tt.Log(in, want)\n\t}\n}\n"
	goLimit = "package a\n\nvar limits = map[string]int{\n^\t\"slow\": 10,\n\t\"fast\": 1,\n$}\n\nfunc TestA(t *testing.T) {\n\tfor name := range limits {\n\t\tt.Log(limits[name])\n\t}\n}\n"
	goSkips = "package a\n\nvar skipped = map[string]bool{\n^\t\"TestOld\": true,\n$}\n\nfunc TestMain(m *testing.M) {\n\tfor name := range skipped {\n\t\tmute(name)\n\t}\n}\n"
	pyRows  = "import pytest\n\n\n@pytest.mark.parametrize(\n    (\"text\", \"want\"),\n    [\n^        (\"a,b\", [\"a\", \"b\"]),\n        (\"x\", [\"x\"]),\n$    ],\n)\ndef test_fields(text, want):\n    assert fields(text) == want\n"
	pyNamed = "import pytest\n\nCASES = [\n^    (\"a,b\", [\"a\", \"b\"]),\n$]\n\n\n@pytest.mark.parametrize(\"text, want\", CASES, ids=[c[0] for c in CASES])\ndef test_fields(text, want):\n    assert fields(text) == want\n"
	pySkips = "SKIPPED = [\n^    (\"a\", \"linux\"),\n    (\"b\", \"linux\"),\n$]\n\n\ndef test_a():\n    for name, system in SKIPPED:\n        mute(name, system)\n"
	pyHas   = "SYSTEMS = [\n^    (\"a\", \"linux\"),\n    (\"b\", \"linux\"),\n$]\n\n\ndef test_a():\n    if (\"c\", \"mac\") in SYSTEMS:\n        return\n    assert a()\n"
	pyLast  = "def test_a():\n    assert a()\n\n\nLEFT_OUT = [\n^    (\"a\", \"linux\"),\n$]\n"
	pyDict  = "WANT = {\n^    \"a,b\": [\"a\", \"b\"],\n    1: [\"x\"],\n$}\n\n\ndef test_fields():\n    for text, want in WANT.items():\n        assert fields(text) == want\n"
	pyLimit = "TOLERANCE = {\n^    \"add\": 0.1,\n$}\n\n\ndef test_a():\n    for name in TOLERANCE:\n        assert abs(run(name)) < TOLERANCE[name]\n"
	pyInner = "CASES = [\n    (\n        [\n^            [1, 2],\n            [3, 4],\n$        ],\n        10,\n    ),\n]\n\n\ndef test_a():\n    for rows, want in CASES:\n        assert total(rows) == want\n"
	jsDict  = "const cases = {\n^  'a,b': ['a', 'b'],\n  x: ['x'],\n$};\n\nfor (const [text, want] of Object.entries(cases)) {\n  test(text, () => assert.deepEqual(fields(text), want));\n}\n"
	jsRows  = "test.each([\n^  { text: 'a', want: ['a'] },\n  { text: 'b', want: ['b'] },\n$])('$text', ({ text, want }) => {\n  expect(fields(text)).toEqual(want);\n});\n"
	jsBare  = "for (const [text, want] of [\n^  ['a', 1],\n  ['b', 2]\n$]) {\n  test(text, () => assert.equal(size(text), want));\n}\n"
	goState = "package a\n\nfunc TestA(t *testing.T) {\n\tfor _, c := range []struct {\n\t\tfrom, to State\n\t\tok       bool\n\t}{\n^\t\t{New, Paid, true},\n\t\t{Paid, order.Sent, false},\n$\t} {\n\t\tt.Log(c)\n\t}\n}\n"
	goNames = "package a\n\nfunc TestA(t *testing.T) {\n\tfor _, tc := range []struct {\n\t\tname     string\n\t\tfrom, to State\n\t\terr      error\n\t}{\n^\t\t{name: \"new to paid\", from: New, to: Paid},\n\t\t{name: \"skips\", from: New, to: Sent, err: ErrTransition},\n$\t} {\n\t\tt.Run(tc.name, func(t *testing.T) {})\n\t}\n}\n"
	pyWhen  = "from datetime import date, datetime, timedelta\nfrom decimal import Decimal\nfrom pathlib import Path\n\nimport pytest\n\n\n@pytest.mark.parametrize(\"text, want\", [\n^    pytest.param(\"today\", date(2026, 3, 1), id=\"today\"),\n    (\"now\", NOW),\n    (\"none\", None),\n$])\ndef test_when(text, want):\n    assert when(text) == want\n"
	pyFlats = "import pytest\n\n\n@pytest.mark.parametrize(\"text\", [\n^    \"a\",\n    \"1.2.3\",\n$])\ndef test_no_amount(text):\n    assert not amount(text)\n"
	pyCases = "import pytest\n\nCASES = {\n^    \"iso\": (\"2026-02-03\", 3),\n    \"today\": (\"today\", 1),\n$}\n\n\n@pytest.mark.parametrize(\"text, want\", CASES.values(), ids=CASES.keys())\ndef test_when(text, want):\n    assert when(text) == want\n"
	rsFlats = "#[test]\nfn bad() {\n    for text in [\n^        \"a\",\n        \"b\",\n$    ] {\n        assert!(line(text).is_err());\n    }\n}\n"
	rsRows  = "use m::fields;\n\n#[test]\nfn examples() {\n    let cases: &[(&'static str, &[&str])] = &[\n^        (\"a,b\", &[\"a\", \"b\"]),\n        (\"x\", &[\"x\"]),\n$    ];\n    for (text, want) in cases {\n        assert_eq!(&fields(text), want);\n    }\n}\n"
)

func withRow(table, place, row string) (base, work string) {
	plain := strings.NewReplacer("\n^", "\n", "\n$", "\n")
	return plain.Replace(table), plain.Replace(strings.Replace(table, "\n"+place, "\n"+row+place, 1))
}

// Rows with nothing but literals are added to tables that tests loop over.
func TestRowsAreAdded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, table, row string }{
		{"a_test.go", goRows, "\t\t{\"last is not full\", 2, 2, []int{5}},\n"},
		{"a_test.go", goRows, "\t\t{\"one\", 2, 2, []int{5}},\n\t\t{\"two\", 0, -10, nil},\n"},
		{"a_test.go", goRows, "\t\t{\n\t\t\t\"long\",\n\t\t\t2, 2,\n\t\t\t[]int{\n\t\t\t\t5,\n\t\t\t},\n\t\t},\n"},
		{"a_test.go", goKeyed, "\t\t{in: \"a,,b,\", want: \"a|b\"},\n"},
		{"a_test.go", goKeyed, "\t\t{\"a,,b, {\", `|\"`},\n"},
		{"a_test.go", goLong, "\t&T{\n\t\tin:   \"a,,b,\",\n\t\twant: []string{\"a\", \"b\"},\n\t},\n"},
		{"a_test.go", goMap, "\t\t\"a,,b,\": {\"a\", \"b\"},\n"},
		{"test_a.py", pyRows, "        (\"a,,b,\", [\"a\", \"b\"]),\n"},
		{"test_a.py", pyRows, "        # Nested lists were cut short, once.\n        (\"a,,b,\", [\"a\", \"b\"]),\n"},
		{"a_test.go", goRows, "\t\t// the last page\n\t\t{\"last is not full\", 2, 2, []int{5}},\n"},
		{"test_a.py", pyRows, "        pytest.param(\"\", [], id=\"empty\"),\n"},
		{"test_a.py", pyRows, "        (\n            \"a,,b,\",\n            [\"a\", {\"n\": None}],\n        ),\n"},
		{"test_a.py", pyNamed, "    (\"a # b\", [\"a\"]),\n"},
		{"test_a.py", pyDict, "    'a,,b,': [\"a\", \"b\"],\n    2: [],\n"},
		{"a.test.js", jsDict, "  'a,b,,': ['a', 'b'],\n"},
		{"a.test.js", jsDict, "  y: ['y'],\n"},
		{"a.test.ts", jsRows, "  { text: '', want: [], only: undefined },\n"},
		{"tests/a.rs", rsRows, "        (\"a,,b,\", &[\"a\", \"b\"]),\n        (\"\", &[]),\n"},
		{"tests/a.rs", rsRows, "        (\"'\", vec![Some(1u8), None]),\n"},
		{"a_test.go", goState, "\t\t{Paid, New, true},\n\t\t{Returned, order.Sent, false},\n"},
		{"a_test.go", goNames, "\t\t{name: \"back\", from: Paid, to: New},\n\t\t{name: \"lost\", from: Sent, to: Paid, err: order.ErrLost},\n"},
		{"test_a.py", pyWhen, "    pytest.param(\"tomorrow\", date(2026, 3, 2), id=\"tomorrow\"),\n"},
		{"test_a.py", pyWhen, "    pytest.param(\"tomorrow\", datetime(2026, 3, 2, hour=5)),\n"},
		{"test_a.py", pyWhen, "    (\"a\", [Decimal(\"2.50\"), timedelta(days=-1), Path(\"x\")]),\n"},
		{"test_a.py", pyFlats, "    \"1e5\",\n    '2E3',\n"},
		{"test_a.py", pyCases, "    \"tomorrow\": (\"tomorrow\", 2),\n"},
		{"test_a.py", strings.Replace(pyCases, "CASES.values(), ids=CASES.keys()", "CASES.items()", 1), "    \"b\": (\"b\", 2),\n"},
		{"test_a.py", strings.Replace(pyCases, "CASES.values(), ids=CASES.keys()", "list(CASES.values()), ids=list(CASES)", 1), "    \"b\": (\"b\", 2),\n"},
		{"tests/a.rs", rsFlats, "        \"c\",\n        \"{\",\n"},
	} {
		for _, place := range []string{"^", "$"} {
			base, work := withRow(c.table, place, c.row)
			if !Only(c.file, []byte(base), []byte(work)) {
				t.Errorf("%s at %s: %s", c.file, place, c.row)
			}
		}
	}
	base, work := withRow(pyRows, "$", "        (\"a\", [\"a\"])\n")
	if !Only("test_a.py", []byte(base), []byte(work)) {
		t.Error("the last row needs no comma")
	}
	base, work = withRow(jsBare, "$", "  ['c', 3]\n")
	if work = strings.Replace(work, "2]\n", "2],\n", 1); !Only("a.test.js", []byte(base), []byte(work)) {
		t.Error("the last row gets a comma")
	}
	base, work = withRow(goMap, "$", "\t\t\"a,,b,\": {\"a\", \"b\"},\n")
	work = strings.NewReplacer("\"a,b\": ", "\"a,b\":   ", "\"x\":   ", "\"x\":     ").Replace(work)
	if !Only("a_test.go", []byte(base), []byte(work)) {
		t.Error("the formatter aligns the values of a map")
	}
}

// Other ways to loop over a table, and to use one.
func TestTablesOfCases(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, table string
		want        bool
	}{
		{"test_a.py", "CASES = (\n    (1, 2),\n$)\n\n\n@pytest.mark.parametrize(\n    \"a, b\",\n    CASES,\n)\ndef test_a(a, b):\n    assert f(a) == b\n", true},
		{"test_a.py", "@pytest.mark.parametrize(\n    argnames=\"a, b\",\n    argvalues=[\n    (1, 2),\n$    ],\n)\ndef test_a(a, b):\n    assert f(a) == b\n", true},
		{"test_a.py", "class T(unittest.TestCase):\n    CASES = [\n    (1, 2),\n$    ]\n\n    def test_a(self):\n        for i, (a, b) in enumerate(self.CASES):\n            self.assertEqual(f(a), b)\n", true},
		{"test_a.py", "@pytest.fixture(params=[\n    (1, 2),\n$])\ndef pair(request):\n    return request.param\n", true},
		{"test_a.py", "@parameterized.expand([\n    (1, 2),\n$])\ndef test_a(self, a, b):\n    self.assertEqual(f(a), b)\n", true},
		{"test_a.py", "class T(unittest.TestCase):\n    def test_a(self):\n        # The cases (all of them:\n        cases = [\n    (1, 2),\n$        ]\n        for a, b in cases:\n            self.assertEqual(f(a), b)\n\n    def test_b(self):\n        cases = list(range(3))\n        self.assertTrue(cases[0] == 0)\n", true},
		{"test_a.py", "def test_a():\n    assert total([\n    (1, 2),\n$    ]) == 3\n", false},
		{"test_a.py", "CASES = [\n    (1, 2),\n$]\n\n\n@pytest.mark.parametrize(\"a, b\", CASES[:1])\ndef test_a(a, b):\n    assert f(a) == b\n", false},
		{"test_a.py", "CASES = [\n    (1, 2),\n$]\n\n\ndef test_a():\n    assert [x for x in f() if x not in CASES]\n", false},
		{"test_a.py", "CASES = [\n    (1, 2),\n$]\n\n\ndef test_a():\n    for a, b in CASES:\n        f(a, dict(CASES))\n", false},
		{"test_a.py", "TEXT = \"\"\"\nfor a, b in [\n    (1, 2),\n$]:\n\"\"\"\n", false},
		{"test_a.py", "@pytest.mark.parametrize(\"a, b\", [\n    (1, 2),\n$][-1:])\ndef test_a(a, b):\n    assert f(a) == b\n", false},
		{"test_a.py", "def test_a():\n    for a, b in [\n    (1, 2),\n$    ][:1]:\n        assert f(a) == b\n", false},
		{"test_a.py", "CASES = [\n    (1, 2),\n$][:1]\n\n\ndef test_a():\n    for a, b in CASES:\n        assert f(a) == b\n", false},
		{"test_a.py", "def pairs():\n    return [\n    (1, 2),\n$    ]\n", false},
		{"a_test.go", "package a\n\nvar (\n\tsums = []sum{\n    {1, 2},\n$\t}\n)\n\nfunc TestA(t *testing.T) {\n\tfor _, s := range sums {\n\t\tt.Log(s)\n\t}\n}\n", true},
		{"a_test.go", "package a\n\nfunc TestA(t *testing.T) {\n\tcheck(t, []sum{\n    {1, 2},\n$\t})\n}\n", false},
		{"a_test.go", "package a\n\nfunc TestA(t *testing.T) {}\n\nvar left = []sum{\n    {1, 2},\n$}\n", false},
		{"tests/a.rs", "#[test]\nfn a() {\n    check(Sum {\n    (1, 2),\n$    });\n}\n", false},
		{"tests/a.rs", "#[test]\nfn a() {\n    let sum = Sum {\n    (1, 2),\n$    };\n}\n", false},
		{"a.test.js", "test('a', () => {\n  check([\n    [1, 2],\n$  ]);\n});\n", false},
		{"a.test.js", "const cases = [\n    [1, 2],\n$]\n  .slice(1);\ncases.forEach(([a, b]) => check(a, b));\n", false},
		{"a.test.js", "const limits = {\n    [1]: 2,\n$};\nfor (const name in limits) check(limits.slow);\n", false},
		{"a.test.js", "const cases = [\n    [1, 2],\n$];\nfor (const { in: a, want } of cases) check(a, want);\n", true},
		{"a.test.ts", "const cases: Array<[number, number]> = [\n    [1, 2],\n$] as const;\nfor (const [a, b] of cases) check(a, b);\n", true},
		{"a.test.js", "[\n    [1, 2],\n$].forEach(([a, b]) => {\n  test(`${a}`, () => assert.equal(f(a), b));\n});\n", true},
		{"a.test.js", "const cases = [\n    [1, 2],\n$];\ntest.each(cases)('%d', (a, b) => expect(f(a)).toBe(b));\n", true},
		{"a.test.js", "describe('f', () => {\n  const cases = [\n    [1, 2],\n$  ];\n  cases.forEach(([a, b]) => it(`${a}`, () => assert.equal(f(a), b)));\n});\n", true},
		{"a.test.js", "const cases = [\n    [1, 2],\n$];\ntest('f', () => cases.includes(f()));\n", false},
		{"tests/a.rs", "#[test]\nfn a() {\n    for (a, b) in [\n    (1, 2),\n$    ] {\n        assert_eq!(f(a), b);\n    }\n}\n", true},
		{"tests/a.rs", "const CASES: &[(u8, u8)] = &[\n    (1, 2),\n$];\n\n#[test]\nfn a() {\n    for (a, b) in CASES.iter() {\n        assert_eq!(f(*a), *b);\n    }\n}\n", true},
	} {
		row := "    (3, 4),\n"
		switch {
		case strings.Contains(c.table, "[1, 2]"):
			row = "    [3, 4],\n"
		case strings.Contains(c.table, "{1, 2}"):
			row = "    {3, 4},\n"
		}
		if base, work := withRow(c.table, "$", row); Only(c.file, []byte(base), []byte(work)) != c.want {
			t.Errorf("%s: want %v:\n%s", c.file, c.want, work)
		}
	}
}

// Imports that are more than that, or that put another thing in the place of one of the base.
func TestImportsThatAreNone(t *testing.T) {
	t.Parallel()
	const py = "from split import fields\n\n\ndef test_fields():\n    assert fields('a,b') == ['a', 'b']\n"
	const js = "const test = require('node:test');\nconst { fields } = require('./split');\n\ntest('fields', () => {\n  assert.equal(fields('a').length, 1);\n});\n"
	const rs = "use m::fields;\n\n#[test]\nfn examples() {\n    assert_eq!(fields(\"a\").len(), 1);\n}\n"
	for _, c := range []struct {
		file, base, old, line string
		want                  bool
	}{
		{"test_a.py", py, "\n\ndef", "import json\n", true},
		{"test_a.py", py, "\n\ndef", "from split import join, size as length\n", true},
		{"test_a.py", py, "\n\ndef", "import os; os._exit(0)\n", false},
		{"test_a.py", py, "\n\ndef", "from other import fields\n", false},
		{"test_a.py", py, "\n\ndef", "from other import lines as fields\n", false},
		{"test_a.py", py, "\n\ndef", "import other as fields\n", false},
		{"test_a.py", py, "\n\ndef", "from other import *\n", false},
		{"test_a.py", py, "    assert", "    from other import fields\n", false},
		{"test_a.py", py, "    assert", "    return \"a\"\n", false},
		{"a.test.js", js, "\ntest", "const { join } = require('./split');\n", true},
		{"a.test.js", js, "\ntest", "const { join: glue } = require('./split');\n", true},
		{"a.test.js", js, "\ntest", "const { join = process.exit() } = require('./split');\n", false},
		{"a.test.js", js, "\ntest", "const join = require('./split').join;\n", false},
		{"a.test.js", js, "\ntest", "join = require('./split');\n", false},
		{"a.test.js", js, "\ntest", "import x from 'y'; process.exit()\n", false},
		{"a.test.js", js, "  assert", "  const { fields } = require('./other');\n", false},
		{"a.test.js", js, "  assert", "  const fields = require('./other');\n", false},
		{"a.test.js", js, "  assert", "  import('./other').then((m) => m.quit());\n", false},
		{"tests/a.rs", rs, "\n#[test]", "use m::join;\n", true},
		{"tests/a.rs", rs, "    assert", "    use other::fields;\n", false},
		{"tests/a.rs", rs, "    assert", "    use other::{join, fields};\n", false},
		{"tests/a.rs", rs, "    assert", "    use other::lines as fields;\n", false},
		{"tests/a.rs", rs, "    assert", "    use other::*; return;\n", false},
	} {
		work := strings.Replace(c.base, c.old, c.line+c.old, 1) + "\n"
		if Only(c.file, []byte(c.base), []byte(work)) != c.want {
			t.Errorf("%s: want %v: %s", c.file, c.want, c.line)
		}
	}
}

// What does more than to add a case needs a look.
func TestRowsThatAreNone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, table, row string }{
		{"a_test.go", goRows, "\t\t{\"calls\", quit(), 2, nil},\n"},
		{"a_test.go", goRows, "\t\t{\"a name\", size, 2, nil},\n"},
		{"a_test.go", goRows, "\t\t{\"a sum\", 1 + 1, 2, nil},\n"},
		{"a_test.go", goRows, "\t\t{\"a function\", 1, 2, func() []int { return nil }()},\n"},
		{"a_test.go", goRows, "\t\t{\"another type\", 1, 2, T{1}},\n"},
		{"a_test.go", goRows, "\t}, {\n"},
		{"a_test.go", goRows, "\t\t{\"closes\", 1, 2, nil}}; skip(); _ = []T{\n"},
		{"a_test.go", goRows, "\t\t{\"open\", 1, 2, []int{1},\n"},
		{"a_test.go", goRows, "\t\t{\"a comment\", 1, 2, nil}, // }\n"},
		{"a_test.go", goRows, "\t\t{\"a comment\", 1, /* 2, nil},\n\t\t{\"b\", 1, */ 2, nil},\n"},
		{"a_test.go", goRows, "\t\t{`open, 1, 2, nil},\n"},
		{"a_test.go", goRows, "\t\t5: {\"a key\", 1, 2, nil},\n"},
		{"a_test.go", goRows, "\t\t{\"long\",\n" + strings.Repeat("\t\t\t1,\n", 30) + "\t\t},\n"},
		{"a_test.go", goMap, "\t\t\"x\": {\"y\"},\n"},
		{"a_test.go", goMap, "\t\t`x`: {\"y\"},\n"},
		{"a_test.go", goMap, "\t\t\"\\x78\": {\"y\"},\n"},
		{"a_test.go", goMap, "\t\tname: {\"y\"},\n"},
		{"a_test.go", goLimit, "\t\"mine\": 100,\n"},
		{"a_test.go", goSkips, "\t\"TestA\": true,\n"},
		{"test_a.py", pyRows, "        # noqa\n"},
		{"a_test.go", goRows, "\t\t// Output: 3\n"},
		{"a_test.go", goRows, "\t\t//nolint\n"},
		{"test_a.py", pyRows, "        (\"a\", exit()),\n"},
		{"test_a.py", pyRows, "        (\"a\", want),\n"},
		{"test_a.py", pyRows, "        (\"a\", f\"{exit()}\"),\n"},
		{"test_a.py", pyRows, "        (\"a\", 1) if x else (\"b\", 2),\n"},
		{"test_a.py", pyRows, "        (\"a\", [\"a\"])]) # (\"b\"),\n"},
		{"test_a.py", pyRows, "    ]) def test_x(text, want): return ([\n"},
		{"test_a.py", pyRows, "        pytest.param(\"a\", [], marks=pytest.mark.skip),\n"},
		{"test_a.py", pyRows, "        pytest.param(\"a\", [], marks=\"skip\"),\n"},
		{"test_a.py", pyRows, "        (\"a\", \"\"\"),\n        (\"b\", \"\"\"),\n"},
		{"test_a.py", pyRows, "        (\"a\" \"b\", []),\n"},
		{"test_a.py", pyRows, "        *OTHERS,\n"},
		{"test_a.py", pySkips, "    (\"c\", \"linux\"),\n"},
		{"test_a.py", pyHas, "    (\"c\", \"mac\"),\n"},
		{"test_a.py", pyLast, "    (\"c\", \"mac\"),\n"},
		{"test_a.py", pyLast, "    \"c\",\n"},
		{"test_a.py", pyInner, "            [5, 6],\n"},
		{"test_a.py", strings.Replace(pyInner, "    (\n        [\n", "    ([\n", 1), "            [5, 6],\n"},
		{"test_a.py", strings.Replace(pyInner, "    (\n        [\n", "    (\"name\", [\n", 1), "            [5, 6],\n"},
		{"test_a.py", "@pytest.mark.parametrize(\"rows\", [[\n^    [1, 2],\n$], []])\ndef test_a(rows):\n    total(rows)\n", "    [5, 6],\n"},
		{"test_a.py", "def test_a():\n    for a, b in [\n^        (1, 2),\n$    ]:\n        assert [x for x in all()\n            if x in [\n                (1, 2),\n            ]]\n", "        (1, next),\n"},
		{"a_test.go", "package a\n\nfunc TestA(t *testing.T) {\n\tfor _, rows := range [][][]int{{\n^\t\t{1, 2},\n$\t}} {\n\t\tt.Log(rows)\n\t}\n}\n", "\t\t{3, 4},\n"},
		{"a_test.go", strings.Replace(goRows, "range tests {", "range tests[1:] {", 1), "\t\t{\"a\", 1, 2, nil},\n"},
		{"a_test.go", strings.Replace(goRows, "t.Log(tc)", "t.Log(tc, tests[0])", 1), "\t\t{\"a\", 1, 2, nil},\n"},
		{"a_test.go", goRows, "\t\t{\"a\", 1, 2, nil},\n\t\treturn \"a\"\n"},
		{"test_a.py", pyDict, "    'a,b': [],\n"},
		{"test_a.py", pyDict, "    \"1\": [], 1: [],\n"},
		{"test_a.py", pyDict, "    1.0: [],\n"},
		{"test_a.py", pyDict, "    True: [],\n"},
		{"test_a.py", pyDict, "    0x1: [],\n"},
		{"test_a.py", pyDict, "    **OTHERS,\n"},
		{"test_a.py", pyLimit, "    \"sub\": 100,\n"},
		{"a.test.js", jsDict, "  'x': ['y'],\n"},
		{"a.test.js", jsDict, "  \"a,b\": ['y'],\n"},
		{"a.test.js", jsDict, "  `z`: ['y'],\n"},
		{"a.test.js", jsDict, "  z: [`${exit()}`],\n"},
		{"a.test.js", jsDict, "  z: ['y'].length,\n"},
		{"a.test.js", jsDict, "  ...others,\n"},
		{"a.test.js", jsDict, "  __proto__: ['y'],\n"},
		{"a.test.js", jsRows, "  { text, want: [] },\n"},
		{"a.test.js", jsRows, "  { get text() { exit(); }, want: [] },\n"},
		{"a.test.js", jsBare, "  ['c', 3]\n"},
		{"a_test.go", goRows, "\t\t{Name, 1, 2, nil},\n"},
		{"a_test.go", goState, "\t\t{Paid, state, true},\n"},
		{"a_test.go", goState, "\t\t{Paid, New(), true},\n"},
		{"a_test.go", goState, "\t\t{Paid, order.State(1), true},\n"},
		{"a_test.go", goState, "\t\t{Paid, order.next, true},\n"},
		{"a_test.go", goState, "\t\t{Paid, &New, true},\n"},
		{"a_test.go", goState, "\t\t{Paid, New, !true},\n"},
		{"a_test.go", goState, "\t\t{Paid, All[0], true},\n"},
		{"a_test.go", goState, "\t\t{Paid, New + 1, true},\n"},
		{"a_test.go", goNames, "\t\t{name: Quit(), from: Paid, to: New},\n"},
		{"a_test.go", goNames, "\t\t{name: \"x\", from: paid, to: New},\n"},
		{"a_test.go", strings.Replace(goNames, "\t} {\n", "\t}[:1] {\n", 1), "\t\t{name: \"x\", from: Paid, to: New},\n"},
		{"test_a.py", pyWhen, "    pytest.param(\"x\", date.today(), id=\"x\"),\n"},
		{"test_a.py", pyWhen, "    pytest.param(\"x\", NOW, id=\"x\"),\n"},
		{"test_a.py", pyWhen, "    pytest.param(\"x\", when(\"x\"), id=\"x\"),\n"},
		{"test_a.py", pyWhen, "    pytest.param(\"x\", date(2026, 3, day()), id=\"x\"),\n"},
		{"test_a.py", pyWhen, "    pytest.param(\"x\", Path(\"x\").unlink(), id=\"x\"),\n"},
		{"test_a.py", pyWhen, "    pytest.param(\"x\", Fraction(1, 2), id=\"x\"),\n"},
		{"test_a.py", pyWhen, "    pytest.param(\"x\", date(**NOW), id=\"x\"),\n"},
		{"test_a.py", pyWhen, "    pytest.param(\"x\", None, id=date(2026, 3, 1)),\n"},
		{"test_a.py", strings.Replace(pyWhen, "datetime import", "mine import", 1), "    pytest.param(\"x\", date(2026, 3, 2)),\n"},
		{"test_a.py", strings.Replace(pyWhen, "$])", "$][:1])", 1), "    pytest.param(\"x\", None),\n"},
		{"test_a.py", pyFlats, "    text,\n"},
		{"test_a.py", pyFlats, "    quit(),\n"},
		{"test_a.py", pyFlats, "    \"a\" \"b\",\n"},
		{"test_a.py", pyFlats, "    \"a\" * 3,\n"},
		{"test_a.py", pyFlats, "    *MORE,\n"},
		{"test_a.py", pyFlats, "    \"a\", # ]\n"},
		{"test_a.py", pyFlats, "    (\"a\"),\n"},
		{"test_a.py", strings.Replace(pyFlats, "$])", "$][1:])", 1), "    \"x\",\n"},
		{"test_a.py", strings.Replace(pyFlats, "$])", "$] + MORE)", 1), "    \"x\",\n"},
		{"test_a.py", pyCases, "    \"iso\": (\"x\", 2),\n"},
		{"test_a.py", pyCases, "    'today': (\"x\", 2),\n"},
		{"test_a.py", pyCases, "    \"x\": (\"x\", 2),\n    'x': (\"y\", 2),\n"},
		{"test_a.py", pyCases, "    \"x\": quit(),\n"},
		{"test_a.py", pyCases + "\n\nassert CASES[\"iso\"]\n", "    \"x\": (\"x\", 2),\n"},
		{"test_a.py", pyCases + "\n\nLAST = max(CASES.keys())\n", "    \"x\": (\"x\", 2),\n"},
		{"test_a.py", pyCases + "\n\nassert \"y\" not in CASES.keys()\n", "    \"x\": (\"x\", 2),\n"},
		{"test_a.py", strings.ReplaceAll(pyCases, "CASES", "XFAIL"), "    \"x\": (\"x\", 2),\n"},
		{"tests/a.rs", rsFlats, "        NAME,\n"},
		{"tests/a.rs", rsFlats, "        concat!(\"a\", \"b\"),\n"},
		{"tests/a.rs", rsRows, "        (\"a\", &fields(\"a\")),\n"},
		{"tests/a.rs", rsRows, "        (\"a\", &[include_str!(\"a\")]),\n"},
		{"tests/a.rs", rsRows, "        ('a, &['b]),\n"},
	} {
		for _, place := range []string{"^", "$"} {
			base, work := withRow(c.table, place, c.row)
			if Only(c.file, []byte(base), []byte(work)) {
				t.Errorf("%s at %s: %s", c.file, place, c.row)
			}
		}
	}
}
