package redgreen

import (
	"errors"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"ralph/internal/proof"
)

// TestOtherValues: the code that makes a value another one, as its language runs it. Each
// line of output is what a function gives in place of a value.
func TestOtherValues(t *testing.T) {
	t.Parallel()
	const python = `
import asyncio, collections, dataclasses, datetime, decimal, enum, pathlib

Color = enum.Enum("Color", "RED BLUE")
Point = collections.namedtuple("Point", "x y")

@dataclasses.dataclass(frozen=True)
class Bill:
    cents: int
    parts: list

class Old:
    pass

class Slim:
    __slots__ = ("cents",)
    def __init__(self, cents):
        self.cents = cents

class Cached:
    """Its second part is no part of what it is."""
    def __init__(self, cents):
        self.what, self.seen = Old(), cents
    def __eq__(self, other):
        return self.what is other.what

@OTHER
def give(value):
    return value

@OTHER
def fails(value):
    raise ValueError(value)

@OTHER
def outer(value):
    """Its inner call gives what it is."""
    return give(value) + 1

@OTHER
def caught(value):
    try:
        return fails(value)
    except ValueError:
        return 1

@OTHER
def yields():
    yield 1
    yield 2

@OTHER
async def waits(value):
    return value

for value in (
    None, True, 3, 0.5, -0.5, float("nan"), decimal.Decimal(2), "", "abc", b"ab", [], [1, "a"], (1, [2]), {}, {"a": 1}, {1}, frozenset(),
    Color.RED, Point(1, 2), Bill(1, [2]), datetime.date(2024, 1, 1), datetime.timedelta(0), pathlib.PurePosixPath("a"),
):
    print(repr(give(value)))
print(list(give(iter([1]))), list(yields()), give(lambda: 1)(), asyncio.run(waits(1)), asyncio.run(give(waits(1))))
print(outer(1), outer.__doc__, fails(1), caught(1), give(give)(1))
print(give([Bill(1, [])]), give({"a": Bill(1, [])}), give([Slim(1)])[0].cents, len(give([Old()])), give({Old: 1}) == {Old: 2}, len(give({"a": Old()})))
for value in (Old(), Old, Cached(1), iter([Old()])):
    try:
        print(list(give(value)))
    except TypeError as e:
        print(e)
`
	const node = `
const give = (value) => ralphOther(() => value)
const outer = (value) => ralphOther(() => give(value) + 1)
const fails = () => ralphOther(() => { throw new Error() })
class Bill { constructor(cents) { this.cents = cents } }
class Hidden { #cents = 1 }
const ask = async () => {
  for (const value of [undefined, null, true, 3, 0.5, NaN, 2n, '', 'abc', [], [1, 'a'], {}, { a: 1 }, new Map(), new Map([[1, 2]]), new Set(), new Set([1]), new Date(0), new Uint8Array(1), new Bill(1)]) console.log(give(value))
  console.log([...give([1].values())], give(() => 1)(), await give(Promise.resolve(1)), await give(Promise.reject(new Error())))
  console.log(outer(1), fails(), ralphOther(() => { try { return fails() } catch { return 1 } }), give(1).constructor.name)
  for (const run of [() => give(() => {})(), () => ralphOther(() => { give(() => {})(); return 1 }), () => give(() => { throw new Error() })()]) try { console.log(run()) } catch (e) { console.log(e.message) }
  const hidden = new Hidden()
  console.log(give([hidden]).length, give({ hidden }), give(new Map([[1, hidden]])).size, give(new Set([hidden])).size, give([new Bill(1)]))
  for (const value of [Bill, /a/, hidden, new Bill(hidden)]) try { console.log(give(value)) } catch (e) { console.log(e.message) }
}
ask()
`
	for name, tt := range map[string]struct {
		argv []string
		text string
		want string
	}{
		"python": {
			[]string{"python3", "-"},
			strings.ReplaceAll(python, "@OTHER", otherPython()),
			"'~'\nFalse\n4\n1.55\n0.55\n0.0\nDecimal('3.2')\n'~'\n'ABC'\nb'AB'\n['~']\n[2, 'A']\n(2, [3])\n{'~': '~'}\n{'a': 2}\n{2}\nfrozenset({'~'})\n" +
				"<Color.BLUE: 2>\nPoint(x=2, y=3)\nBill(cents=2, parts=[3])\ndatetime.date(2025, 2, 4)\ndatetime.timedelta(days=400)\nPurePosixPath('a/~')\n" +
				"[2] [2, 3] 2 2 3\n3 Its inner call gives what it is. ~ 2 2\n[Bill(cents=2, parts=['~'])] {'a': Bill(cents=2, parts=['~'])} 2 2 True 2\n" + strings.Repeat("no other value is known\n", 4),
		},
		"node": {
			[]string{"node", "-"},
			otherValuesScript + node,
			"~\n~\nfalse\n4\n1.55\n0\n3n\n~\nABC\n[ '~' ]\n[ 2, 'A' ]\n{ '~': '~' }\n{ a: 2 }\nMap(1) { '~' => '~' }\nMap(1) { 1 => 3 }\nSet(1) { '~' }\nSet(1) { 2 }\n1971-02-05T00:00:00.000Z\nUint8Array(1) [ 1 ]\nBill { cents: 2 }\n" +
				"[ 2 ] 2 2 ~\n3 ~ 2 Number\nno other value is known\n2\n~\n2 { hidden: Hidden {}, '~': '~' } 2 2 [ Bill { cents: 2 } ]\n" + strings.Repeat("no other value is known\n", 4),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := exec.CommandContext(t.Context(), tt.argv[0], tt.argv[1:]...)
			c.Stdin = strings.NewReader(tt.text)
			if out, err := c.CombinedOutput(); err != nil || string(out) != tt.want {
				t.Errorf("%v: got\n%s\nwant\n%s", err, out, tt.want)
			}
		})
	}
}

// others are the changes of a source after which its functions give other values; tests call
// those that have one of a few names.
func others(file, text string) ([]proof.Edit, error) {
	test := "test_a.py"
	if ext := path.Ext(file); ext != ".py" {
		test = strings.NewReplacer(".rs", "tests/a.rs", ".go", "a_test.go", ".js", "a.test.js", ".ts", "a.test.ts").Replace(ext)
	}
	texts := map[string]string{"work": text, "test": "of half area Of push show fill each add number"}
	work := []proof.File{{Path: file, Mode: "100644", ID: "work"}, {Path: test, Mode: "100644", ID: "test"}}
	return Hollowed(nil, work, Other, func(id string) ([]byte, error) { return []byte(texts[id]), nil })
}

// TestOtherOutput: what a function prints is more than its value where tests look at it.
func TestOtherOutput(t *testing.T) {
	t.Parallel()
	for test, want := range map[string]bool{"def test_a():\n    assert show(1) == 1\n": true, "def test_a(capsys):\n    show(1)\n    assert capsys.readouterr().out == '1'\n": false} {
		texts := map[string]string{"work": "def show(n):\n    print(n)\n    return n\n", "test": test}
		work := []proof.File{{Path: "a.py", Mode: "100644", ID: "work"}, {Path: "test_a.py", Mode: "100644", ID: "test"}}
		edits, err := Hollowed(nil, work, Other, func(id string) ([]byte, error) { return []byte(texts[id]), nil })
		if err != nil || (len(edits) > 0) != want {
			t.Errorf("%s: %v %v", test, edits, err)
		}
	}
}

// TestOtherGo: the same in Go, in functions as they are written.
func TestOtherGo(t *testing.T) {
	t.Parallel()
	const source = `package main

import "errors"

type Bill struct {
	cents int
	Notes []string
	next  *Bill
}

type Empty struct{}

// Hidden is what its first field does; its text is one that it remembers.
type Hidden struct {
	impl any
	text string
}

func number(n int) int           { return n }
func outer(n int) int            { return number(n) + 1 }
func text(s string) (out string) { out = s; return }
func both(n int) (int, error) {
	if n < 0 {
		return 0, errors.New("negative")
	}
	return n, nil
}
func found(n int) (string, bool)             { return "a", n > 0 }
func check(n int) error                      { return map[bool]error{true: errors.New("x")}[n < 0] }
func bill(n int) *Bill                       { return map[bool]*Bill{true: {cents: n}}[n > 0] }
func all(n int) ([]int, map[string]int)      { return make([]int, n), map[string]int{"a": n} }
func anything(a any) any                     { return a }
func panics() int                            { panic("x") }
func fraction(f float64) float64             { return f }
func empty() *Empty                          { return &Empty{} }
func hidden() *Hidden                        { return &Hidden{impl: 3} }
func actions() map[string]func()             { return map[string]func(){"a": func() {}} }
func steps() []func()                        { return []func(){func() {}} }
func caught() (n int) { defer func() { _ = recover(); n = 1 }(); return panics() }
`
	const program = `package main

import (
	"fmt"
	"math"
)

func main() {
	fmt.Println(number(3), outer(1), text(""), text("abc"), panics(), caught())
	fmt.Println(both(1))
	fmt.Println(both(-1))
	fmt.Println(found(1))
	fmt.Println(found(0))
	fmt.Println(check(1), check(-1), *bill(1), bill(0) == nil)
	fmt.Println(all(1))
	fmt.Println(all(0))
	fmt.Println(anything(1), anything("ab"), anything(nil), fraction(-1), fraction(math.NaN()))
	fmt.Println(len(actions()), len(steps()))
	for _, f := range []func(){func() { empty() }, func() { hidden() }} {
		func() {
			defer func() { fmt.Println(recover()) }()
			f()
		}()
	}
}
`
	edits, err := others("a.go", source)
	if err != nil || len(edits) != 2 {
		t.Fatalf("%v: %d edits", err, len(edits))
	}
	dir := t.TempDir()
	for _, e := range append(edits, proof.Edit{Path: "main.go", Data: []byte(program)}, proof.Edit{Path: "go.mod", Data: []byte("module example.test/a\n\ngo 1.18\n")}) {
		if err := os.WriteFile(filepath.Join(dir, e.Path), e.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.CommandContext(t.Context(), "go", "run", ".")
	c.Dir = dir
	out, err := c.CombinedOutput()
	const want = "4 3 ~ ABC 0 2\n2 <nil>\n1 <nil>\nA true\nA true\n~ <nil> {2 [] <nil>} false\n[1] map[a:2]\n[0] map[a:1]\n2 AB ~ 0.1 0\n2 2\nno other value is known\nno other value is known\n"
	if err != nil || string(out) != want {
		t.Errorf("%v: got\n%s\nwant\n%s", err, out, want)
	}
}

// TestOtherGoPackages: a function of one package that gives what one of another gives still gives
// another value.
func TestOtherGoPackages(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"check/check.go": "package check\n\nfunc Stable(s string) bool { return s == \"a\" }\n\nfunc Lower(s string) string { return s }\n",
		"text.go":        "package main\n\nimport \"example.test/a/check\"\n\nfunc IsSlug(s string) bool { return check.Stable(s) }\n\nfunc Slug(s string) string { return check.Lower(s) }\n",
		"text_test.go":   "package main\n\nvar _ = []any{IsSlug, Slug, Stable, Lower}\n",
	}
	var work []proof.File
	for p := range files {
		work = append(work, proof.File{Path: p, Mode: "100644", ID: p})
	}
	edits, err := Hollowed(nil, work, Other, func(id string) ([]byte, error) { return []byte(files[id]), nil })
	if err != nil || len(edits) != 4 {
		t.Fatalf("%v: %d edits", err, len(edits))
	}
	dir := t.TempDir()
	const program = "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(IsSlug(\"a\"), IsSlug(\"b\"), Slug(\"ab\"), Slug(\"ab\")) }\n"
	for _, e := range append(edits, proof.Edit{Path: "main.go", Data: []byte(program)}, proof.Edit{Path: "go.mod", Data: []byte("module example.test/a\n\ngo 1.21\n")}) {
		at := filepath.Join(dir, e.Path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.WriteFile(at, e.Data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.CommandContext(t.Context(), "go", "run", "-gcflags=all=-d=checkptr", ".") // as under -race
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil || string(out) != "false true AB AB\n" {
		t.Errorf("%v: got\n%s", err, out)
	}
}

// TestOther: functions that do more than give a value are left as they are, and all others with one
// that tests name.
func TestOther(t *testing.T) {
	t.Parallel()
	decorator := otherPython()
	for name, tt := range map[string]struct{ file, work, want string }{
		"python":                  {"a.py", "import math\n\n\nclass Shape:\n    side: int\n\n    def __init__(self, side):\n        self.side = side\n\n    @property\n    def area(self):\n        out = []\n        out.append(self.side)\n        return math.prod(out)\n", "import math\n\n\nclass Shape:\n    side: int\n\n    def __init__(self, side):\n        self.side = side\n\n    @property\n    OTHER\n    def area(self):\n        out = []\n        out.append(self.side)\n        return math.prod(out)\n"},
		"python, it keeps":        {"a.py", "class Stack:\n    def push(self, n):\n        self.items.append(n)\n        return n\n", ""},
		"python, it prints":       {"a.py", "def show(n):\n    print(n)\n    return n\n", "OTHER\ndef show(n):\n    print(n)\n    return n\n"},
		"python, beside another":  {"a.py", "def of(n):\n    return n\n\n\ndef keep(n):\n    ALL.append(n)\n    return n\n", "OTHER\ndef of(n):\n    return n\n\n\ndef keep(n):\n    ALL.append(n)\n    return n\n"},
		"python, tests name it":   {"a.py", "def of(n):\n    return n\n\n\ndef push(n):\n    ALL.append(n)\n    return n\n", ""},
		"python, it gives none":   {"a.py", "def fill(grid):\n    for row in grid:\n        row[0] = 1\n\n\ndef of(n):\n    return n\n", ""},
		"python, of its caller":   {"a.py", "def fill(grid):\n    grid[0] = 1\n    return grid\n", ""},
		"javascript":              {"a.js", "#!/usr/bin/env node\nexport async function of(n) {\n  return await n // it\n}\nexport const half = async (n) => n / 2\n", "#!/usr/bin/env node\nHELPERexport async function of(n) { return ralphOther(async () => {\n  return await n // it\n\n})\n}\nexport const half = async (n) => ralphOther(async () => n / 2\n)\n"},
		"typescript":              {"a.ts", "export interface Bill {\n  cents: number;\n}\nexport const of = (b: Bill): number => b.cents;\n", "// @ts-nocheck\nHELPERexport interface Bill {\n  cents: number;\n}\nexport const of = (b: Bill): number => ralphOther(() => b.cents\n);\n"},
		"javascript, a generator": {"a.js", "export function* each(xs) {\n  yield* xs\n  return 1\n}\n", ""},
		"javascript, it keeps":    {"a.js", "class Bag {\n  add(n) {\n    this.all[n] = true\n    return n\n  }\n}\n", ""},
		"javascript, it counts":   {"a.js", "export function add(bag) {\n  bag.n++\n  return bag\n}\n", ""},
		"go":                      {"a.go", "package a\n\ntype T struct{ n int }\n\nfunc (t T) Of(xs ...int) (int, error) {\n\tout := T{}\n\tout.n = 1\n\treturn out.n, nil\n}\n", "package a\n\ntype T struct{ n int }\n\nfunc (t T) Of(xs ...int) (ralphResult0 int, ralphResult1 error) { defer ralphOther(&ralphResult0, &ralphResult1)();\n\tout := T{}\n\tout.n = 1\n\treturn out.n, nil\n}\n"},
		"go, its name is nowhere": {"a.go", "package a\n\ntype T struct{ N int }\n\nfunc (t T) Twice() int { return 2 * t.N }\n", ""},
		"go, it keeps":            {"a.go", "package a\n\nfunc (t *T) Of() int {\n\tt.n++\n\treturn t.n\n}\n", ""},
		"go, of its caller":       {"a.go", "package a\n\nfunc Of(m map[int]int) int {\n\tm[1] = 2\n\treturn 1\n}\n", ""},
		"go, through a pointer":   {"a.go", "package a\n\nfunc Of(n *int) int {\n\t*n = 2\n\treturn 1\n}\n", ""},
		"go, it writes":           {"a.go", "package a\n\nfunc Of(w io.Writer) error {\n\t_, err := w.Write(nil)\n\treturn err\n}\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := strings.NewReplacer("OTHER", decorator, "HELPER", otherValuesScript).Replace(tt.want)
			edits, err := others(tt.file, tt.work)
			got := ""
			for _, e := range edits {
				if e.Path == tt.file {
					got = string(e.Data)
				}
			}
			if err != nil || got != want {
				t.Errorf("%v: got\n%s\nwant\n%s", err, got, want)
			}
		})
	}
}
