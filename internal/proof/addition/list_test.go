package addition

import (
	"strings"
	"testing"
)

// Bases of lists whose entries stand in one line; each has OLD where they are.
const (
	pyFlat   = "from datetime import date, timedelta\nfrom decimal import Decimal\nimport datetime as dt\n\nimport pytest\n\n\n@pytest.mark.parametrize(\"text\", [OLD])\ndef test_a(text):\n    assert a(text)\n"
	pyBroken = "from decimal import Decimal\n\nimport pytest\n\n\n@pytest.mark.parametrize(\"text\", [\n    OLD\n])\ndef test_a(text):\n    assert a(text)\n"
	pyLoop   = "def test_a():\n    for text in (OLD):\n        assert a(text)\n"
	pyTable  = "CASES = [OLD]\n\n\ndef test_a():\n    for text in CASES:\n        assert a(text)\n"
	pyCall   = "def test_a():\n    assert a([OLD])\n"
	goRange  = "package a\n\nfunc TestA(t *testing.T) {\n\tfor _, in := range []string{OLD} {\n\t\tt.Log(in)\n\t}\n}\n"
	goPairs  = "package a\n\nfunc TestA(t *testing.T) {\n\tfor _, c := range []struct{ from, to State }{OLD} {\n\t\tt.Log(c)\n\t}\n}\n"
	jsEach   = "test.each([OLD])('%s', (text, n) => {\n  a(text, n);\n});\n"
	jsLoop   = "test('a', () => {\n  for (const text of [OLD]) {\n    a(text);\n  }\n});\n"
	rsLoop   = "#[test]\nfn a() {\n    for (text, want) in [OLD] {\n        assert_eq!(a(text), want);\n    }\n}\n"
)

func TestListsThatGrow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, base, old, work string }{
		{"test_a.py", pyFlat, `"nan", "inf"`, `"nan", "inf", "1E5"`},
		{"test_a.py", pyFlat, `"nan", "inf"`, `"x", "nan", "]", "inf", 'a"b'`},
		{"test_a.py", pyFlat, `"nan", "inf"`, `"nan", "n", "inf", "inf"`},
		{"test_a.py", pyFlat, `("a", 1), ("b", 2)`, `("a", 1), ("b", 2), ("c", [3, None])`},
		{"test_a.py", pyFlat, `("a", 1), ("b", 2)`, `("a", 1), ("a", 12), ("b", 2)`},
		{"test_a.py", pyFlat, `("a", TODAY), ("b", a(2))`, `("a", TODAY), ("b", a(2)), ("c", date(2026, 3, 2)), ("d", dt.timedelta(days=1)), ("e", Decimal("2.50"))`},
		{"test_a.py", pyFlat, `pytest.param(1, id="a")`, `pytest.param(1, id="a"), pytest.param(2, id="b")`},
		{"test_a.py", pyFlat, `pytest.param(date(2026, 3, 1))`, `pytest.param(date(2026, 3, 1)), pytest.param(dt.date(2026, 3, 2))`},
		{"test_a.py", pyBroken, "\"a\", \"b\",\n    \"c\"", "\"a\", \"a2\", \"b\",\n    \"c\", \"d\""},
		{"test_a.py", pyBroken, "\"a\",\n    \"b\",", "\"a\",\n    \"1e5\",\n    'x',\n    \"b\","},
		{"test_a.py", pyBroken, "\"a\",\n    \"b\"", "\"a\",\n    \"b\",\n    \"c\""},
		{"test_a.py", pyBroken, "Decimal(\"1\"),", "Decimal(\"1\"),\n    Decimal(\"2.50\"),"},
		{"test_a.py", pyBroken, "1,\n    True,", "1,\n    -2,\n    True,\n    None,"},
		{"test_a.py", pyLoop, `"a", "b"`, `"a", "b", "c"`},
		{"test_a.py", pyTable, `"a", "b"`, `"a", "b", "c"`},
		{"a_test.go", goRange, `"1.2 EUR", "1"`, `"1.2 EUR", "1", "+1 EUR", "{"`},
		{"a_test.go", goRange, `"1.2 EUR", "1"`, "`\\`, \"1.2 EUR\", \"1\""},
		{"a_test.go", goPairs, `{New, Paid}, {Paid, a.Sent}`, `{New, Paid}, {New, a.Lost}, {Paid, a.Sent}`},
		{"a.test.js", jsEach, `'a', 'b'`, `'a', "c]", 'b'`},
		{"a.test.js", jsEach, `['a', 1], ['b', 2]`, `['a', 1], ['b', 2], ['c', 3]`},
		{"a.test.ts", jsLoop, `'a', 'b'`, "'a', 'b', `c`"},
		{"tests/a.rs", rsLoop, `("x", 1), ("y", 2)`, `("x", 1), ("'", 0), ("y", 2)`},
	} {
		base, work := strings.Replace(c.base, "OLD", c.old, 1), strings.Replace(c.base, "OLD", c.work, 1)
		if !Only(c.file, []byte(base), []byte(work)) {
			t.Errorf("%s: %s:\n%s", c.file, c.old, c.work)
		}
	}
}

func TestListsThatChange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, base, old, work string }{
		{"test_a.py", pyFlat, `"nan", "inf"`, `"nan", "1E5"`},
		{"test_a.py", pyFlat, `"nan", "inf"`, `"inf", "nan", "1E5"`},
		{"test_a.py", pyFlat, `"nan", "inf"`, `"nan"`},
		{"test_a.py", pyFlat, `"nan", "inf"`, `"nan", "inf" "1E5"`},
		{"test_a.py", pyFlat, `"nan", "inf"`, `"nan", "inf", "1" "5"`},
		{"test_a.py", pyFlat, `"nan", "inf"`, `"nan", "inf", quit()`},
		{"test_a.py", pyFlat, `"nan", "inf"`, `"nan", "inf", text`},
		{"test_a.py", pyFlat, `"nan", "inf"`, `"nan", "inf", *MORE`},
		{"test_a.py", pyFlat, `"nan", "inf"`, `"nan", "inf", ("a", 1)`},
		{"test_a.py", pyFlat, `"nan", "inf"`, `"nan", "inf", f"{quit()}"`},
		{"test_a.py", pyFlat, `"nan", "inf"`, `"nan", "inf", "x"][:1`},
		{"test_a.py", pyFlat, `"nan", "inf"`, `"nan", "inf", "x"]) # "`},
		{"test_a.py", pyFlat, `"nan", "inf"`, `"nan", "inf", "x"][:1]) # ])`},
		{"test_a.py", pyFlat, `"nan", "inf"`, `"nan", "inf", "x" # `},
		{"test_a.py", pyFlat, `"nan", "inf"`, `"nan", "inf", "x" if a else "y"`},
		{"test_a.py", pyFlat, `"nan", "inf"`, `"nan", "inf", "x" for x in y`},
		{"test_a.py", pyFlat, ``, `"x"`},
		{"test_a.py", pyFlat, `("a", 1), ("b", 2)`, `("a", 1), ("b", 2, 3)`},
		{"test_a.py", pyFlat, `("a", ["x"]), ("b", [])`, `("a", ["x", "y"]), ("b", [])`},
		{"test_a.py", pyFlat, `("a", 1), ("b", 2)`, `("a", 1), ("b", 2), ("c", open("x"))`},
		{"test_a.py", pyFlat, `("a", 1), ("b", 2)`, `("a", 1), ("b", 2), ("c", Path("x"))`},
		{"test_a.py", pyFlat, `("a", 1), ("b", 2)`, `("a", 1), ("b", 2), ("c", date.today())`},
		{"test_a.py", pyFlat, `("a", 1), ("b", 2)`, `("a", 1), ("b", 2), ("c", date(quit()))`},
		{"test_a.py", pyFlat, `("a", 1), ("b", 2)`, `("a", 1), ("b", 2), ("c", date(2026, 1, 1).year)`},
		{"test_a.py", pyFlat, `("a", 1), ("b", 2)`, `("a", 1), ("b", 2), ("c", date)`},
		{"test_a.py", "from mine import date\n" + pyFlat, `("a", 1), ("b", 2)`, `("a", 1), ("b", 2), ("c", date(2026, 1, 1))`},
		{"test_a.py", pyFlat, `pytest.param(1, id="a")`, `pytest.param(1, id="a"), pytest.param(2, marks=pytest.mark.skip)`},
		{"test_a.py", pyFlat, `pytest.param(1, id="a")`, `pytest.param(1, 2, id="a")`},
		{"test_a.py", pyFlat, `pytest.param(1, id="a")`, `pytest.param(1, id="a", marks="x")`},
		{"test_a.py", strings.Replace(pyFlat, "[OLD]", "[OLD][:1]", 1), `"a", "b"`, `"a", "b", "c"`},
		{"test_a.py", strings.Replace(pyFlat, "[OLD]", "[OLD] + MORE", 1), `"a", "b"`, `"a", "b", "c"`},
		{"test_a.py", pyBroken, "\"a\", \"b\"\n    \"c\"", "\"a\", \"b\", \"x\"\n    \"c\""},
		{"test_a.py", pyBroken, "\"a\"\n    \"b\", \"c\"", "\"a\"\n    \"x\", \"b\", \"c\""},
		{"test_a.py", pyBroken, "\"a\"\n    \"b\",", "\"a\"\n    \"x\",\n    \"b\","},
		{"test_a.py", pyBroken, "\"a\",\n    \"b\"", "\"a\",\n    \"b\"\n    \"c\""},
		{"test_a.py", pyBroken, "\"a\",\n    \"b\",", "\"a\",\n    \"x\"\n    \"b\","},
		{"test_a.py", pyBroken, "\"a\",\n    \"b\",", "\"a\",\n    quit(),\n    \"b\","},
		{"test_a.py", pyBroken, "(\"a\", 1),", "(\"a\", 1),\n    \"x\","},
		{"test_a.py", strings.Replace(pyFlat, `"text", [OLD]`, `["text", OLD], CASES`, 1), `"want"`, `"want", "more"`},
		{"test_a.py", strings.Replace(pyFlat, `"text", [OLD]`, "\n    (\"text\", OLD),\n    CASES,\n", 1), `"want"`, `"want", "more"`},
		{"test_a.py", strings.Replace(pyTable, "def test_a():\n    for text in CASES:", "@pytest.mark.parametrize(CASES, [1])\ndef test_a(text):", 1), `"a", "b"`, `"a", "b", "c"`},
		{"test_a.py", pyLoop, `"ab"`, `"ab", "c"`},
		{"test_a.py", pyLoop, `"ab"`, `"ab",`},
		{"test_a.py", strings.Replace(pyTable, "in CASES", "in CASES[:1]", 1), `"a", "b"`, `"c", "a", "b"`},
		{"test_a.py", strings.ReplaceAll(pyTable, "CASES", "SKIPPED"), `"a", "b"`, `"a", "b", "c"`},
		{"test_a.py", pyTable + "\n\nassert len(CASES) == CASES.index(1)\n", `"a", "b"`, `"a", "b", "c"`},
		{"test_a.py", pyCall, `"a", "b"`, `"a", "b", "c"`},
		{"a_test.go", goRange, `"1.2 EUR", "1"`, `"1.2 EUR", "1", in`},
		{"a_test.go", goRange, `"1.2 EUR", "1"`, `"1.2 EUR", "1", Name`},
		{"a_test.go", goRange, `"1.2 EUR", "1"`, `"1.2 EUR", 5: "1"`},
		{"a_test.go", goPairs, `{New, Paid}, {Paid, Sent}`, `{New, Paid}, {Paid, Sent}, {New, lost}`},
		{"a_test.go", goPairs, `{New, Paid}, {Paid, Sent}`, `{New, Paid}, {Paid, Sent}, {New, Lost()}`},
		{"a_test.go", goPairs, `{New, Paid}, {Paid, Sent}`, `{New, Paid}, {Paid, Sent}, {New, State(1)}`},
		{"a_test.go", goPairs, `{1, 2}, {2, 3}`, `{1, 2}, {2, 3}, {New, Paid}`},
		{"a.test.js", jsEach, `'a', 'b'`, "'a', 'b', `${quit()}`"},
		{"a.test.js", jsEach, `'a', 'b'`, `'a', 'b', ...more`},
		{"a.test.js", jsEach, `'a', 'b'`, `'a', 'b', quit()`},
		{"a.test.js", jsEach, `'a', 'b'`, `'a', 'b'].concat(['c']`},
		{"a.test.js", jsEach, `['a', 1], ['b', 2]`, `['a', 1], ['b', 2], ['c', /x/]`},
		{"a.test.js", jsLoop, `'a', 'b'`, `'a', 'b', 'c'.repeat(2)`},
		{"tests/a.rs", rsLoop, `("x", 1), ("y", 2)`, `("x", 1), ("y", 2), ("z", quit())`},
		{"tests/a.rs", rsLoop, `("x", 1), ("y", 2)`, `("x", 1), ("y", 2), ("z", include!("a"))`},
		{"tests/a.rs", rsLoop, `("x", 1), ("y", 2)`, `("x", 1), ("z", 2)`},
	} {
		base, work := strings.Replace(c.base, "OLD", c.old, 1), strings.Replace(c.base, "OLD", c.work, 1)
		if Only(c.file, []byte(base), []byte(work)) {
			t.Errorf("%s: %s:\n%s", c.file, c.old, c.work)
		}
	}
}
