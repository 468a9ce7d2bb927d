package suspect

import (
	"slices"
	"testing"

	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

const (
	money     = "from dataclasses import dataclass\n\n\n@dataclass(frozen=True)\nclass Money:\n    cents: int\n    currency: str = \"EUR\"\n"
	moneyGo   = "package a\n\ntype Money struct {\n\tCents    int\n\tCurrency string\n}\n\nfunc (m Money) Equal(o Money) bool { return m == o }\n"
	moneyRust = "#[derive(Debug, PartialEq)]\npub struct Money {\n    pub cents: u8,\n    pub currency: String,\n}\n"
	moneyJS   = "export class Money {\n  constructor(cents) {\n    this.cents = cents;\n  }\n}\n"
)

// TestNarrowed: an old type that compares less of its values than before is named; a new one,
// and one that compares the same in another way, is not.
func TestNarrowed(t *testing.T) {
	t.Parallel()
	class := func(body string) string {
		return "class Money:\n    def __init__(self, cents, currency=\"EUR\"):\n        self.cents = cents\n        self.currency = currency\n\n    def __eq__(self, other):\n" + body + "\n    def __hash__(self):\n        return hash(self.cents)\n"
	}
	methodGo := func(body string) string {
		return moneyGo[:len(moneyGo)-len("{ return m == o }\n")] + "{\n" + body + "}\n"
	}
	implRust := func(body string) string {
		return "pub struct Money {\n    pub cents: u8,\n    pub currency: String,\n}\n\nimpl PartialEq for Money {\n    fn eq(&self, other: &Self) -> bool {\n        " + body + "\n    }\n}\n"
	}
	for what, c := range map[string]struct {
		file, before, after string
		want                []int
	}{
		"a field left out":              {"a.py", money, "@dataclass(frozen=True)\nclass Money:\n    cents: int = field(compare=False)\n", []int{3}},
		"a new field left out":          {"a.py", money, money + "    _text: str = field(default=\"\", compare=False)\n", nil},
		"one that was left out":         {"a.py", "class A:\n    x: int = field(compare=False)\n", "class A:\n    x: int = field(compare=False, repr=False)\n", nil},
		"one field of two":              {"a.py", money, class("        return isinstance(other, Money) and self.currency == other.currency\n"), []int{6}},
		"about the same":                {"a.py", money, class("        return self.currency == other.currency and abs(self.cents - other.cents) < 9\n"), []int{6}},
		"each field":                    {"a.py", money, class("        if not isinstance(other, Money):\n            return NotImplemented\n        return (self.cents, self.currency) == (other.cents, other.currency)\n"), nil},
		"by a key of each field":        {"a.py", money, class("        return isinstance(other, Money) and self._key() == other._key()\n\n    def _key(self):\n        return (self.cents, self.currency)\n"), nil},
		"by a key of one":               {"a.py", money, class("        return isinstance(other, Money) and self._key() == other._key()\n\n    def _key(self):\n        return (self.currency,)\n"), []int{6}},
		"by a part of a key":            {"a.py", money, class("        return self._key() == other._key()\n\n    def _key(self):\n        return (self.cents, self.currency)[1]\n"), []int{6}},
		"by a key without cases":        {"a.py", money, class("        return self._key() == other._key()\n\n    def _key(self):\n        return (self.cents, self.currency.lower())\n"), []int{6}},
		"by a key of one at times":      {"a.py", money, class("        return self._key() == other._key()\n\n    def _key(self):\n        if self.cents:\n            return self.currency\n        return (self.cents, self.currency)\n"), []int{6}},
		"what is compared at all":       {"a.py", money, class("        if other is None or not isinstance(other, Money):\n            return False\n        return (self.cents, self.currency) == (other.cents, other.currency)\n"), nil},
		"a class without one":           {"a.py", "class Money:\n    pass\n", class("        return self.cents == other.cents\n"), nil},
		"a new class":                   {"a.py", money, money + "\n\n" + "class Order:\n    def __eq__(self, other):\n        return self.id == other.id\n", nil},
		"a comparison that was narrow":  {"a.py", class("        return self.cents == other.cents\n"), class("        return other.cents == self.cents\n"), nil},
		"a comparison with one less":    {"a.py", class("        return self.cents == other.cents and self.currency == other.currency\n"), class("        return self.cents == other.cents\n"), []int{6}},
		"Go: one field of two":          {"a.go", moneyGo, methodGo("\treturn m.Currency == o.Currency\n"), []int{8}},
		"Go: about the same":            {"a.go", moneyGo, methodGo("\td := m.Cents - o.Cents\n\treturn d*d <= 9 && m.Currency == o.Currency\n"), []int{8}},
		"Go: each field":                {"a.go", moneyGo, methodGo("\treturn m.Cents == o.Cents && m.Currency == o.Currency\n"), nil},
		"Go: none at all":               {"a.go", moneyGo, methodGo("\tif m == nil || o == nil {\n\t\treturn false\n\t}\n\treturn m.Cents == o.Cents && m.Currency == o.Currency\n"), nil},
		"Go: one field behind that":     {"a.go", moneyGo, methodGo("\tif m == nil || o == nil {\n\t\treturn false\n\t}\n\treturn m.Currency == o.Currency\n"), []int{8}},
		"Go: by the library":            {"a.go", moneyGo, methodGo("\treturn reflect.DeepEqual(m, o)\n"), nil},
		"Go: the same":                  {"a.go", moneyGo, moneyGo + "\n// More.\nfunc More() {}\n", nil},
		"Go: a new method":              {"a.go", "package a\n\ntype T struct{ A, B int }\n", "package a\n\ntype T struct{ A, B int }\n\nfunc (t T) Equal(o T) bool { return t.A == o.A }\n", nil},
		"Rust: one field of two":        {"a.rs", moneyRust, implRust("self.currency == other.currency"), []int{6}},
		"Rust: each field":              {"a.rs", moneyRust, implRust("self.cents == other.cents && self.currency == other.currency"), nil},
		"Rust: in another form":         {"a.rs", implRust("self.cents == other.cents && self.currency == other.currency"), implRust("self.cents == other.cents && letters(&self.currency).eq(letters(&other.currency))"), []int{6}},
		"Rust: parts of it":             {"a.rs", "pub struct Q(pub Vec<(u8, u8)>);\n\nimpl PartialEq for Q {\n    fn eq(&self, other: &Self) -> bool {\n        self.0 == other.0\n    }\n}\n", "pub struct Q(pub Vec<(u8, u8)>);\n\nimpl PartialEq for Q {\n    fn eq(&self, other: &Self) -> bool {\n        self.0.iter().map(|p| p.0).eq(other.0.iter().map(|p| p.0))\n    }\n}\n", []int{3}},
		"Rust: with a text":             {"a.rs", "pub struct S(pub String);\n\nimpl PartialEq<&str> for S {\n    fn eq(&self, other: &&str) -> bool {\n        self.0 == *other\n    }\n}\n", "pub struct S(pub String);\n\nimpl PartialEq<&str> for S {\n    fn eq(&self, other: &&str) -> bool {\n        letters(&self.0).eq(letters(other))\n    }\n}\n", []int{3}},
		"Rust: a text as before":        {"a.rs", "pub struct S(pub String);\n\nimpl PartialEq<&str> for S {\n    fn eq(&self, other: &&str) -> bool {\n        self.0 == *other\n    }\n}\n", "pub struct S(pub String);\n\nimpl PartialEq<&str> for S {\n    fn eq(&self, other: &&str) -> bool {\n        self.0.as_str() == *other\n    }\n}\n", nil},
		"without cases":                 {"a.py", class("        return self.cents == other.cents and self.currency == other.currency\n"), class("        return self.cents == other.cents and self.currency.lower() == other.currency.lower()\n"), []int{6}},
		"Go: without cases":             {"a.go", moneyGo, methodGo("\treturn m.Cents == o.Cents && strings.EqualFold(m.Currency, o.Currency)\n"), []int{8}},
		"Rust: a new type":              {"a.rs", "pub struct Other;\n", implRust("self.cents == other.cents"), nil},
		"JavaScript: private":           {"a.js", moneyJS, "export class Money {\n  #cents;\n  constructor(cents) {\n    this.#cents = cents;\n  }\n}\n", []int{2}},
		"JavaScript: a new private one": {"a.js", moneyJS, moneyJS[:21] + "  #cache;\n" + moneyJS[21:], nil},
		"JavaScript: not enumerable":    {"a.js", moneyJS, "export class Money {\n  constructor(cents) {\n    Object.defineProperty(this, \"cents\", { value: cents, enumerable: false });\n  }\n}\n", []int{3}},
		"JavaScript: enumerable":        {"a.js", moneyJS, "export class Money {\n  constructor(cents) {\n    Object.defineProperty(this, \"cents\", { value: cents, enumerable: true });\n  }\n}\n", nil},
	} {
		base := prooftest.Tree{c.file: c.before, "test/a.test.js": "assert.deepEqual(price(1), new Money(1));\n"}
		k, s := change("make", base, prooftest.Tree{c.file: c.after})
		found, all, err := Find(k.Base, k.Work, judge.Duties{}, s.Read)
		var lines []int
		for _, f := range found {
			if f.What == narrowsEquality {
				lines = append(lines, f.Line)
			}
		}
		if err != nil || !all || !slices.Equal(lines, c.want) {
			t.Errorf("%s: %v, want lines %v %v", what, found, c.want, err)
		}
	}
}

// TestHiddenFromTests: a property of JavaScript that becomes private is named where a test of the
// base compares two values that may hold it; one of plain values differs from any object.
func TestHiddenFromTests(t *testing.T) {
	t.Parallel()
	const private = "export class Money {\n  #cents;\n  constructor(cents) {\n    this.#cents = cents;\n  }\n}\n"
	const imports = "import { Money, price } from '../a.js';\n"
	for what, c := range map[string]struct {
		test  string
		named bool
	}{
		"no comparison":               {"assert.equal(price(1).text(), '1');\n", false},
		"plain values":                {"assert.deepStrictEqual(got, [1, 'a,(b', -2.5, null, true]);\n", false},
		"plain values first":          {"assert.deepEqual({ a: 1, b: [`x`] }, price(1).parts, 'message');\n", false},
		"plain values in lines":       {"expect(price(1).parts).toEqual([\n  'a', // first\n  'b',\n]);\n", false},
		"another file of tests":       {"assert.deepEqual(a, b);\n", true},
		"two values":                  {"assert.deepEqual(price(1), new Money(1));\n", true},
		"a list of values":            {"assert.deepEqual(prices(), [new Money(1)]);\n", true},
		"a variable":                  {"expect(price(1)).toEqual(want);\n", true},
		"an empty object":             {"expect(price(1)).toEqual({});\n", true},
		"an empty object in a list":   {"t.same(prices(), [{}, {}]);\n", true},
		"chai":                        {"expect(price(1)).to.deep.equal(want);\nexpect(price(2)).to.eql(want);\n", true},
		"by a matcher of many":        {"expect(prices()).toContainEqual(want);\n", true},
		"by the library":              {"assert.ok(isDeepStrictEqual(price(1), want));\n", true},
		"as texts":                    {"assert.equal(JSON.stringify(price(1)), JSON.stringify(want));\n", true},
		"a comparison under its name": {"const { deepEqual: same } = assert;\nsame(price(1), want);\n", true},
	} {
		k, s := change("make", prooftest.Tree{"a.js": moneyJS, "test/a.test.js": imports + c.test}, prooftest.Tree{"a.js": private})
		found, _, err := Find(k.Base, k.Work, judge.Duties{}, s.Read)
		named := slices.ContainsFunc(found, func(f Finding) bool { return f.What == narrowsEquality })
		if err != nil || named != c.named {
			t.Errorf("%s: %v %v", what, found, err)
		}
	}
}
