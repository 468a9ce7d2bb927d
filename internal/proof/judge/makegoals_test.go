package judge

import (
	"slices"
	"testing"

	"ralph/internal/testing/prooftest"
)

// Goals that the work adds to a makefile and that no gate makes are its own.
func TestNewGoals(t *testing.T) {
	t.Parallel()
	const old = ".PHONY: test\nX = a\ntest: built\n\tsh scripts/test.sh\nbuilt: a.go\n\ttouch built\n"
	for _, c := range []struct {
		what, gate, work string
		free             bool
	}{
		{"a goal at the end", "make test", old + "\n# Remove files.\nclean: ## remove files\n\trm -f $(X)\n", true},
		{"a phony one", "make test", ".PHONY: test clean\nX = a\ntest: built\n\tsh scripts/test.sh\n\n.PHONY: fmt\nclean fmt:\n\trm -f x\n\nbuilt: a.go\n\ttouch built\n", true},
		{"a gate that runs no make", "go test ./...", old + "lint: test\n\tgo vet ./...\n", true},
		{"the goal of the gate", "make check", old + "check:\n\ttrue\n", false},
		{"a goal before the first", "make test", "clean:\n\trm x\n" + old, false},
		{"a goal that takes a recipe", "make test", ".PHONY: test\nX = a\ntest: built\nclean:\n\tsh scripts/test.sh\nbuilt: a.go\n\ttouch built\n", false},
		{"a line of a recipe", "make test", old + "\ttrue\nclean:\n", false},
		{"a rule for what another one needs", "make test", old + "scripts/test.sh:\n\techo true >scripts/test.sh\n", false},
		{"a rule for a source", "make test", old + "a:\n\ttrue\n", false},
		{"a rule for the file itself", "make test", old + "Makefile:\n\ttrue\n", false},
		{"a pattern", "make test", old + "%.go:\n\ttrue\n", false},
		{"what make runs as it reads", "make test", old + "clean: $(shell rm -r tests)\n\ttrue\n", false},
		{"a variable for a goal", "make test", old + "clean: SHELL = /bin/true\n", false},
		{"a variable", "make test", old + "SHELL = /bin/true\n", false},
		{"a target that is no longer phony", "make test", "X = a\ntest: built\n\tsh scripts/test.sh\nbuilt: a.go\n\ttouch built\nclean:\n\trm x\n", false},
		{"another one that becomes phony", "make test", ".PHONY: built\n" + old, false},
		{"a special target", "make test", old + ".IGNORE:\n", false},
	} {
		base := prooftest.Tree{"Makefile": old, "scripts/test.sh": "true", "a.go": "package a", "a_test.go": "package a", "go.mod": "module a\n"}
		k, _ := change(c.gate, base, prooftest.Tree{"Makefile": c.work})
		j, err := k.Judges()
		if free := !slices.Contains(j.SetAside, "Makefile"); free != c.free || err != nil {
			t.Errorf("%s: free %v, want %v: %v", c.what, free, c.free, err)
		}
	}
	for gate, free := range map[string]bool{"go test ./...": true, "make test": false} {
		k, _ := change(gate, prooftest.Tree{"a.go": "x", "a_test.go": "x"}, prooftest.Tree{"Makefile": "build:\n\tgo build\n"})
		j, err := k.Judges()
		if got := len(j.SetAside) == 0; got != free || err != nil {
			t.Errorf("a first Makefile where the gate is %q: %v %v", gate, j.SetAside, err)
		}
	}
}
