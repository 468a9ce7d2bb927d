package suspect

import (
	"strings"
	"testing"

	"ralph/internal/proof"
	"ralph/internal/proof/judge"
)

// TestUnreachable: lines that can never run.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, base, text, want string }{
		{"a.py", "", "def notify(user):\n    return user['phone']\n    send(user)\n", "3 " + neverRuns},
		{"a.py", "", "def notify(user):\n    if user:\n        return user['phone']\n    send(user)\n", ""},
		{"a.py", "", "def notify(user):\n    try:\n        return (\n            user\n        )\n    except KeyError:\n        return None\n    else:\n        pass\n", ""},
		{"a.py", "", "def nothing():\n    return\n    yield\n", ""},
		{"a.py", "", "def first(user):\n    if user: return 1\n    return 2\n\n\ndef other():\n    pass\n", ""},
		{"a.py", "def f(user):\n    return 1\n    send(user)\n", "def f(user):\n    return 1\n    send(user)\n\n\ndef g():\n    return 2\n", ""},
		{"a.go", "", "package a\n\nfunc f() int {\n\treturn 1\n\tsend()\n\treturn 2\n}\n", "5 " + neverRuns},
		{"a.go", "", "package a\n\nfunc f() {\n\tgoto end\nend:\n\tsend()\n}\n", ""},
		{"a.go", "", "package a\n\nfunc f(n int) {\n\tswitch n {\n\tcase 1:\n\t\tbreak\n\t\tsend()\n\tcase 2:\n\t\tsend()\n\t\tfallthrough\n\tcase 3:\n\t}\n}\n", "7 " + neverRuns},
	} {
		if got := strings.Join(suspectsOf(t, c.file, c.base, c.text), ", "); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.file, c.text, got, c.want)
		}
	}
}

// TestUnread: parameters that functions never read, and that tests give several values.
func TestUnread(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ file, text, test, tests, want, base string }{
		"python":                  {"ship.py", "def cost(weight, country):\n    return RATES.get(country, 9)\n", "test_ship.py", "def test_it():\n    assert cost(100, 'DE') == 4\n    assert cost(900, 'DE') == 4\n", "weight", ""},
		"python, one value":       {"ship.py", "def handle(event, context):\n    return event\n", "test_ship.py", "def test_it():\n    assert handle(1, None) == 1\n    assert handle(2, None) == 2\n", "", ""},
		"python, it is read":      {"ship.py", "def cost(weight, country):\n    return weight * RATES.get(country, 9)\n", "test_ship.py", "def test_it():\n    assert cost(100, 'DE') == 4\n    assert cost(900, 'DE') == 4\n", "", ""},
		"python, a method":        {"ship.py", "class A(Base):\n    def cost(self, weight):\n        return 4\n", "test_ship.py", "def test_it():\n    assert a.cost(100) == 4\n    assert a.cost(900) == 4\n", "", ""},
		"python, only its text":   {"ship.py", "def cost(weight, country='DE'):\n    \"\"\"By weight.\"\"\"\n    return RATES[country]\n", "test_ship.py", "def test_it():\n    assert cost(100) == 4\n    assert cost(900) == 4\n", "weight", ""},
		"python, marked":          {"ship.py", "def cost(_weight, country):\n    return country\n", "test_ship.py", "def test_it():\n    assert cost(100, 1) == 4\n    assert cost(900, 2) == 4\n", "", ""},
		"go":                      {"ship.go", "package a\n\nfunc Cost(weight int, country string) int { return len(country) }\n", "ship_test.go", "package a\n\nfunc TestIt(t *testing.T) {\n\tif Cost(1, \"DE\") != Cost(2, \"DE\") {\n\t}\n}\n", "weight", ""},
		"go, a method":            {"ship.go", "package a\n\nfunc (s S) Cost(weight int) int { return 1 }\n", "ship_test.go", "package a\n\nfunc TestIt(t *testing.T) {\n\tif s.Cost(1) != s.Cost(2) {\n\t}\n}\n", "", ""},
		"javascript":              {"ship.js", "exports.cost = (weight, country) => country.length;\n", "test/ship.test.js", "test('it', () => {\n  assert.equal(cost(1, 'DE'), 2);\n  assert.equal(cost(2, 'DE'), 2);\n});\n", "weight", ""},
		"javascript, in an order": {"ship.js", "export function cost({ weight }, [a, b] = [1, 2], country) {\n  return country.length;\n}\n", "test/ship.test.js", "test('it', () => {\n  assert.equal(cost(1, 2, 'DE'), 2);\n  assert.equal(cost(2, 3, 'DE'), 2);\n});\n", "", ""},
		"a new one of a method":   {"cart.py", "class Cart:\n    def receipt(self, width=None):\n        return self.lines\n", "test_cart.py", "def test_it():\n    assert 'a' in c.receipt(width=20)\n", "width", "class Cart:\n    def receipt(self):\n        return self.lines\n"},
		"a new one that is read":  {"cart.py", "class Cart:\n    def receipt(self, width=None):\n        return self.lines[:width]\n", "test_cart.py", "def test_it():\n    assert 'a' in c.receipt(width=20)\n", "", "class Cart:\n    def receipt(self):\n        return self.lines\n"},
		"one that it had":         {"cart.py", "class Cart:\n    def receipt(self, width=None):\n        return self.all\n", "test_cart.py", "def test_it():\n    assert 'a' in c.receipt(width=20)\n", "", "class Cart:\n    def receipt(self, width=None):\n        return self.lines\n"},
		"a new one of a function": {"cart.py", "def receipt(lines, width=None):\n    return lines\n", "test_cart.py", "def test_it():\n    assert receipt([], width=20) == []\n", "width", "def receipt(lines):\n    return lines\n"},
		"a new one, never given":  {"cart.py", "def receipt(lines, width=None):\n    return lines\n", "test_cart.py", "def test_it():\n    assert receipt([]) == []\n", "", "def receipt(lines):\n    return lines\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			texts := map[string]string{"work": tt.text, "test": tt.tests}
			work := []proof.File{{Path: tt.file, Mode: "100644", ID: "work"}, {Path: tt.test, Mode: "100644", ID: "test"}}
			base := []proof.File{{Path: tt.file, Mode: "100644", ID: "base"}}
			texts["base"] = tt.base
			found, _, err := Find(base, work, judge.Duties{}, func(id string) ([]byte, error) { return []byte(texts[id]), nil })
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, s := range found {
				if after, is := strings.CutPrefix(s.What, unreadInput); is {
					got = after
				}
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
