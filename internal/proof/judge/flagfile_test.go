package judge

import (
	"slices"
	"testing"

	"ralph/internal/testing/prooftest"
)

// The files from which a gate's commands take options judge.
func TestFlagFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what, gate, makefile, file string
		judges                     bool
	}{
		{"of a compiler", "cc @flags/cc.txt -o t check.c a.c && ./t", "", "flags/cc.txt", true},
		{"of a compiler in a rule", "make test", "test:\n\t@$(CC) -O2 @.cflags -o t check.c a.c\n\t./t\n", ".cflags", true},
		{"of a variable", "make test", "CFLAGS := -O2 $(shell cat .cflags)\ntest:\n\tcc $(CFLAGS) -o t check.c a.c && ./t\n", ".cflags", true},
		{"that need not be there", "make test", "LDFLAGS = $(shell cat new.flags 2>/dev/null)\ntest:\n\tcc $(LDFLAGS) -o t check.c a.c && ./t\n", "new.flags", true},
		{"of a runner", "go test $(cat .flags) ./...", "", ".flags", true},
		{"of a runner, in other quotes", "cd flags && pytest `cat cc.txt`", "", "cc.txt", true},
		{"the tests to run", "cat tests.list | xargs -n1 go test", "", "tests.list", true},
		{"the same by an option", "xargs -a tests.list go test", "", "tests.list", true},
		{"a value", "go build -ldflags \"-X main.version=$(cat VERSION)\" ./... && go test ./...", "", "VERSION", false},
		{"a variable of another kind", "make test", "VERSION := $(shell cat VERSION)\ntest:\n\tgo test ./...\n", "VERSION", false},
		{"of a runner in a rule", "make test", "test:\n\tgo test $$(cat .flags) ./...\n", ".flags", true},
		{"of another program", "make test", "test:\n\techo $$(cat VERSION) && go test ./...\n", "VERSION", false},
		{"a package with a scope", "npm install @flags/cc.txt && npm test", "", "flags/cc.txt", false},
	} {
		base := prooftest.Tree{"a.c": "x", "check.c": "int main(void) {}", "flags/cc.txt": "-O2", ".cflags": "-O2", ".flags": "-v", "cc.txt": "-q", "tests.list": "./...", "VERSION": "1", "a_test.go": "package a"}
		if c.makefile != "" {
			base["Makefile"] = c.makefile
		}
		k, _ := change(c.gate, base, prooftest.Tree{c.file: "changed"})
		j, err := k.Judges()
		if judges := slices.Contains(j.SetAside, c.file); judges != c.judges || err != nil {
			t.Errorf("%s: judges %v, want %v: %v", c.what, judges, c.judges, err)
		}
	}
}
