package canary

import (
	"slices"
	"strings"
	"testing"
)

// TestOtherwise: lines that decide get another value; all else stays as it is.
func TestOtherwise(t *testing.T) {
	for name, c := range map[string]struct {
		text     string
		commands bool
		// changed are parts of the lines that change; all others stay.
		changed []string
	}{
		"a test that ends the script":      {"set -eu\n[ \"$(sh tax 100)\" = 20 ]\necho ok", true, []string{"= 20"}},
		"a test that does not":             {"[ \"$(sh tax 100)\" = 20 ]\necho ok", true, nil},
		"the last line":                    {"echo go\ntest \"$(sh tax 100)\" -eq 20\n", true, []string{"-eq 20"}},
		"a failure behind it":              {"[ \"$got\" = \"Hello, Ada!\" ] || { echo no; exit 1; }\necho", true, []string{"Ada"}},
		"nothing behind it":                {"[ \"$got\" = \"Hello\" ] || echo no\necho", true, nil},
		"a condition":                      {"if [ \"$mode\" = fast ]; then\n  echo fast\nfi\nsh rest", true, nil},
		"a condition that fails":           {"if [ \"$got\" != 20 ]; then\n  echo no >&2\n  exit 1\nfi\necho", true, []string{"!= 20"}},
		"a condition with a failing else":  {"if [ $got = 20 ]; then\n  echo ok\nelse\n  exit 1\nfi\necho", true, []string{"= 20"}},
		"arguments of the script":          {"[ $# -eq 2 ] || exit 1\n[ \"$1\" = go ] || exit 2\n[ \"$(uname)\" = Linux ] || exit 1\nx", true, nil},
		"a function of checks":             {"check \"$(sh bin/greet Ada)\" \"Hello, Ada!\"\ncheck tax $(sh tax 100) 20\ncheck label \"$(sh even 4)\"\nx", true, []string{"Hello, Ada", " 20"}},
		"a search":                         {"set -e\nsh tax 100 | grep -qx 'total: 20'\nsh tax 100 | grep -q total && echo yes\n! grep -q 30 out\ngrep -c 20 out", true, []string{"total: 20"}},
		"a goal of make":                   {"test:\n\t@test \"$$(sh tax 100)\" = 20\n\techo ok\n", true, []string{"= 20"}},
		"a program in a command":           {"python3 -c \"from tax import tax; assert tax(100) == 20\"", true, []string{"== 20"}},
		"yes, no and nothing":              {"set -e\n[ \"$(sh f)\" = 1 ]\n[ \"$(sh f)\" = \"\" ]\n[ \"$(sh f)\" -eq 0 ]", true, nil},
		"an assertion of Python":           {"assert tax(100) == 20, 'tax'\nassert tax(50) != 3\nassert tax(0) == 0\n", false, []string{"== 20"}},
		"a condition of Python":            {"if tax(100) != 20:\n    sys.exit(1)\nif mode == 'fast':\n    quick()\nif __name__ == '__main__':\n    main()\n", false, []string{"!= 20"}},
		"a result of Python":               {"sys.exit(0 if tax(100) == 20 else 1)", false, []string{"== 20"}},
		"arguments of a program":           {"if len(sys.argv) != 22:\n    sys.exit(2)\nif result.returncode != 33:\n    raise SystemExit(1)", false, nil},
		"a condition that passes":          {"if tax(100) != 20:\n    sys.exit(0)\n", false, nil},
		"a table of Python":                {"for net, want in [(100, 20), (50, 9)]:\n    assert tax(net) == want\n", false, []string{"(100, 20)"}},
		"a table that nothing compares":    {"for a, b in [(100, 20), (50, 9)]:\n    show(a, b)\n", false, nil},
		"what starts a program":            {"want = 5\nout = subprocess.run(['python3', 'tax'])\nassert out == want", false, nil},
		"calls of JavaScript":              {"assert.strictEqual(tax(100), 20, 'tax');\nexpect(tax(50)).toBe(10);\nconst fs = require('node:fs');\nif (tax(30) !== 6) process.exit(1);\n", false, []string{"20", "10", "!== 6"}},
		"a check of a value and its label": {"check('tax of 50', tax(50) === 10);\ncheck(greet('Ada'), 'Hello');\ncheck('even', even(4));\n", false, []string{"=== 10", "'Hello'"}},
		"C":                                {"int main(void) {\n\tassert(tax(100) == 20);\n\tif (tax(50) != 10) {\n\t\treturn 1;\n\t}\n\treturn tax(30) == 6 ? 0 : 1;\n}\n", false, []string{"== 20", "!= 10", "== 6"}},
		"Go":                               {"func main() {\n\tif got := tax(100); got != 20 {\n\t\tos.Exit(1)\n\t}\n\tif x == 40 {\n\t\tskip()\n\t}\n}\n", false, []string{"!= 20"}},
		"Rust":                             {"fn main() {\n    assert_eq!(tax(100), 20);\n}\n", false, []string{"20"}},
	} {
		var at []int
		changed := Otherwise(c.text, c.commands, func(c Change) bool {
			at = append(at, c.Line)
			return true
		})
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

// TestSubjects: each line tells what it asks, and only lines that are agreed to change.
func TestSubjects(t *testing.T) {
	text := "assert len(slug('Hello')) == 15\nassert words('a b') == 12\nassert total == 13\n"
	var subjects []string
	changed := Otherwise(text, false, func(c Change) bool {
		subjects = append(subjects, c.Subject)
		return c.Subject == "words"
	})
	if want := []string{"slug", "words", ""}; !slices.Equal(subjects, want) {
		t.Errorf("subjects %q, want %q", subjects, want)
	}
	if !strings.Contains(changed, "== 15\n") || strings.Contains(changed, "== 12\n") || !strings.Contains(changed, "== 13\n") {
		t.Errorf("changed to\n%s\nwant another value for words alone", changed)
	}
	for line, want := range map[string]string{`[ "$(sh bin/greet Ada)" = x ]`: "bin/greet", `[ "$(timeout 5 python3 -m app tax)" = x ]`: "app", `[ "$got" = x ]`: ""} {
		if got := subject(line); got != want {
			t.Errorf("subject of %q is %q, want %q", line, got, want)
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
