package suspect

import (
	"strings"
	"testing"
)

// TestLenientComparisons: comparisons that look at nothing of the other value.
func TestLenientComparisons(t *testing.T) {
	t.Parallel()
	const (
		money     = "package a\n\ntype Money struct{ Cents int }\n\n"
		cents     = "class Cents(int):\n"
		primitive = "  [Symbol.toPrimitive](hint) {\n"
		// status is a class of texts, same a comparison that looks at the other one.
		status = "class Status(str, enum.Enum):\n    NEW = \"new\"\n\n"
		same   = "    def __eq__(self, other):\n        return self.id == other.id\n"
		order  = "\n\n@dataclass(eq=False)\nclass Order:\n    id: int\n\n    def __eq__(self, other: object) -> bool:\n        if not isinstance(other, Order):\n            return NotImplemented\n        return self.id == other.id\n"
	)
	for _, c := range []struct{ file, text, want string }{
		{"a.go", money + "func (m Money) Equal(o Money) bool { return true }\n", "5 " + equalsAll},
		{"a.go", money + "func (Money) Is(target error) bool {\n\treturn target != nil\n}\n", "5 " + equalsAll},
		{"a.go", money + "func (m *Money) As(any) bool {\n\treturn m.Cents > 0\n}\n", "5 " + equalsAll},
		{"a.go", money + "func (m Money) Equal(o Money) bool { return m == o }\nfunc (m *Money) Is(target error) bool {\n\t_, ok := target.(*Money)\n\treturn ok\n}\n", ""},
		{"a.go", money + "func (Money) Is(error) bool { return false }\nfunc (m Money) IsZero() bool { return true }\nfunc Equal(a, b Money) bool { return true }\n", "7 " + ignoresInput},
		{"a.go", money + "func (m Money) Equal(o Money) (bool, error) { return true, nil }\nfunc (m Money) Is(names ...string) bool { return len(names) == 0 }\n", ""},
		{"a.py", cents + "    def __ge__(self, other):\n        return True\n", "2 " + equalsAll},
		{"a.py", cents + "    def __lt__(self, other):\n        # Less.\n        return 1\n", "2 " + equalsAll},
		{"a.py", cents + "    def __sub__(self, other):\n        return 0\n", "2 " + equalsAll},
		{"a.py", cents + "    def __sub__(self, other):\n        return Cents(int(self) - int(other))\n\n    def __lt__(self, other):\n        return int(self) < int(other)\n", ""},
		{"a.py", "class Page(str):\n    def __contains__(self, part):\n        return len(part) > 2\n", "2 " + equalsAll},
		{"a.py", "class Page(str):\n    def __contains__(self, part):\n        return super().__contains__(part.lower())\n", ""},
		{"a.py", status + order, ""},
		{"a.py", "class Cache(dict[str, int]):\n    pass\n" + order, ""},
		{"a.py", "class Cache(Mapping[str, int]):\n" + same, ""},
		{"a.py", status + same, "4 " + equalsAll},
		{"a.py", "class Text(str):\n    pass\n\n\nclass Status(Text):\n" + same, "6 " + equalsAll},
		{"a.py", "class Loose:\n" + same + "\n\nclass Text(Loose, str):\n    pass\n", "2 " + equalsAll},
		{"a.py", "class Text(\n    str,\n):\n" + same, "4 " + equalsAll},
		{"a.py", "class Box[T](list):\n" + same, "2 " + equalsAll},
		{"a.py", status + "\n\ndef make():\n" + same + "    return __eq__\n", "7 " + equalsAll},
		{"a.py", status + "\n\nclass Last:\n    def __gt__(self, other):\n        return True\n", ""},
		{"a.py", "class Basket:\n    def __contains__(self, item):\n        return item in self.items\n", ""},
		{"a.py", "class Invalid(KeyError, TypeError, ValueError):\n    pass\n", "1 " + fitsErrors},
		{"a.py", "class Missing(ShopError, KeyError, AttributeError):\n    pass\n", ""},
		{"a.js", "class Mean {\n  valueOf() {\n    return this.values[1] + 1;\n  }\n}\n", "2 " + fitsValues},
		{"a.ts", "export class Mean {\n  [Symbol.toPrimitive](hint: string) {\n    return 1;\n  }\n}\n", "2 " + equalsAll},
		{"a.js", "class T {\n  #c;\n" + primitive + "    return hint === 'string' ? this.toString() : this.#c;\n  }\n\n  toString() {\n    return `${this.#c}°C`;\n  }\n}\n", ""},
		{"a.ts", "class T {\n  [Symbol.toPrimitive](hint: string): string | number {\n    if (hint === 'number') {\n      return this.cents;\n    }\n    return `${this.cents} EUR`;\n  }\n}\n", ""},
		{"a.js", "class T {\n" + primitive + "    switch (hint) {\n      case 'string':\n        return String(this.cents);\n      default:\n        return this.cents;\n    }\n  }\n}\n", ""},
		{"a.js", "class T {\n" + primitive + "    return this.cents++;\n  }\n}\n", "2 " + equalsAll},
		{"a.js", "class T {\n" + primitive + "    return hint === 'string' ? 'x' : this.cents;\n  }\n}\n", "2 " + equalsAll},
		{"a.js", "class T {\n" + primitive + "    return hint === 'number' ? answers : this.cents;\n  }\n}\n", "2 " + equalsAll},
		{"a.js", "class T {\n" + primitive + "    return this.answers.shift();\n  }\n}\n", "2 " + equalsAll},
		{"a.js", "class T {\n" + primitive + "    return this.next();\n  }\n}\n", "2 " + equalsAll},
		{"a.js", "class T {\n" + primitive + "    return `${calls++}`;\n  }\n}\n", "2 " + equalsAll},
		{"a.js", "class T {\n" + primitive + "    return this.toString();\n  }\n\n  toString() {\n    return this.answers[this.n++];\n  }\n}\n", "2 " + equalsAll},
		{"a.js", "class T {\n" + primitive + "    return this.toString();\n  }\n\n  toString() {\n    return answers.shift();\n  }\n}\n", "2 " + equalsAll},
		{"a.js", "class T {\n" + primitive + "    return this.n;\n  }\n\n  get n() {\n    return answers.shift();\n  }\n}\n", "2 " + equalsAll},
		{"a.js", "price[Symbol.toPrimitive] = () => answer;\n", "1 " + equalsAll},
		{"a.js", "class Money {\n  valueOf() {\n    return this.#cents;\n  }\n}\n", ""},
		{"a.js", "class Text extends String {\n  includes(words) {\n    return words.length > 0;\n  }\n}\n", "1 " + fitsValues},
		{"a.js", "class Text extends String {\n  shout() {\n    return this.toUpperCase().includes('!');\n  }\n}\n", ""},
		{"a.js", "class Cache extends Map {\n  has(key) {\n    return super.has(key);\n  }\n}\n", ""},
		{"a.go", "package a\n\nvar ErrLoad = errors.Join(ErrMissing, ErrSyntax, ErrDuplicate)\n", "3 " + fitsErrors},
		{"a.go", "package a\n\nfunc f() error {\n\treturn errors.Join(ErrMissing, err)\n}\n", ""},
		{"a.js", "class Money {\n  toString() {\n    return this.text;\n  }\n}\nconst n = date.valueOf();\n", ""},
		{"a.py", "class Last:\n    def __gt__(self, other):\n        return True\n", ""},
	} {
		if got := strings.Join(suspectsOf(t, c.file, "", c.text), ", "); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.file, c.text, got, c.want)
		}
	}
	base := money + "func (m Money) Equal(o Money) bool { return true }\n"
	if got := suspectsOf(t, "a.go", base, base+"\nfunc (m Money) Half() int { return m.Cents / 2 }\n"); len(got) > 0 {
		t.Error("a comparison of the base:", got)
	}
}

// FuzzLenient: sources that agents write, also ones that are cut off, are read to their end.
func FuzzLenient(f *testing.F) {
	const method = "package p\n\nfunc (e *E) Is(t error) bool { "
	for _, rest := range []string{"return true }", "return f(", "return f(x[", "return []int{", "switch { case", "return x.(", "type x struct {"} {
		f.Add(method + rest)
	}
	f.Add("package p\n\n//line other.go:999\nfunc (e *E) Is(t error) bool { return true }")
	f.Add("class T(str):\n    def __eq__(self, o):\n        return True\n    def __sub__(self, o):\n        return 0")
	f.Fuzz(func(t *testing.T, text string) {
		for _, file := range []string{"a.go", "a.py"} {
			for _, s := range lenientIn(file, text, nil) {
				if lines := 1 + strings.Count(text, "\n"); s.Line < 1 || s.Line > lines {
					t.Errorf("%s: line %d of %d", file, s.Line, lines)
				}
			}
		}
	})
}
