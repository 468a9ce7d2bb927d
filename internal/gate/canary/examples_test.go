package canary

import (
	"strings"
	"testing"
)

func TestExamplesIn(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Add f(x) to a.py. f(2) == 4, f('a b') is \"x\" and `g([1, 2])` returns `[3]`.": "f(2) == 4 f('a b') == \"x\" g([1, 2]) == [3]",
		"Add f: f(2) === 4; total([{price: 100, qty: 2}]) gives 238":                    "f(2) == 4 total([{price: 100, qty: 2}]) == 238",
		"Write m: m.f(1, -2.5) -> True\nf() => {\"a\": [1]}":                            "m.f(1, -2.5) == True f() == {\"a\": [1]}",

		"f(2) must return 4.":                 "f(2) == 4",
		"f(2) gives 5":                        "",
		"f(2) gives 5; should be 4":           "",
		"f(2) == 5, but it must be 4":         "",
		"Add f. f(2) == 5; it should be fast": "",
		"f(2) == 5 currently, and must be 4.": "",
		"f(2) is wrong. f(3) == 4.":           "f(3) == 4",

		"f(x) == 4, f(2) == y, f(2) == 4px, f(2) is 4x4, f(2) is a number": "",

		"f(2) == 4.5, f(3) == 4.":     "f(2) == 4.5 f(3) == 4",
		"f(2) == g(4), f(2":           "",
		`Add f. f("a\tb") == "a\"\n"`: `f("a\tb") == "a\"\n"`,

		"Add money(cents) to m.py: '1.50 EUR' for 150, '-0.05 EUR' for -5, '0' for 0. Add tests.":                      "money(150) == '1.50 EUR' money(-5) == '-0.05 EUR' money(0) == '0'",
		"Write Roman(n int) string: 4 -> \"IV\", 9 -> \"IX\" and 40 → \"XL\"":                                          "Roman(4) == \"IV\" Roman(9) == \"IX\" Roman(40) == \"XL\"",
		"Add money(cents): '1.50 EUR' for 150.":                                                                        "",
		"Add money(cents) and euro(cents): '1.50 EUR' for 150, '0.05 EUR' for 5":                                       "",
		"Add price(n): 10 for 5 users, 20 for 9 users":                                                                 "",
		"Fix money(cents): '1.50 EUR' for 150, '0.05 EUR' for 5":                                                       "",
		"Add wait(seconds): 5 for 1, 6 for 2 instead of 7 for 3":                                                       "",
		"Add f: f(0) raises ValueError, `f('x')` throws, and f(-1) must raise an error. f(2) is an error. f(9) fails.": "f(0) fails f('x') fails f(-1) fails f(2) fails f(9) fails",
		"It adds floats, so that f(1) is 2. Use exact decimals. Add tests.":                                            "",
		"Make f exact: it adds floats, so that f(1) is 2.":                                                             "",
		"f adds floats: f(1) is 2. Add g(x). g(1) is 3.":                                                               "g(1) == 3",
		"f(1) is 2. Add tests for that":                                                                                "",
		"f(x) should fold. f(1) is 2, f(2) gives 3. Add tests.":                                                        "f(1) == 2 f(2) == 3",
		"f(1) is 2 at the moment; f(2) gives 3. It has to fold.":                                                       "",
		"f(0) raises ValueError":                                                                                       "",
		"f(0) should raise ValueError":                                                                                 "f(0) fails",
		"Add f. f(0) never raises, f(1) raises nothing, f(2) raises no error":                                          "",
		"Add f. f(0) raises KeyError but it must not":                                                                  "",
		"f(2) equals 4 unless it is None":                                                                              "",
		"":                                                                                                             "",
		strings.Repeat("f(1) == 1, ", 20):                                                                              strings.TrimSpace(strings.Repeat("f(1) == 1 ", mostExamples)),
	} {
		var got []string
		for _, e := range examplesIn(text) {
			got = append(got, e.String())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got %q, want %q", text, strings.Join(got, " "), want)
		}
	}
}

// FuzzExamplesIn: whatever a task says, an example is a part of it.
func FuzzExamplesIn(f *testing.F) {
	f.Add("f(2) == 4, f('a') is [1].")
	f.Fuzz(func(t *testing.T, text string) {
		for _, e := range examplesIn(text) {
			if !strings.Contains(text, e.function+"(") || !strings.Contains(text, e.arguments) || !strings.Contains(text, e.value) {
				t.Errorf("%q: got %s", text, e)
			}
		}
	})
}

// TestExamples: what a task says is asked by the real runners; tests of the work leave it out.
func TestExamples(t *testing.T) {
	t.Parallel()
	const (
		pythonTest = "import unittest\n\n\ndef test_it():\n    pass\n"
		goTest     = "package shop\n\nimport \"testing\"\n\nfunc TestIt(t *testing.T) {\n\tTitle(\"\")\n}\n"
		nodeTest   = "const test = require('node:test');\nconst { total } = require('../total.js');\n\ntest('it', () => { total([]) });\n"
	)
	for name, tt := range map[string]struct {
		source, text, test, tests string
		task, broken              string
	}{
		"Python":               {"temp.py", "def c_to_f(c):\n    return c\n", "test_temp.py", pythonTest, "c_to_f(100) == 212, c_to_f(-40) == -40.", "c_to_f(100) == 212"},
		"Python, it holds":     {"temp.py", "def c_to_f(c):\n    return c * 9 / 5 + 32\n", "test_temp.py", pythonTest, "c_to_f(100) == 212, c_to_f(-40) == -40.", ""},
		"Python, it raises":    {"temp.py", "def c_to_f(c):\n    raise KeyError(c)\n", "test_temp.py", pythonTest, "c_to_f(100) == 212", ""},
		"Python, for ever":     {"temp.py", "def c_to_f(c):\n    while True:\n        pass\n", "test_temp.py", pythonTest, "c_to_f(100) == 212", ""},
		"Python, no error":     {"temp.py", "def c_to_f(c):\n    return c\n", "test_temp.py", pythonTest, "Add c_to_f. c_to_f(-300) raises ValueError.", "c_to_f(-300) fails"},
		"Python, an error":     {"temp.py", "def c_to_f(c):\n    raise ValueError(c)\n", "test_temp.py", pythonTest, "Add c_to_f. c_to_f(-300) raises ValueError.", ""},
		"Python, escapes":      {"temp.py", "def f(c):\n    return c + '\\n'\n", "test_temp.py", pythonTest, "Add f. f('a') == 'a\\n', f('b') == 'b\\t'", "f('b') == 'b\\t'"},
		"Python, another type": {"temp.py", "class F:\n    pass\n\n\ndef c_to_f(c):\n    return F()\n", "test_temp.py", pythonTest, "c_to_f(100) == 212", ""},
		"Python, a tuple":      {"temp.py", "def both(c):\n    return (c, [c])\n", "test_temp.py", pythonTest, "both(1) == [1, (1)], both(2) is (2, [2])", "both(1) == [1, (1)]"},
		"Python, in a package": {"src/shop/temp.py", "def f(c):\n    return c\n", "test_temp.py", "import os\nimport sys\nimport unittest\n\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), 'src'))\n\n\ndef test_it():\n    pass\n", "f(1) == 2", "f(1) == 2"},
		"Go":                   {"title.go", "package shop\n\nfunc Title(s string) string { return s }\n", "title_test.go", goTest, "Title(\"a b\") == \"A B\", Title(\"\") == \"\".", "Title(\"a b\") == \"A B\""},
		"Go, an error":         {"title.go", "package shop\n\nimport \"errors\"\n\nfunc Title(s string) (string, error) { return s, errors.New(\"x\") }\n", "title_test.go", goTest, "Title(\"a b\") == \"A B\"", ""},
		"Go, no error":         {"title.go", "package shop\n\nfunc Title(s string) (string, error) { return s, nil }\n", "title_test.go", goTest, "Add Title. Title(\"a b\") is an error", "Title(\"a b\") fails"},
		"Go, as it fails":      {"title.go", "package shop\n\nimport \"errors\"\n\nfunc Title(s string) (string, error) { return s, errors.New(s) }\n", "title_test.go", goTest, "Add Title. Title(\"a b\") is an error", ""},
		"Go, that cannot fail": {"title.go", "package shop\n\nfunc Title(s string) string { return s }\n", "title_test.go", goTest, "Add Title. Title(\"a b\") is an error", ""},
		"Go, pairs":            {"title.go", "package shop\n\nfunc Title(s string) string { return s }\n", "title_test.go", goTest, "Add Title(s string) string: \"A\" for \"a\", \"B\" for \"B\".", "Title(\"a\") == \"A\""},
		"Go, of another type":  {"title.go", "package shop\n\nfunc Title(s string) string { return s }\n", "title_test.go", goTest, "Title(3) == 4", ""},
		"node":                 {"total.js", "exports.total = (cart) => cart.length * 0;\n", "test/total.test.js", nodeTest, "total([{price: 100, qty: 2}]) === 238, total([]) === 0.", "total([{price: 100, qty: 2}]) == 238"},
		"node, no error":       {"total.js", "exports.total = (cart) => 0;\n", "test/total.test.js", nodeTest, "Add total. total([-1]) throws RangeError.", "total([-1]) fails"},
		"node, an error":       {"total.js", "exports.total = (cart) => { throw new Error() };\n", "test/total.test.js", nodeTest, "Add total. total([-1]) throws RangeError.", ""},
		"node, it holds":       {"total.js", "exports.total = (cart) => ({ cents: cart.reduce((n, c) => n + c.price, 0) });\n", "test/total.test.js", nodeTest, "total([{price: 100}]) === {cents: 100}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{tt.source: tt.text, tt.test: tt.tests, "go.mod": "module example.test/shop\n\ngo 1.18\n"}
			all := placesOf(files, Options{Work: []string{tt.source}, Task: tt.task})
			r, out, err := runWith(t, runnerOf(tt.source), files, all)
			if err == nil {
				t.Fatalf("the run is green:\n%s", out)
			}
			if got := strings.Join(Broken(all, r.FailedIDs()), " "); got != tt.broken {
				t.Errorf("broken: %q, not %q\n%s", got, tt.broken, out)
			}
		})
	}
}
