package judge

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/testing/prooftest"
)

// What a gate runs by go generate judges where it writes tests; else accept asks about it.
func TestGenerators(t *testing.T) {
	t.Parallel()
	base := prooftest.Tree{
		"go.mod": "module a.b/a\n", "a.go": "package a\n\n//go:generate go run ./internal/cases -o cases_test.go\n//go:generate go run a.b/a/internal/table\n//go:generate sh gen.sh\n//go:generate stringer -type=A\n", "a_test.go": "package a",
		"internal/cases/main.go": "package main\nfunc main() { read(\"cases.in\") }\n", "internal/cases/more.go": "package main\n", "cases.in": "1",
		"internal/table/main.go": "package main\nfunc main() { write(\"table.go\") }\n", "gen.sh": "echo x >z.go\n", "other.sh": "x", "Makefile": "test:\n\tgo generate ./...\n\tgo test ./...\n",
	}
	for _, c := range []struct {
		what, gate, file, text string
		judges                 bool
		asks                   []string
	}{
		{"a generator of tests", "go generate ./... && go test ./...", "internal/cases/more.go", "x", true, nil},
		{"its data", "make test", "cases.in", "2", true, nil},
		{"a generator of the product", "make test", "internal/table/main.go", "x", false, []string{"internal/table/main.go (a gate builds and runs it, and may judge by it)"}},
		{"a script that does", "make test", "gen.sh", "x", false, []string{"gen.sh (a gate builds and runs it, and may judge by it)"}},
		{"a changed command", "make test", "a.go", "package a\n\n//go:generate go run ./internal/cases -easy\n", false, []string{"a.go (a gate runs its go:generate, which it changes)"}},
		{"one command more", "make test", "a.go", base["a.go"] + "//go:generate stringer -type=B\n", false, nil},
		{"other files", "make test", "other.sh", "y", false, nil},
		{"a gate that generates nothing", "go test ./...", "internal/cases/more.go", "x", false, nil},
	} {
		k, s := change(c.gate, base, prooftest.Tree{c.file: c.text})
		j, err := k.Judges()
		if judges := slices.Contains(j.SetAside, c.file); judges != c.judges || err != nil {
			t.Errorf("%s: judges %v, want %v: %v", c.what, judges, c.judges, err)
		}
		asks, err := Obeyed{Base: k.Base, Work: k.Work, Gates: []string{c.gate}, Content: s.Read}.Find()
		if d := cmp.Diff(c.asks, asks); d != "" || err != nil {
			t.Errorf("%s: %v %s", c.what, err, d)
		}
	}
}
