package redgreen

import (
	"strings"
	"testing"

	"ralph/internal/proof"
)

// hollow is the changed source of a work with its functions hollowed; empty where it is left
// as it is. Paths of tests are as in their languages.
func hollow(t *testing.T, way Way, file, base, work, test string) string {
	t.Helper()
	texts := map[string]string{"base": base, "work": work, "test": test}
	var before []proof.File
	if base != "" {
		before = append(before, proof.File{Path: file, Mode: "100644", ID: "base"})
	}
	after := []proof.File{{Path: file, Mode: "100644", ID: "work"}, {Path: map[string]string{".py": "tests/test_x.py", ".go": "x_test.go", ".js": "test/x.test.js", ".rs": "tests/x.rs", ".ts": "test/x.test.ts"}[file[strings.LastIndexByte(file, '.'):]], Mode: "100644", ID: "test"}}
	edits, err := Hollowed(before, after, way, func(id string) ([]byte, error) { return []byte(texts[id]), nil })
	if err != nil {
		t.Fatal(err)
	}
	if len(edits) == 0 {
		return ""
	}
	return string(edits[0].Data)
}

func TestHollowed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, base, work, test, want string }{
		"python": {
			file: "shop/tax.py", work: "\"\"\"Taxes.\"\"\"\nimport math\n\n\n@cached\ndef tax(\n    cents,\n):\n    \"\"\"The tax.\"\"\"\n    return 10\n\n\nclass Tax(Base):\n    def of(self):\n        # always\n        return 1\n",
			test: "from shop.tax import tax, Tax\n",
			want: "\"\"\"Taxes.\"\"\"\nimport math\n\n\n@cached\ndef tax(\n    cents,\n):\n    \"\"\"The tax.\"\"\"\n    raise AssertionError(\"hollow\")\n    return 10\n\n\nclass Tax(Base):\n    def of(self):\n        # always\n        raise AssertionError(\"hollow\")\n        return 1\n",
		},
		"python, what the base has stays": {
			file: "shop/tax.py", base: "def tax(c):\n    return 10\n\n\ndef old():\n    return 1\n", work: "def tax(c):\n    return 11\n\n\ndef old():\n    return 1\n",
			want: "def tax(c):\n    raise AssertionError(\"hollow\")\n    return 11\n\n\ndef old():\n    return 1\n",
		},
		"python, a test names a value": {file: "tax.py", work: "RATE = 19\n\n\ndef tax(c):\n    return 10\n", test: "from tax import RATE\n"},
		"python, no test names it": {
			file: "tax.py", work: "RATE = 19\n\n\ndef tax(c):\n    return 10\n", test: "from tax import tax\n",
			want: "RATE = 19\n\n\ndef tax(c):\n    raise AssertionError(\"hollow\")\n    return 10\n",
		},
		"python, an empty value": {
			file: "tax.py", work: "CASES: list[int] = []\n\n\ndef tax(c):\n    return 10\n", test: "for c in tax.CASES:\n",
			want: "CASES: list[int] = []\n\n\ndef tax(c):\n    raise AssertionError(\"hollow\")\n    return 10\n",
		},
		"python, fields":      {file: "tax.py", work: "@dataclass\nclass Tax:\n    cents: int\n\n    def text(self):\n        return ''\n", test: "assert Tax(1) == Tax(1)\n"},
		"python, one line":    {file: "tax.py", work: "def tax(c): return 10\n\n\ndef other():\n    return 1\n", test: "assert tax(1)\n"},
		"python, a lambda":    {file: "tax.py", work: "tax = lambda c: 10\n\n\ndef other():\n    return 1\n", test: "assert tax(1)\n"},
		"python, only values": {file: "tax.py", work: "RATE = 19\n", test: ""},
		"go": {
			file: "tax.go", work: "package tax\n\nimport \"fmt\"\n\n// Tax is it.\nfunc Tax(c int) int { return 10 }\n\nfunc init() { fmt.Println() }\n\nfunc (t T) Of() string {\n\treturn \"\"\n}\n",
			test: "package tax\n",
			want: "package tax\n\nimport \"fmt\"\n\n// Tax is it.\nfunc Tax(c int) int { panic(\"hollow\"); return 10 }\n\nfunc init() { fmt.Println() }\n\nfunc (t T) Of() string { panic(\"hollow\");\n\treturn \"\"\n}\n",
		},
		"go, a type of the tests":  {file: "tax.go", work: "package tax\n\ntype Tax struct {\n\tCents int `json:\"cents\"`\n}\n\nfunc (t Tax) Of() int { return 1 }\n", test: "json.Marshal(Tax{1})\n"},
		"go, a value of the tests": {file: "tax.go", work: "package tax\n\nvar (\n\trate, other = 19, 2\n)\n\nfunc Of() int { return 1 }\n", test: "if other != 2 {\n"},
		"go, that does not parse":  {file: "tax.go", work: "package tax\n\nfunc Of() int { return 1 \n", test: ""},
		"javascript": {
			file: "tax.js", work: "const fs = require(\"fs\");\n\nfunction tax(c) {\n  if (c) {\n    return 1;\n  }\n}\n\nconst of = async (c) => {\n  return 2;\n};\n\nclass Tax {\n  text(a = 1) {\n    return a;\n  }\n}\n\nmodule.exports = { tax, of };\n",
			test: "const { tax, of } = require(\"../tax.js\");\n",
			want: "const fs = require(\"fs\");\n\nfunction tax(c) { throw new Error(\"hollow\");\n  if (c) { throw new Error(\"hollow\");\n",
		},
		"javascript, an expression": {
			file: "tax.js", work: "exports.tax = (c) =>\n  c.cents // of (it\n    * 2;\nconst all = (xs) => xs.map((x) => ({ x }))\nexport default c => round(c)\n", test: "tax(1)\n",
			want: "exports.tax = (c) =>\n  (() => { throw new Error(\"hollow\"); })() ? 0 : c.cents // of (it\n    * 2;\nconst all = (xs) => (() => { throw new Error(\"hollow\"); })() ? 0 : xs.map((x) => (() => { throw new Error(\"hollow\"); })() ? 0 : ({ x }))\nexport default c => (() => { throw new Error(\"hollow\"); })() ? 0 : round(c)\n",
		},
		"javascript, an expression beside a value": {file: "tax.js", work: "export const tax = (c) => c * rate, rate = 19;\n", test: "tax(rate)\n"},
		"javascript, an arrow in a text":           {file: "tax.js", work: "export const text = 'a => b';\n", test: "text\n"},
		"javascript, brackets that do not match":   {file: "tax.js", work: "export const tax = (c) => c.match(/[(]/) && [(c);\n", test: "tax(1)\n"},
		"python, in a table":                       {file: "tax.py", work: "TABLE = {\"tax\": lambda c: 10}\n\n\ndef other():\n    return 1\n", test: "call(\"x\")\n"},
		"python, an old table":                     {file: "tax.py", base: "TABLE = {1: 2}\n", work: "TABLE = {1: 3}\n\n\ndef other():\n    return 1\n", test: "call(1)\n"},
		"go, functions in a table":                 {file: "tax.go", work: "package tax\n\nvar table = map[string]func() int{\"a\": func() int { return 1 }}\n\nfunc other() int { return 1 }\n", test: "Call(1)\n"},
		"javascript, a class":                      {file: "tax.js", work: "export class Tax {\n  cents = 1;\n  text() {\n    return 1;\n  }\n}\n", test: "new Tax().cents\n"},
		"rust": {
			file: "src/tax.rs", work: "use std::fmt;\n\n/// Tax.\npub fn tax<F: Fn(u32) -> u32>(c: u32, f: F) -> u32\nwhere\n    F: Copy,\n{\n    f(c) // {\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    fn help() -> u32 { 1 }\n\n    #[test]\n    fn small() { assert_eq!(tax(1, |c| c), help()); }\n}\n",
			test: "tax(1)\n",
			want: "use std::fmt;\n\n/// Tax.\npub fn tax<F: Fn(u32) -> u32>(c: u32, f: F) -> u32\nwhere\n    F: Copy,\n{ panic!(\"hollow\");\n    f(c) // {\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    fn help() -> u32 { 1 }\n\n    #[test]\n    fn small() { assert_eq!(tax(1, |c| c), help()); }\n}\n",
		},
		"rust, what the base has stays": {
			file: "src/tax.rs", base: "fn tax(c: u32) -> u32 { 10 }\n\nfn old() -> u32 { 1 }\n", work: "fn tax(c: u32) -> u32 { 11 }\n\nfn old() -> u32 { 1 }\n",
			want: "fn tax(c: u32) -> u32 { panic!(\"hollow\"); 11 }\n\nfn old() -> u32 { 1 }\n",
		},
		"rust, quotes that begin no string": {
			file: "src/tax.rs", work: "/* \"fn no() {} */\nfn quote(c: char) -> bool { c == '\"' }\n\nfn raw() -> &'static str { r#\"a\"b fn no() { 1 }\"# }\n\nfn last() -> u32 { 1 }\n",
			want: "/* \"fn no() {} */\nfn quote(c: char) -> bool { panic!(\"hollow\"); c == '\"' }\n\nfn raw() -> &'static str { panic!(\"hollow\"); r#\"a\"b fn no() { 1 }\"# }\n\nfn last() -> u32 { panic!(\"hollow\"); 1 }\n",
		},
		"rust, a type of the tests":           {file: "src/tax.rs", work: "pub struct Tax {\n    pub cents: u32,\n}\n\nfn of() -> u32 { 1 }\n", test: "Tax { cents: 1 }\n"},
		"rust, a case of the tests":           {file: "src/tax.rs", work: "pub enum Tax {\n    Small,\n    Large(u32),\n}\n\nfn of() -> u32 { 1 }\n", test: "let Large(x) = y\n"},
		"rust, a value of its own unit tests": {file: "src/tax.rs", work: "const RATE: u32 = 19;\n\nfn of() -> u32 { 1 }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn rate() { assert_eq!(super::RATE, 19); }\n}\n", test: ""},
		"rust, a macro":                       {file: "src/tax.rs", work: "macro_rules! tax { () => { 1 } }\n\nfn of() -> u32 { 1 }\n", test: "of()\n"},
		"typescript":                          {file: "tax.ts", work: "export function tax(c: number): number {\n  return 10;\n}\n", test: "tax(1)\n", want: "export function tax(c: number): number { throw new Error(\"hollow\");\n  return 10;\n}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := strings.ReplaceAll(hollow(t, Failing, c.file, c.base, c.work, c.test), hollowed, "hollow")
			if name == "javascript" {
				for _, begin := range []string{"function tax(c) {", "=> {", "text(a = 1) {"} {
					if !strings.Contains(got, begin+" throw new Error(\"hollow\");") {
						t.Errorf("after %q: got\n%s", begin, got)
					}
				}
				return
			}
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestHollowedBesideData: work that adds data as well can be proved by tests that read it through
// its sources. A file that none of them names is about something else.
func TestHollowedBesideData(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]bool{
		"def tax(c):\n    return 1\n":                                      true,
		"def tax(c):\n    return load('rates.json')\n":                     false,
		"def tax(c):\n    return [load(f) for f in here.glob('*.json')]\n": false,
		"def tax(c):\n    return load(here / 'data' / (c + '.txt'))\n":     false,
	} {
		work := []proof.File{{Path: "tax.py", Mode: "100644", ID: "work"}, {Path: "data/rates.json", Mode: "100644", ID: "data"}, {Path: ".gitignore", Mode: "100644", ID: "data"}, {Path: "scripts/deploy.sh", Mode: "100644", ID: "data"}}
		edits, err := Hollowed(nil, work, Failing, func(string) ([]byte, error) { return []byte(source), nil })
		if err != nil || (edits != nil) != want {
			t.Errorf("%q: got %v, %v", source, edits, err)
		}
	}
}

// TestHollowedBesideC: tests of Python can be about a module in C that the base has, not about a
// first file in C.
func TestHollowedBesideC(t *testing.T) {
	t.Parallel()
	work := []proof.File{{Path: "tax.py", Mode: "100644", ID: "work"}, {Path: "fast.c", Mode: "100644", ID: "new"}}
	for _, c := range []struct {
		base []proof.File
		want bool
	}{{nil, true}, {[]proof.File{{Path: "fast.c", Mode: "100644", ID: "old"}}, false}} {
		edits, err := Hollowed(c.base, work, Failing, func(string) ([]byte, error) { return []byte("def tax(c):\n    return 1\n"), nil })
		if err != nil || (edits != nil) != c.want {
			t.Errorf("%v: got %v, %v", c.base, edits, err)
		}
	}
}

// Data that only the tests read is no other thing that they may be about.
func TestHollowedBesideCases(t *testing.T) {
	t.Parallel()
	texts := map[string]string{"source": "def tax(c):\n    return 1\n", "test": "CASES = open('cases.csv')\n", "reads": "def tax(c):\n    return open('cases.csv')\n"}
	for _, source := range []string{"source", "reads"} {
		work := []proof.File{{Path: "tax.py", Mode: "100644", ID: source}, {Path: "tests/test_tax.py", Mode: "100644", ID: "test"}, {Path: "cases.csv", Mode: "100644", ID: "data"}}
		edits, err := Hollowed(nil, work, Failing, func(id string) ([]byte, error) { return []byte(texts[id]), nil })
		if err != nil || len(edits) > 0 != (source == "source") {
			t.Errorf("%s: got %v, %v", source, edits, err)
		}
	}
}

// TestIdle: functions that give a value return nothing, and others stay as they are.
func TestIdle(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, work, want string }{
		"python": {
			"tax.py", "def tax(c):\n    \"\"\"The tax.\"\"\"\n    if c:\n        return 1\n\n\ndef log(c):\n    print(c)\n    return\n\n\ndef each():\n    yield 1\n",
			"def tax(c):\n    \"\"\"The tax.\"\"\"\n    return None\n    if c:\n        return 1\n\n\ndef log(c):\n    print(c)\n    return\n\n\ndef each():\n    return None\n    yield 1\n",
		},
		"python, no values": {"log.py", "def log(c):\n    print(c)\n", ""},
		"go": {
			"tax.go", "package tax\n\nfunc Tax(c int) (int, error) { return 10, nil }\n\nfunc log() { print(1) }\n\nfunc named() (n int, err error) { return 1, nil }\n\nfunc each[T any](a T) func(T) <-chan T { return nil }\n",
			"package tax\n\nfunc Tax(c int) (int, error) { return *new(int), *new(error); return 10, nil }\n\nfunc log() { print(1) }\n\nfunc named() (n int, err error) { return ; return 1, nil }\n\nfunc each[T any](a T) func(T) <-chan T { return *new(func(T) <-chan T); return nil }\n",
		},
		"javascript, a generator": {
			"tax.js", "export function* each(xs) {\n  for (;;) yield xs\n}\n",
			"export function* each(xs) { return;\n  for (;;) yield xs\n}\n",
		},
		"javascript": {
			"tax.js", "export function tax(c) {\n  return c;\n}\n\nexport function log(c) {\n  console.log(c);\n  return;\n}\n",
			"export function tax(c) { return;\n  return c;\n}\n\nexport function log(c) {\n  console.log(c);\n  return;\n}\n",
		},
	} {
		if got := hollow(t, Idle, c.file, "", c.work, ""); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// TestInert: functions without a value do nothing, too; where there are none, or only what begins
// an object, nothing is changed.
func TestInert(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, base, work, test, want string }{
		"python":               {"log.py", "", "def log(c):\n    \"\"\"Logs.\"\"\"\n\n\ndef tax(c):\n    return 1\n", "", "def log(c):\n    return\n    \"\"\"Logs.\"\"\"\n\n\ndef tax(c):\n    return None\n    return 1\n"},
		"python, values alone": {"tax.py", "", "def tax(c):\n    return 1\n", "", ""},
		"python, an object":    {"tax.py", "", "class Tax:\n    def __init__(self):\n        self.rate = 1\n", "", ""},
		"go, a new field": {
			"a.go", "package a\n\ntype entry struct {\n\tvalue string\n}\n\nfunc set() {}\n", "package a\n\ntype entry struct {\n\tvalue   string\n\texpires int\n}\n\nfunc set() {}\n\nfunc later(e *entry) { e.expires = 1 }\n", "package a\n\nfunc TestLater() { later(e) }\n",
			"package a\n\ntype entry struct {\n\tvalue   string\n\texpires int\n}\n\nfunc set() {}\n\nfunc later(e *entry) { return; e.expires = 1 }\n",
		},
		"go, a field that tests name":      {"a.go", "package a\n\ntype entry struct{}\n", "package a\n\ntype entry struct{ expires int }\n\nfunc later() {}\n", "package a\n\nvar _ = e.expires\n", ""},
		"go, a field of another form":      {"a.go", "package a\n\ntype entry struct{ value int }\n", "package a\n\ntype entry struct{ value int `json:\"v\"` }\n\nfunc later() {}\n", "", ""},
		"go, a value that others may have": {"a.go", "package a\n\nconst most = 1\n", "package a\n\nconst most = 2\n\nfunc later() {}\n", "", ""},
		"javascript":                       {"a.js", "", "class A {\n  constructor() { this.a = 1 }\n  log(c) { console.log(c) }\n}\n", "", "class A {\n  constructor() { this.a = 1 }\n  log(c) { return; console.log(c) }\n}\n"},
		"rust":                             {"src/a.rs", "", "pub fn log(c: u8) {\n    println!(\"{}\", c);\n}\n", "", "pub fn log(c: u8) { return;\n    println!(\"{}\", c);\n}\n"},
	} {
		if got := hollow(t, Inert, c.file, c.base, c.work, c.test); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}
