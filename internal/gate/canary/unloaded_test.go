package canary

import (
	"slices"
	"strings"
	"testing"
)

func TestUnloaded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, id string
		want     bool
	}{
		{"tax/tax_test.go", "example.com/shop/tax", true},
		{"tax/tax_test.go", "example.com/shop/tax:TestTax", false},
		{"tax/tax_test.go", "example.com/shop/price", false},
		{"tax_test.go", "example.com/shop", true},
		{"test_tax.py", "test_tax.py", true},
		{"app/tests/test_tax.py", "tests/test_tax.py", true},
		{"test_tax.py", "test_tax.py::test_tax", false},
		{"test_tax.py", "other_test_tax.py", false},
		{"tests/test_tax.py", "unittest.loader._FailedTest.tests.test_tax", true},
		{"tests/test_tax.py", "test_tax (unittest.loader._FailedTest.test_tax)", true},
		{"tests/test_tax.py", "tests.test_tax.Tax.test_tax", false},
		{"test/tax.test.js", "/tmp/room/test/tax.test.js", true},
		{"test/tax.test.js", "test/tax.test.js > tax", false},
	} {
		p := Place{At: c.file, Path: c.file}
		if dir, _, ok := strings.Cut(c.file, "/"); strings.HasSuffix(c.file, ".go") {
			if p.At = "."; ok {
				p.At = dir
			}
		}
		if got := len(Unloaded([]Place{p}, []string{"x:TestX", c.id})) == 1; got != c.want {
			t.Errorf("%s, %s: %v", c.file, c.id, got)
		}
	}
}

// TestUnloadedRoot: a test of another runner is not the Go package in the root.
func TestUnloadedRoot(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{"first": false, "test_tax.Tax.test_tax": false, "example.com/shop": true, "command-line-arguments": true} {
		if got := len(Unloaded(Sites([]string{"tax_test.go"}, "example.com/shop"), []string{id})) == 1; got != want {
			t.Errorf("%s: %v", id, got)
		}
	}
}

// TestBare: what does not load on the base is gone, and what the canary needs is left.
func TestBare(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"tax/a_test.go":   "// Package tax.\npackage tax\n\nimport \"testing\"\n\nfunc TestTax(t *testing.T) { Tax() }\n",
		"tax/b_test.go":   "package tax_test\n\nfunc missing() { tax.Tax() }\n",
		"price_test.go":   "package shop\n\nimport \"testing\"\n\nfunc TestPrice(t *testing.T) {}\n",
		"test_tax.py":     "from shop import missing\n\ndef test_tax():\n    pass\n",
		"web/tax.test.js": "import { missing } from './tax.js'\nimport test, {\n  describe,\n} from 'node:test'\nconst assert = require(\"node:assert/strict\");\ntest('tax', () => missing())\n",
	}
	got := placesOf(files, Options{Own: true, Bare: []string{"tax", "test_tax.py", "web/tax.test.js"}})
	if len(got) != 4 {
		t.Fatalf("%d places", len(got))
	}
	for _, p := range got {
		written := map[string]string{p.Path: string(p.Data)}
		for _, f := range p.Edited {
			written[f.Path] = string(f.Data)
		}
		all := ""
		for _, text := range written {
			all += text
		}
		if strings.Contains(all, "Tax(") || strings.Contains(all, "missing") || slices.ContainsFunc(p.Names, func(n string) bool { return !strings.Contains(all, n) }) {
			t.Errorf("%s: %s", p.At, all)
		}
		switch p.At {
		case "tax":
			if written["tax/a_test.go"] != "package tax\n" || written["tax/b_test.go"] != "package tax_test\n" || len(p.Own) > 0 {
				t.Errorf("%v, own %q", written, p.Own)
			}
		case ".":
			if !slices.Equal(p.Own, []string{"TestPrice"}) {
				t.Errorf("own %q", p.Own)
			}
		case "web/tax.test.js":
			if !strings.Contains(all, "from 'node:test'") || !strings.Contains(all, "node:assert/strict") {
				t.Errorf("%s", all)
			}
		}
	}
}

func TestIdle(t *testing.T) {
	t.Parallel()
	const id, other = "test_a.py::test_one", "test_a.py::test_two"
	plain := Place{At: "test_a.py", Path: "test_a.py", Data: []byte("def test_one(): pass\n"), Own: []string{"test_one", "test_two"}}
	skips := plain
	skips.Data = []byte("@pytest.mark.skipif(True)\ndef test_one(): pass\n")
	for name, c := range map[string]struct {
		place           Place
		passed, skipped []string
		want            string
	}{
		"all pass":               {plain, []string{id, other}, nil, ""},
		"none ran":               {plain, nil, nil, "no test of test_a.py ran and passed"},
		"all skipped by itself":  {skips, nil, []string{id, other}, "no test of test_a.py ran and passed"},
		"one skipped":            {plain, []string{other}, []string{id}, id + " was skipped"},
		"one skipped by itself":  {skips, []string{other}, []string{id}, ""},
		"skipped in other files": {plain, []string{id, other}, []string{"test_b.py::test_three"}, ""},
		"a test elsewhere":       {plain, []string{"test_b.py::test_one", "test_b.py::test_two"}, nil, "no test of test_a.py ran and passed"},
		"from another folder":    {plain, []string{"../src/test_a.py::test_one"}, nil, ""},
		"by unittest":            {plain, []string{"tests.test_a.A.test_one"}, nil, ""},
		"by unittest, elsewhere": {plain, []string{"tests.test_b.A.test_one"}, nil, "no test of test_a.py ran and passed"},
		"names unknown":          {Place{At: "test_a.py"}, nil, nil, ""},
	} {
		if got := c.place.Idle(c.passed, c.skipped); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
