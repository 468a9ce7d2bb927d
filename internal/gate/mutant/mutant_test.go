package mutant_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ralph/internal/gate/mutant"
)

// mutated are the changed lines of all mutants.
func mutated(path, base, text string) (lines []string) {
	for _, m := range mutant.Of(path, base, text) {
		lines = append(lines, strings.TrimSpace(strings.Split(m.In(text), "\n")[m.Line-1]))
	}
	return lines
}

func TestMutantsOfALine(t *testing.T) {
	for _, c := range []struct {
		path, line string
		want       []string
	}{
		{"a.py", "if income > 50 and old:", []string{"if income >= 50 and old:", "if income > 50 or old:", "if income > 51 and old:", "if not (income > 50 and old):"}},
		{"a.go", "if income > 50 {", []string{"if income >= 50 {", "if income > 51 {", "if !(income > 50) {"}},
		{"a.go", "if err := do(); err != nil {", []string{"if err := do(); err == nil {"}},
		{"a.js", "} else if (a === b) {", []string{"} else if (a !== b) {", "} else if (!(a === b)) {"}},
		{"a.js", "return a + b;", []string{"return a - b;", "return undefined;"}},
		{"a.py", "return a + b  # a > b", []string{"return a - b  # a > b", "return None  # a > b"}},
		{"a.go", "return a + b", []string{"return a - b"}},
		{"a.go", `return "a > b"`, []string{`return "a > bx"`}},
		{"a.py", `return "a" + "b"`, []string{"return None"}},
		{"a.py", `return """a > b"""`, []string{"return None"}},
		{"a.go", `panic("a: " + err.Error())`, nil},
		{"a.py", "return ''", []string{"return 'x'"}},
		{"a.go", "return 'a'", nil},
		{"a.py", "return True", []string{"return False"}},
		{"a.py", "return f(", nil},
		{"a.py", "total += 0.19", []string{"total -= 0.19", "total += 1.19"}},
		{"a.rs", "let n = x1 * 2;", []string{"let n = x1 + 2;", "let n = x1 * 3;"}},
		{"a.go", "// a < b", nil},
		{"a.go", "for i := 0; i < n; i++ {", []string{"for i := 0; i <= n; i++ {", "for i := 1; i < n; i++ {"}},
		{"a.py", `print("1 < 2", 'x > 1')`, nil},
		{"a.txt", "a < b", nil},
		{"a.go", "return 0, &RangeError{percent}", nil},
		{"a.go", `return 0, fmt.Errorf("no %d", 3)`, nil},
		{"a.go", "return 0, nil", []string{"return 1, nil"}},
		{"a.go", "return n*19 + fib(n-1)", []string{"return n*19 - fib(n-1)", "return n+19 + fib(n-1)", "return n*19 + fib(n+1)", "return n*20 + fib(n-1)", "return n*19 + fib(n-2)"}},
		{"a.go", "func f(a []*int, b map[string]*T, c *int) { g(*c, xe-5, 1e-5) }", []string{"func f(a []*int, b map[string]*T, c *int) { g(*c, xe+5, 1e-5) }", "func f(a []*int, b map[string]*T, c *int) { g(*c, xe-6, 1e-5) }", "func f(a []*int, b map[string]*T, c *int) { g(*c, xe-5, 1e-6) }"}},
		{"a.go", "v1.2.3 := 0x10 + 1_000", []string{"v1.2.3 := 0x10 - 1_000"}},
	} {
		if got := mutated(c.path, "", c.line); !slices.Equal(got, c.want) {
			t.Errorf("%s: %s\n got %q\nwant %q", c.path, c.line, got, c.want)
		}
	}
}

func TestOnlyChangedLines(t *testing.T) {
	base := "def tax(x):\n    return x * 19\n"
	text := "def tax(x):\n    if x < 50:\n        return 0\n    return x * 19\n"
	got := mutated("tax.py", base, text)
	want := []string{"if x <= 50:", "if x < 51:", "if not (x < 50):", "return None", "return 1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNoMutantsInTests(t *testing.T) {
	text := "fn add(a: i32) -> i32 {\n    a + 1\n}\n\n#[cfg(test)]\nmod tests {\n    fn one() { assert!(1 < 2) }\n}\n"
	got := mutated("lib.rs", "", text)
	if want := []string{"a - 1", "a + 2"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTextsOfSeveralLines(t *testing.T) {
	for path, text := range map[string]string{
		"a.py": "x = \"\"\"\na < b\n\"\"\"\n", "a.js": "const x = `\na < b\n`;\n", "a.go": "/*\na < b\n*/\nvar x = `\na < b\n`\n", "b.rb": "# a < b\n",
	} {
		if got := mutated(path, "", text); len(got) > 0 {
			t.Errorf("%s: mutants within a text: %q", path, got)
		}
	}
}

// TestChoose: at most so many, in the order of the file, from as many lines as possible, and
// the same each time.
func TestChoose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		lines := rapid.SliceOfN(rapid.IntRange(1, 4), 0, 30).Draw(t, "mutants of each line")
		for _, n := range lines {
			text.WriteString(strings.Repeat("x + y ", n) + "\n")
		}
		all := mutant.Of("a.go", "", text.String())
		most := rapid.IntRange(0, 40).Draw(t, "most")
		got := mutant.Choose(all, most)
		if want := min(most, len(all)); len(got) != want {
			t.Fatalf("%d mutants, want %d", len(got), want)
		}
		seen := map[int]int{}
		for i, m := range got {
			seen[m.Line]++
			if i > 0 && got[i-1].Line > m.Line {
				t.Fatal("the lines are out of order")
			}
		}
		if len(seen) < min(most, len(lines)) {
			t.Fatalf("mutants of %d lines of %d, of %d in all", len(seen), len(lines), len(got))
		}
		if again := mutant.Choose(all, most); !slices.Equal(again, got) {
			t.Fatal("another choice")
		}
	})
}

func TestString(t *testing.T) {
	all := mutant.Of("tax.py", "", "if x < 50:")
	if got, want := all[0].String(), "tax.py:1 `<` → `<=` in `if x < 50:`"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// FuzzOf: a mutant differs from its source in one line.
func FuzzOf(f *testing.F) {
	for _, text := range []string{
		"package a\n\nfunc A(x int) bool { return x < 1 }\n", "x = 'a", "\"\"\"", "`", "/*", "return '''a'''", "if (a) {", "# é < b", "\r\nif a < b {\r\n", "return \"\\\"",
	} {
		for _, path := range []string{"a.go", "a.py", "a.ts", "a.rs"} {
			f.Add(path, text)
		}
	}
	f.Fuzz(func(t *testing.T, path, text string) {
		for _, m := range mutant.Of(path, "", text) {
			other := m.In(text)
			was, now := strings.Split(text, "\n"), strings.Split(other, "\n")
			if len(was) != len(now) || other == text {
				t.Fatalf("%s: %d lines became %d", m, len(was), len(now))
			}
			for i := range was {
				if (was[i] != now[i]) != (i == m.Line-1) {
					t.Fatalf("%s: line %d", m, i+1)
				}
			}
		}
	})
}
