package comparison

import (
	"strings"
	"testing"
)

// TestOtherwise: lines that decide get another value; all else stays as it is.
func TestOtherwise(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		lang string
		// changed are parts of the lines that change; all others stay.
		changed []string
	}{
		"a test that ends the script":       {"set -eu\n[ \"$(sh tax 100)\" = 20 ]\necho ok", Shell, []string{"= 20"}},
		"a test that does not":              {"[ \"$(sh tax 100)\" = 20 ]\necho ok", Shell, nil},
		"the last line":                     {"echo go\ntest \"$(sh tax 100)\" -eq 20\n", Shell, []string{"-eq 20"}},
		"a failure behind it":               {"[ \"$got\" = \"Hello, Ada!\" ] || { echo no; exit 1; }\necho", Shell, []string{"Ada"}},
		"nothing behind it":                 {"[ \"$got\" = \"Hello\" ] || echo no\necho", Shell, nil},
		"a condition":                       {"if [ \"$mode\" = fast ]; then\n  echo fast\nfi\nsh rest", Shell, nil},
		"a condition that fails":            {"if [ \"$got\" != 20 ]; then\n  echo no >&2\n  exit 1\nfi\necho", Shell, []string{"!= 20"}},
		"a condition with a failing else":   {"if [ $got = 20 ]; then\n  echo ok\nelse\n  exit 1\nfi\necho", Shell, []string{"= 20"}},
		"arguments of the script":           {"[ $# -eq 2 ] || exit 1\n[ \"$1\" = go ] || exit 2\n[ \"$(uname)\" = Linux ] || exit 1\nx", Shell, nil},
		"a function of checks":              {"check \"$(sh bin/greet Ada)\" \"Hello, Ada!\"\ncheck tax $(sh tax 100) 20\ncheck label \"$(sh even 4)\"\nx", Shell, []string{" 20"}},
		"a search":                          {"set -e\nsh tax 100 | grep -qx 'total: 20'\nsh tax 100 | grep -q total && echo yes\n! grep -q 30 out\ngrep -c 20 out", Shell, []string{"total: 20"}},
		"a goal of make":                    {"test:\n\t@test \"$$(sh tax 100)\" = 20\n\techo ok\n", Make, []string{"= 20"}},
		"a program in a command":            {"python3 -c \"from tax import tax; assert tax(100) == 20\"", Shell, []string{"== 20"}},
		"yes, no and nothing":               {"set -e\n[ \"$(sh f)\" = 1 ]\n[ \"$(sh f)\" = \"\" ]\n[ \"$(sh f)\" -eq 0 ]", Shell, nil},
		"an assertion of Python":            {"assert tax(100) == 20, 'tax'\nassert tax(50) != 3\nassert tax(0) == 0\n", "python", []string{"== 20"}},
		"a condition of Python":             {"if tax(100) != 20:\n    sys.exit(1)\nif mode == 'fast':\n    quick()\nif __name__ == '__main__':\n    main()\n", "python", []string{"!= 20"}},
		"a result of Python":                {"sys.exit(0 if tax(100) == 20 else 1)", "python", []string{"== 20"}},
		"arguments of a program":            {"if len(sys.argv) != 22:\n    sys.exit(2)\nif result.returncode != 33:\n    raise SystemExit(1)", "python", nil},
		"a condition that passes":           {"if tax(100) != 20:\n    sys.exit(0)\n", "python", nil},
		"a table of Python":                 {"for net, want in [(100, 20), (50, 9)]:\n    assert tax(net) == want\n", "python", []string{"(100, 20)"}},
		"a table of C":                      {"int main(void) {\n\tint t[][2] = {{10, 2}, {100, 20}};\n\tfor (i = 0; i < 2; i++)\n\t\tif (tax(t[i][0]) != t[i][1])\n\t\t\treturn 1;\n}\n", "c", []string{"100, 20"}},
		"a table in lines":                  {"const cases = [\n  ['Ada', 'Hello, Ada!'],\n  [\"Bob\", \"Hello, Bob!\"],\n];\nfor (const [n, w] of cases) if (greet(n) !== w) process.exit(1);\n", "js", []string{"Ada!", "Bob!"}},
		"a table by keys":                   {"want = {10: 12, 100: 20}\nassert all(tax(n) == t for n, t in want.items())\n", "python", []string{"100: 20"}},
		"choices of an option":              {"p.add_argument('--only', choices=['all', 'good'])\nfor a, want in rows:\n    assert f(a) == want\n", "python", nil},
		"what is only shown":                {"if [ \"$(date)\" = 7 ]; then echo yes; else echo no; fi\ngrep -q false conf.json || exit 1\nx", Shell, []string{"-q false"}},
		"a value that is made of a column":  {"for net, want in [(10, 2), (100, 20)]:\n    if tax(net) != Money(want):\n        raise SystemExit(1)\n", "python", []string{"(10, 2)"}},
		"names that only begin so":          {"checksum(read(f), 32)\ncheckout(repo(), 'main', 'dev')\nassert_equal(tax(100), 20)\n", "python", []string{"20"}},
		"inputs alone":                      {"for a, b in [(1, 2), (3, 4)]:\n    assert add(a, b) == add(b, a)\n", "python", nil},
		"a search for a part":               {"sh tax 100 | grep -q 20 || exit 1\nsh tax 100 | grep -qx 20 || exit 1\nx", Shell, []string{"-q 20", "-qx 20"}},
		"a list of inputs":                  {"for n in [13, 15, 17]:\n    assert odd(n)\n", "python", nil},
		"pairs in a loop of a shell":        {"for p in 10:2 100:20; do\n  [ \"$(sh tax ${p%:*})\" = \"${p#*:}\" ] || exit 1\ndone\necho ok", Shell, []string{"100:20"}},
		"pairs that a pattern compares":     {"for p in 10:12 100:20; do\n  case ${p#*:} in $(sh tax ${p%:*})) ;; *) exit 1 ;; esac\ndone\necho ok", Shell, []string{"100:20"}},
		"pairs that are only shown":         {"for p in 10:12 100:20; do echo ${p#*:}; done\necho ok", Shell, nil},
		"a function that compares":          {"t() { got=$(sh tax $1); [ \"$got\" = \"$2\" ] || exit 1; }\nt 100 20\nt 50 12\necho ok", Shell, []string{"20", "12"}},
		"a function that does not":          {"t() { echo \"$1\"; sh run \"$2\" || exit 1; }\nt 100 20\necho ok", Shell, nil},
		"rows that a loop reads":            {"while read n w; do\n  [ \"$(sh tax $n)\" = $w ] || exit 1\ndone <<EOF\n100 20\n50 12\nEOF\necho ok", Shell, []string{"20", "12"}},
		"one of several values":             {"set -e\n[ \"$(sh word)\" = colour ] || [ \"$(sh word)\" = color ] || exit 1\nx", Shell, nil},
		"one of several values of Python":   {"assert word() == 'colour' or word() == 'color'\nif tax() != 20 and tax() != 21:\n    raise SystemExit(1)\n", "python", nil},
		"waiting":                           {"while [ \"$(cat f)\" != ready ]; do\n  [ $n -lt 15 ] || exit 1\ndone\necho", Shell, nil},
		"a here-document":                   {"set -e\n: <<'OLD'\n[ \"$(sh app older)\" = older ] || exit 1\nOLD\npython3 - <<EOF\nassert tax(100) == 20\nEOF\n", Shell, []string{"== 20"}},
		"words of a function that compares": {"assert_eq() { [ \"$1\" = \"$2\" ] || { echo \"$3\"; exit 1; }; }\nassert_eq \"$(bin/slug Hi)\" hello-world upper\nassert_eq \"$status\" 0\necho", Shell, []string{"hello-world"}},
		"what a function expects first":     {"t() { want=$2; shift 2; [ \"$(\"$@\")\" = \"$want\" ] || exit 1; }\nt add 7 sh calc.sh 3 + 4\necho", Shell, []string{"7"}},
		"a version":                         {"test \"$(sh version.sh)\" = 1.0.0", Shell, []string{"1.0.0"}},
		"a branch in the line":              {"if (slow) assert.equal(primes(100), 25);\nslow && assert.equal(primes(100), 25);\n", "js", nil},
		"a block in the line":               {"[ -n \"$FULL\" ] && { [ \"$(sh tax 100)\" = 20 ] || exit 1; }\ncase $h in *old*) [ \"$(sh old)\" = old ] || exit 1 ;; esac\nx", Shell, nil},
		"a pattern":                         {"sh core | grep -q '^core [0-9]' || exit 1\nsh core | grep -q '^core 4' || exit 1\nx", Shell, []string{"core 4"}},
		"a table that nothing compares":     {"rows = [(100, 20), (50, 9)]\nshow(rows)\n", "python", nil},
		"what starts a program":             {"want = 5\nout = subprocess.run(['python3', 'tax'])\nassert out == want", "python", nil},
		"calls of JavaScript":               {"assert.strictEqual(tax(100), 20, 'tax');\nexpect(tax(50)).toBe(10);\nconst fs = require('node:fs');\nif (tax(30) !== 6) process.exit(1);\n", "js", []string{"20", "10", "!== 6"}},
		"a check of a value and its label":  {"check('tax of 50', tax(50) === 10);\ncheck(greet('Ada'), 'Hello', 'greets');\nassert(even(4), '4 is even');\nassert.strictEqual(prime(7), true, '7 is prime');\ncheck('even', even(4));\n", "js", []string{"=== 10", "'Hello'"}},
		"C":                                 {"int main(void) {\n\tassert(tax(100) == 20);\n\tif (tax(50) != 10) {\n\t\treturn 1;\n\t}\n\treturn tax(30) == 6 ? 0 : 1;\n}\n", "c", []string{"== 20", "!= 10", "== 6"}},
		"Go":                                {"func main() {\n\tif got := tax(100); got != 20 {\n\t\tos.Exit(1)\n\t}\n\tif x == 40 {\n\t\tskip()\n\t}\n}\n", "go", []string{"!= 20"}},
		"Rust":                              {"fn main() {\n    assert_eq!(tax(100), 20);\n}\n", "rust", []string{"20"}},
	} {
		all := Of(c.lang, c.text)
		var at []int
		for _, of := range all {
			at = append(at, of.Line)
		}
		changed := Otherwise(c.text, all)
		old, now := strings.Split(c.text, "\n"), strings.Split(changed, "\n")
		var differ []string
		for n := range old {
			if old[n] != now[n] {
				differ = append(differ, old[n])
			}
		}
		if len(differ) != len(c.changed) || len(at) != len(differ) {
			t.Errorf("%s: changed %q at %v, want those with %q\n%s", name, differ, at, c.changed, changed)
			continue
		}
		for n, part := range c.changed {
			if !strings.Contains(differ[n], part) || strings.Contains(now[at[n]-1], part) {
				t.Errorf("%s: %q became %q; want another value in the place of %q", name, differ[n], now[at[n]-1], part)
			}
		}
	}
}

// TestSubjects: each line tells what it asks, and only those that are given change.
func TestSubjects(t *testing.T) {
	text := "assert len(slug('Hello')) == 15\nassert words('a b') == 12\nassert total == 13\n"
	all := Of("python", text)
	if len(all) != 3 || all[0].Subject != "slug" || all[1].Subject != "words" || all[2].Subject != "" {
		t.Fatalf("found %+v, want slug, words and one without a name", all)
	}
	if changed := Otherwise(text, all[1:2]); !strings.Contains(changed, "== 15\n") || strings.Contains(changed, "== 12\n") || !strings.Contains(changed, "== 13\n") {
		t.Errorf("changed to\n%s\nwant another value for words alone", changed)
	}
	for line, want := range map[string]string{`[ "$(sh bin/greet Ada)" = x ]`: "bin/greet", `[ "$(timeout 5 python3 -m app tax)" = x ]`: "app", `[ "$got" = x ]`: ""} {
		if got := subject(line); got != want {
			t.Errorf("subject of %q is %q, want %q", line, got, want)
		}
	}
}

// TestFailing: the text fails before each comparison, where a statement can stand there. Only a
// line that no branch and no early end can leave out is certain.
func TestFailing(t *testing.T) {
	for _, c := range []struct {
		lang, text, fails string
		certain           bool
	}{
		{"python", "from tax import tax\n\nassert tax(100) == 20\n", "from tax import tax\n\nraise AssertionError(\"ralph\")\nassert tax(100) == 20\n", true},
		{"python", "if tax(100) != 20:\n    raise SystemExit(1)\n", "raise AssertionError(\"ralph\")\nif tax(100) != 20:\n    raise SystemExit(1)\n", true},
		{"js", "if (tax(100) !== 20) process.exit(1);\n", "throw new Error(\"ralph\");\nif (tax(100) !== 20) process.exit(1);\n", true},
		{"js", "if (full) assert.equal(tax(100), 20);\nassert.equal(tax(50), 10);\n", "if (full) assert.equal(tax(100), 20);\nthrow new Error(\"ralph\");\nassert.equal(tax(50), 10);\n", true},
		{Shell, "if [ \"$(sh tax 100)\" != 20 ]; then exit 1; fi\n", "exit 1\nif [ \"$(sh tax 100)\" != 20 ]; then exit 1; fi\n", true},
		{"python", "if full:\n    assert tax(100) == 20\n", "if full:\n    raise AssertionError(\"ralph\")\n    assert tax(100) == 20\n", false},
		{"python", "check(1,\n  eq(tax(100), 20))\n", "check(1,\n  eq(tax(100), 20))\n", false},
		{"python", "import sys\nif not full: sys.exit()\nassert tax(100) == 20\n", "import sys\nif not full: sys.exit()\nraise AssertionError(\"ralph\")\nassert tax(100) == 20\n", false},
		{Shell, "set -e\n[ \"$(sh tax 100)\" = 20 ]\n", "set -e\nexit 1\n[ \"$(sh tax 100)\" = 20 ]\n", true},
		{Shell, "command -v tax || exit 0\n[ \"$(sh tax 100)\" = 20 ]\n", "command -v tax || exit 0\nexit 1\n[ \"$(sh tax 100)\" = 20 ]\n", false},
		{Shell, "sh tax &&\n[ \"$(sh tax 100)\" = 20 ]\n", "sh tax &&\n[ \"$(sh tax 100)\" = 20 ]\n", true},
		{Shell, "if sh full; then\n  [ \"$(sh tax 100)\" = 20 ] || exit 1\nfi\n", "if sh full; then\n  exit 1\n  [ \"$(sh tax 100)\" = 20 ] || exit 1\nfi\n", false},
		{Make, "test:\n\ttest \"$$(sh tax 100)\" = 20\n", "test:\n\texit 1\n\ttest \"$$(sh tax 100)\" = 20\n", false},
		{"python", "\"\"\"Usage\nassert tax(100) == 20\n\"\"\"\n", "\"\"\"Usage\nraise AssertionError(\"ralph\")\nassert tax(100) == 20\n\"\"\"\n", false},
		{"js", "const checks = {\n  a: () => assert.equal(tax(100), 20),\n};\n", "const checks = {\n  a: () => assert.equal(tax(100), 20),\n};\n", false},
		{"c", "int main(void) {\n\tassert(tax(100) == 20);\n}\n", "int main(void) {\n\t__builtin_trap();\n\tassert(tax(100) == 20);\n}\n", false},
		{"c", "int main(void) {\n\tif (full)\n\t\tassert(tax(100) == 20);\n}\n", "int main(void) {\n\tif (full)\n\t\tassert(tax(100) == 20);\n}\n", false},
		{"js", "const {tax} = require('./tax');\nassert.equal(tax(100), 20);\n", "const {tax} = require('./tax');\nthrow new Error(\"ralph\");\nassert.equal(tax(100), 20);\n", true},
	} {
		all := Of(c.lang, c.text)
		if len(all) != 1 {
			t.Errorf("%q: %d comparisons, want one", c.text, len(all))
			continue
		}
		if got := Failing(c.text, all); got != c.fails || all[0].Certain != c.certain {
			t.Errorf("%q fails as\n%s\nwant\n%s\ncertain: %v, want %v", c.text, got, c.fails, all[0].Certain, c.certain)
		}
	}
}

// TestFailingAtEnd: a script fails once it is through, unless its own text may end it well before.
func TestFailingAtEnd(t *testing.T) {
	for _, c := range []struct{ lang, text, want string }{
		{"python", "assert tax(100) == 20\n\n", "assert tax(100) == 20\nraise AssertionError(\"ralph\")\n"},
		{"python", "if tax(100) != 20:\n    raise SystemExit(f\"tax: {tax(100)}\")\n", "if tax(100) != 20:\n    raise SystemExit(f\"tax: {tax(100)}\")\nraise AssertionError(\"ralph\")\n"},
		{Shell, "[ \"$(sh tax 100)\" = 20 ] || { echo tax; exit 2; }", "[ \"$(sh tax 100)\" = 20 ] || { echo tax; exit 2; }\nexit 1\n"},
		{"js", "if (tax(100) !== 20) process.exit(1);\n", "if (tax(100) !== 20) process.exit(1);\nthrow new Error(\"ralph\");\n"},
		{"python", "sys.exit(1 if tax(100) != 20 else 0)\n", ""},
		{"python", "if tax(100) == 20:\n    raise SystemExit\n", ""},
		{"python", "unittest.main()\n", ""},
		{Shell, "sh tax || exit 0\n", ""},
		{Shell, "exec python3 check.py\n", ""},
		{Shell, "exit $bad\n", ""},
		{"go", "func main() {}\n", ""},
	} {
		if c.want == "" {
			c.want = c.text
		}
		if got := FailingAtEnd(c.lang, c.text); got != c.want {
			t.Errorf("%s %q fails at its end as\n%s\nwant\n%s", c.lang, c.text, got, c.want)
		}
	}
}

// TestUnreadable: what reads the text fails at once, and a script still names its interpreter.
func TestUnreadable(t *testing.T) {
	for text, want := range map[string]string{"assert x\n": ")(\nassert x\n", "#!/bin/sh -e\nsh tax\n": "#!/bin/sh -e\n)(\nsh tax\n", "": ")(\n"} {
		if got := Unreadable(text); got != want {
			t.Errorf("Unreadable(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestOtherLine(t *testing.T) {
	for text, want := range map[string]string{"1\n15\n": "1\n16\n", "Hello, Ada!": "Hello, Adb!", "a\n\n\n": "b\n\n\n"} {
		if got, ok := OtherLine(text); got != want || !ok {
			t.Errorf("OtherLine(%q) = %q, %v; want %q", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "\n\n", "---\n", "a\x00b"} {
		if got, ok := OtherLine(text); got != text || ok {
			t.Errorf("OtherLine(%q) = %q, %v; want it unchanged", text, got, ok)
		}
	}
}

// TestRowsFrom: a file of rows is known where the last value of each is compared.
func TestRowsFrom(t *testing.T) {
	const fails = " || exit 1\n"
	for text, want := range map[string]string{
		"while read -r a want; do\n  [ \"$(sh tax $a)\" = \"$want\" ]" + fails + "done < cases.txt":                 "cases.txt",
		"while IFS='|' read -r a want\ndo\n  got=$(sh tax $a)\n  test $want -eq $got" + fails + "done <t/cases.csv": "t/cases.csv",
		"cat list.txt | while read a b want; do [ \"$(sh tax $a $b)\" != ${want} ] && exit 1; done":                 "list.txt",
		"while read a want; do sh tax $a; done < cases.txt; false":                                                  "",
		"while read a want; do [ \"$want\" = skip ] && continue; sh tax $a" + fails + "done < cases.txt":            "",
		"while read a; do [ \"$(sh tax)\" = $a ]" + fails + "done < cases.txt":                                      "",
		"while read a want; do [ \"$(sh tax $a)\" = \"$want\" ] || echo no; done < cases.txt":                       "",
	} {
		if got := strings.Join(RowsFrom(Shell, text), " "); got != want {
			t.Errorf("RowsFrom(%q) = %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"for line in open('list.txt'):\n    a, b, want = line.split()\n    if tax(a, b) != want:\n        sys.exit(1)\n": "list.txt",
		"for a, want in csv.reader(open(\"c.csv\")):\n    assert tax(a) == want\n":                                       "c.csv",
		"*given, want = line.rstrip().split('|')\nassert want == tax(given)\nopen('a.txt'), open('b.txt')\n":             "",
		"for a, b in csv.reader(open('c.csv')):\n    assert add(a) == add(a)\n":                                          "",
	} {
		if got := strings.Join(RowsFrom("python", text), " "); got != want {
			t.Errorf("RowsFrom(%q) = %q, want %q", text, got, want)
		}
	}
	for _, c := range []struct {
		script, text string
		want         Rows
	}{
		{"read a want; do", "1 2\n3 4\n", Rows{"1 2\n3 5\n", "1 3\n3 4\n", "1 2\n3 4\n1 3\n"}},
		{"read a want; do", "1 2\n3 4", Rows{"1 2\n3 5\n", "1 3\n3 4\n", "1 2\n3 4\n1 3\n"}},
		{"read a want; do", "1 2\n", Rows{Last: "1 3\n"}},
		{"read a want; do", "# a b\n3 4\n", Rows{Last: "# a b\n3 5\n"}},
		{"head -2 list", "1 2\n3 4\n", Rows{Last: "1 2\n3 5\n"}},
		{"read a want; do", "1 2\n# the end\n", Rows{}},
		{"", "", Rows{}},
		{"", "\n\n", Rows{}},
	} {
		if got, ok := OtherRows(c.script, c.text); got != c.want || ok != (c.want.Last != "") {
			t.Errorf("other rows of %q for %q: %q, %v, want %q", c.text, c.script, got, ok, c.want)
		}
	}
}

// FuzzOf: whatever the text, each comparison is one of its lines, and only these change.
func FuzzOf(f *testing.F) {
	for _, text := range []string{
		"set -e\nt() { [ \"$1\" = \"$2\" ] || exit 1; }\nt \"$(sh tax 100)\" 20\ndone <<EOF\n1 2\nEOF\n",
		"for n, w in [(100, 20), (50, 9)]:\n    assert tax(n) == w\ncheck('a', f(1), \"b\")\n", "test:\n\ttest \"$$(sh tax)\" -eq 20 && grep -qx 'a b' out",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, lang := range []string{Shell, Make, "python", "js", "c", "go"} {
			all := Of(lang, text)
			old := strings.Split(text, "\n")
			now := strings.Split(Otherwise(text, all), "\n")
			if len(old) != len(now) {
				t.Fatalf("%s: %d lines became %d", lang, len(old), len(now))
			}
			changed := 0
			for n := range old {
				if old[n] != now[n] {
					changed++
				}
			}
			if changed != len(all) {
				t.Errorf("%s: %d lines changed, and %d comparisons were found", lang, changed, len(all))
			}
			Failing(text, all)
			RowsFrom(lang, text)
		}
		OtherLine(text)
		OtherRows(text, text)
	})
}
