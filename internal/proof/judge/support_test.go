package judge

import (
	"slices"
	"testing"

	"ralph/internal/testing/prooftest"
)

// Sources that import a test library support the tests of the base; those without
// are the product, and so is all where the base has no tests.
func TestSupports(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, text string
		want       bool
	}{
		{"internal/check/check.go", "package check\n\nimport \"testing\"\n", true},
		{"check.go", "package check\n\nimport (\n\t\"fmt\"\n\n\t. \"github.com/stretchr/testify/assert\"\n)\n", true},
		{"check.go", "package check\n\n// import \"testing\"\nvar x = `\"testing\"`\n", false},
		{"support.py", "import os\nfrom unittest import TestCase\n", true},
		{"support.py", "import unittesting\n", false},
		{"help.js", "const { test } = require('node:test')\n", true},
		{"help.js", "const assert = require('node:assert')\n", false},
		{"notes.md", "import \"testing\"\n", false},
	} {
		for _, tested := range []bool{true, false} {
			base := prooftest.Tree{c.file: c.text, "go.mod": "module a\n"}
			if tested {
				base["a_test.go"], base["test_a.py"], base["a.test.js"] = "package a", "x", "x"
			}
			k, _ := change("true", base, prooftest.Tree{c.file: c.text + "\n"})
			got, err := k.Judges()
			if err != nil {
				t.Fatal(err)
			}
			if slices.Contains(got.SetAside, c.file) != (c.want && tested) {
				t.Errorf("%s %q, tested %v: set aside %q", c.file, c.text, tested, got.SetAside)
			}
		}
	}
}

// Folders that a Makefile puts on PATH hold judges.
func TestSearchPath(t *testing.T) {
	t.Parallel()
	base := prooftest.Tree{"Makefile": "# PATH = docs\nexport PATH := $(CURDIR)/tools:$(PATH)\n\ntest:\n\tsh test.sh\n", "docs/a": "x", "tools/README": "x"}
	k, _ := change("make test", base, prooftest.Tree{"tools/sh": "exec:x", "docs/sh": "exec:x"})
	got, err := k.Judges()
	if err != nil || !slices.Equal(got.SetAside, []string{"tools/sh"}) {
		t.Errorf("%q %v", got.SetAside, err)
	}
}
