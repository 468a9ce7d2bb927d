package suspect

import (
	"testing"

	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

// TestStoredOnly: what work stores under a private name must be read by the product.
func TestStoredOnly(t *testing.T) {
	t.Parallel()
	const (
		cache = "package a\n\ntype entry struct {\n\tvalue string\n}\n\nfunc (c *Cache) Get(k string) string { return c.all[k].value }\n"
		field = "package a\n\ntype entry struct {\n\tvalue   string\n\texpires time.Time\n}\n\nfunc (c *Cache) Get(k string) string { return c.all[k].value }\n\nfunc (c *Cache) SetTTL(k, v string, d time.Duration) {\n\te := entry{value: v}\n\te.expires = time.Now().Add(d)\n\tc.all[k] = e\n}\n"
		class = "class Stock:\n    def __init__(self):\n        self._lock = threading.Lock()\n"
		shell = "keep=3\nwhile getopts k: o; do\n\tcase $o in k) keep=$OPTARG ;; esac\ndone\ntar -cf x.tar .\n"
		bus   = "class Bus {\n  constructor() {\n    this.#max = 3;\n  }\n}\n"
	)
	for what, c := range map[string]struct {
		file, base, text string
		more             prooftest.Tree
		line             int
	}{
		"Go, a field":                         {"a.go", cache, field, nil, 12},
		"Go, a field that only a test reads":  {"a.go", cache, field, prooftest.Tree{"a_test.go": "package a\n\nvar _ = entry{}.expires\n"}, 12},
		"Go, a field that the package reads":  {"a.go", cache, field, prooftest.Tree{"b.go": "package a\n\nfunc old(e entry) bool { return e.expires.Before(now) }\n"}, 0},
		"Go, another package's field":         {"a.go", cache, field, prooftest.Tree{"b/b.go": "package b\n\nfunc old(e entry) bool { return e.expires.Before(now) }\n"}, 12},
		"Go, a field of keys":                 {"a.go", cache, field + "\nvar seen map[entry]bool\n", nil, 0},
		"Go, a field in a literal":            {"a.go", cache, "package a\n\ntype entry struct {\n\tsize int\n}\n\nvar all = []entry{{size: 3}}\n", nil, 7},
		"Go, a field that only grows":         {"a.go", cache, "package a\n\ntype entry struct {\n\thits int\n}\n\nfunc (e *entry) hit() { e.hits = 0; e.hits++ }\n", nil, 7},
		"Go, reflection":                      {"a.go", cache, field + "\nvar _ = reflect.TypeOf(entry{})\n", nil, 0},
		"Python, an attribute":                {"a.py", "", class, nil, 3},
		"Python, an attribute that is held":   {"a.py", "", class + "\n    def reserve(self):\n        with self._lock:\n            pass\n", nil, 0},
		"Python, read in another file":        {"a.py", "", class, prooftest.Tree{"b.py": "def of(s):\n    return s._lock\n"}, 0},
		"Python, a task that works by itself": {"a.py", "", "class A:\n    def __init__(self):\n        self._job = asyncio.create_task(run())\n", nil, 0},
		"Python, a public attribute":          {"a.py", "", "class A:\n    def __init__(self):\n        self.code = 3\n", nil, 0},
		"Python, the base had it":             {"a.py", "class A:\n    def __init__(self):\n        self._a = 3\n", "class A:\n    def __init__(self):\n        self._a = 4\n", nil, 0},
		"JavaScript, a private field":         {"a.js", "", bus, nil, 3},
		"JavaScript, it is read":              {"a.js", "", bus + "\nconst f = (b) => b.#max;\n", nil, 0},
		"JavaScript, it is taken out":         {"a.js", "", "class B {\n  constructor() { this._max = 3; }\n  go() { const { _max } = this; }\n}\n", nil, 0},
		"shell, an option":                    {"a.sh", "", shell, nil, 1},
		"shell, an option that counts":        {"a.sh", "", shell + "ls | tail -n +$((keep + 1))\n", nil, 0},
		"shell, a script without an ending":   {"bin/a", "#!/bin/sh\n", "#!/bin/sh\n" + shell, nil, 2},
		"shell, read by another script":       {"a.sh", "", shell, prooftest.Tree{"bin/b": "#!/bin/sh\n. ../a.sh\necho \"$keep\"\n"}, 0},
		"shell, exported":                     {"a.sh", "", "keep=3\nexport keep\n", nil, 0},
		"shell, for one command":              {"a.sh", "", "keep=3 make x\n", nil, 0},
		"shell, for all commands":             {"a.sh", "", "set -ea\nkeep=3\n", nil, 0},
	} {
		base, work := prooftest.Tree{c.file: c.base + "\n"}, prooftest.Tree{c.file: c.text}
		for p, text := range c.more {
			work[p] = text
		}
		k, s := change("make", base, work)
		found, all, err := Find(k.Base, k.Work, judge.Duties{}, s.Read)
		line := 0
		for _, f := range found {
			if f.Weight() == (Finding{What: storesUnread}).Weight() {
				line = f.Line
			}
		}
		if line != c.line || !all || err != nil {
			t.Errorf("%s: %v, want %d: %v %v", what, found, c.line, all, err)
		}
	}
}
