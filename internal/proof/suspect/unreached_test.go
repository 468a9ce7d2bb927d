package suspect

import (
	"maps"
	"slices"
	"testing"

	"ralph/internal/proof"
)

// TestUnreached: work beside what the task names.
func TestUnreached(t *testing.T) {
	t.Parallel()
	const (
		store = "package shop\n\ntype Store struct{ Load func(string) string }\n\nfunc (s *Store) Get(key string) string { return s.Load(key) }\n"
		queue = "class Queue:\n    def __init__(self, size):\n        self.size = size\n\n    def push(self, x):\n        self.items.append(x)\n"
		greet = "def greet(name):\n    return 'Hello ' + name\n"
	)
	for name, tt := range map[string]struct {
		task       string
		base, work map[string]string
		want       string
	}{
		"go, a type beside":         {"Store.Get in store.go must cache. Add tests.", map[string]string{"store.go": store}, map[string]string{"cache.go": "package shop\n\ntype Cache struct{}\n\nfunc (c *Cache) Get(key string) string { return key }\n"}, "store.go:3"},
		"go, a method":              {"Store.Get in store.go must cache.", map[string]string{"store.go": store}, map[string]string{"store.go": store + "\nfunc (s *Store) Put() {}\n"}, ""},
		"go, a function beside":     {"Sort(items) is wrong for equal prices.", map[string]string{"a.go": "package a\n\nfunc Sort(items []int) {}\n"}, map[string]string{"b.go": "package a\n\nfunc SortStable(items []int) {}\n"}, "a.go:3"},
		"go, it is called":          {"Sort(items) is wrong.", map[string]string{"a.go": "package a\n\nfunc Sort(items []int) { less(1) }\n\nfunc less(n int) bool { return true }\n"}, map[string]string{"a.go": "package a\n\nfunc Sort(items []int) { less(1) }\n\nfunc less(n int) bool { return false }\n"}, ""},
		"go, two steps":             {"Sort(items) is wrong.", map[string]string{"a.go": "package a\n\nfunc Sort(items []int) { less(1) }\n\nfunc less(n int) bool { return of(n) }\n", "b.go": "package a\n\nfunc of(n int) bool { return true }\n"}, map[string]string{"b.go": "package a\n\nfunc of(n int) bool { return false }\n"}, ""},
		"go, a method elsewhere":    {"Order.DueDate: two days after creation.", map[string]string{"order/order.go": "package order\n\ntype Order struct{ Day int }\n"}, map[string]string{"order/due.go": "package order\n\nfunc (o *Order) DueDate() int { return o.Day + days }\n\nconst days = 2\n"}, ""},
		"typescript, by parts":      {"rates(url, {retries}) tries again.", map[string]string{"src/rates.ts": "export async function rates(url: string): Promise<Record<string, number>> {\n  return (await fetch(url)).json();\n}\n"}, map[string]string{"src/rates.ts": "const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));\n\nexport async function rates(url: string, { retries = 0 }: Options = {}): Promise<Record<string, number>> {\n  await wait(1);\n  return (await fetch(url)).json();\n}\n"}, ""},
		"go, it calls it":           {"Use Round(n) in invoices.", map[string]string{"a.go": "package a\n\nfunc Round(n int) int { return n }\n\nfunc total() int { return 1 }\n"}, map[string]string{"a.go": "package a\n\nfunc Round(n int) int { return n }\n\nfunc total() int { return Round(1) }\n"}, ""},
		"go, another is added":      {"Add Snake(s), as Title(s) is.", map[string]string{"a.go": "package a\n\nfunc Title(s string) string { return s }\n"}, map[string]string{"b.go": "package a\n\nfunc Snake(s string) string { return s }\n"}, ""},
		"go, it names an error":     {"Add Apply (apply.go): it applies a patch. If that fails, Apply returns an *ApplyError.", map[string]string{"apply.go": "package a\n\ntype ApplyError struct{}\n\nfunc text() {}\n"}, map[string]string{"apply.go": "package a\n\ntype ApplyError struct{}\n\nfunc text() {}\n\nfunc Apply(s string) error { return nil }\n", "b.go": "package a\n\nfunc fragment() {}\n"}, ""},
		"go, a value":               {"Rate() must be 19.", map[string]string{"a.go": "package a\n\nvar rate = 7\n\nfunc Rate() int { return rate }\n"}, map[string]string{"a.go": "package a\n\nvar rate = 19\n\nfunc Rate() int { return rate }\n"}, ""},
		"python, a subclass":        {"Make Queue in q.py bounded: Queue(2).push raises for the third.", map[string]string{"q.py": queue}, map[string]string{"q.py": queue + "\n\nclass BoundedQueue(Queue):\n    def push(self, x):\n        raise OverflowError\n"}, "q.py:1"},
		"python, a remark":          {"greet(name) must escape.", map[string]string{"a.py": greet}, map[string]string{"a.py": "def escape(text):\n    return text\n\n\ndef greet(name):\n    # see escape()\n    return 'Hello ' + name\n"}, "a.py:5"},
		"python, a constant":        {"greet(name) must say Hi.", map[string]string{"a.py": "WORD = 'Hello '\n\n\ndef greet(name):\n    return WORD + name\n"}, map[string]string{"a.py": "WORD = 'Hi '\n\n\ndef greet(name):\n    return WORD + name\n"}, ""},
		"python, at import":         {"greet(name) must say Hi.", map[string]string{"a.py": greet}, map[string]string{"a.py": greet + "\n\nprint('x')\n"}, ""},
		"python, data":              {"greet(name) must say Hi.", map[string]string{"a.py": greet, "words.json": "1"}, map[string]string{"words.json": "2", "b.py": "def other():\n    pass\n"}, ""},
		"python, no name":           {"Say hello to people.", map[string]string{"a.py": greet}, map[string]string{"b.py": "def other():\n    pass\n"}, ""},
		"javascript, a class":       {"Api.call must limit.", map[string]string{"api.js": "export class Api {\n  call() {\n    return 1\n  }\n}\n"}, map[string]string{"limit.js": "export function limit() {\n  return 1\n}\n"}, "api.js:1"},
		"javascript, with defaults": {"load(url, {fetch}): Api of it.", map[string]string{"api.js": "export class Api {\n  call() {\n    return 1\n  }\n}\n"}, map[string]string{"a.js": "export async function load(url, { fetch = f } = {}) {\n  return wait(1)\n}\nexport const wait = (n) => n\n"}, ""},
		"javascript, it is itself":  {"Api.call must limit.", map[string]string{"api.js": "export class Api {\n  call() {\n    return 1\n  }\n}\n"}, map[string]string{"api.js": "export class Api {\n  call() {\n    return 2\n  }\n}\n"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			texts := map[string]string{}
			files := func(all map[string]string, of string) (out []proof.File) {
				for _, p := range slices.Sorted(maps.Keys(all)) {
					texts[of+p+all[p]] = all[p]
					out = append(out, proof.File{Path: p, Mode: "100644", ID: of + p + all[p]})
				}
				return out
			}
			after := maps.Clone(tt.base)
			maps.Copy(after, tt.work)
			found, err := unreached(declaringOnce(proof.Index(files(tt.base, "")), proof.Index(files(after, "")), func(id string) ([]byte, error) { return []byte(texts[id]), nil }), tt.task)
			got := ""
			for _, s := range found {
				got = s.String()
			}
			if want := tt.want; err != nil || want != "" && got != want+" "+namedByTask || want == "" && got != "" {
				t.Errorf("%v: got %q, want %q", err, got, want)
			}
		})
	}
}

func TestNamesInTask(t *testing.T) {
	t.Parallel()
	for task, want := range map[string][]string{
		"Store.Get must cache":                       {"Store"},
		"Fix parse_date and `round`, see Add(1)":     {"parse_date", "round", "Add"},
		"Make Queue bounded. In Go, HTTP is a word.": {"Queue"},
		"The login page must remember people":        nil,
	} {
		if got := namesInTask(task); !slices.Equal(got, want) {
			t.Errorf("%q: got %q", task, got)
		}
	}
}
