package main

import (
	"strings"
	"testing"
)

// TestRealWork: of a module, a function that only its tests use becomes work.
func TestRealWork(t *testing.T) {
	t.Parallel()
	const (
		shop  = "package shop\n\nimport (\n\t\"errors\"\n\t\"strings\"\n)\n\nvar errEmpty = errors.New(\"empty\")\n\n// Title is a name\n// with large letters.\nfunc Title(s string) (string, error) {\n\tif s == \"\" {\n\t\treturn \"\", errEmpty\n\t}\n\treturn strings.ToUpper(s), nil\n}\n\n// Used is used.\nfunc Used() error {\n\tif errEmpty != nil {\n\t\treturn errEmpty\n\t}\n\treturn nil\n}\n\nvar _ = Used\n"
		tests = "package shop\n\nimport \"testing\"\n\nfunc TestUsed(t *testing.T) {\n\tif Used() == nil {\n\t\tt.Fatal()\n\t}\n}\n\n// TestTitle tests it.\nfunc TestTitle(t *testing.T) {\n\tif s, _ := Title(\"a\"); s != \"A\" {\n\t\tt.Fatal(s)\n\t}\n}\n"
	)
	m := module{path: "example.test/a/shop", files: map[string]string{"go.mod": "module example.test/a/shop\n\ngo 1.24\n", "shop.go": shop, "shop_test.go": tests}}
	all, err := m.work(t.Context(), 3)
	if err != nil || len(all) != 1 {
		t.Fatalf("%v: %d pieces of work", err, len(all))
	}
	s := all[0]
	base := s.files["repo/shop.go"] + s.files["repo/shop_test.go"]
	if strings.Contains(base, "Title") || strings.Contains(base, `"strings"`) || !strings.Contains(base, `"errors"`) || !strings.Contains(base, "TestUsed") {
		t.Errorf("the base is\n%s", base)
	}
	if !strings.Contains(s.files["agent.sh"], shop) || s.name != "example.test-a-shop-Title" || s.text("task") != "Add Title (shop.go): Title is a name with large letters." {
		t.Errorf("%s: %s\n%s", s.name, s.text("task"), s.files["agent.sh"])
	}
	if err := s.check(); err != nil {
		t.Error(err)
	}
}
