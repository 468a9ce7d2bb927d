package gate

import (
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/testing/tier"
)

// A go that a test starts hears no -v: its output would be another one in ralph only.
func TestGoOfTestsHearsNothing(t *testing.T) {
	t.Parallel()
	tier.SkipLacking(t, "make")
	const makefile = "test:\n\t@if [ \"$$GOFLAGS\" = -v ]; then printf -- '=== RUN   TestA\\n--- PASS: TestA (0.00s)\\nPASS\\n'; fi; printf 'ok  \\ta\\t0.1s\\n'\n"
	const named, unknown = "1 test passed", "exit code 0, number of tests unknown"
	test := func(code string) string { return "package a\n\nfunc TestA(t *testing.T) {\n\t" + code + "\n}\n" }
	run := test(`out, err := exec.Command("go", "run", ".").CombinedOutput()`)
	for name, c := range map[string]struct{ file, text, reason string }{
		"starts go":            {"a_test.go", run, unknown},
		"with a context":       {"sub/a_test.go", test(`c := exec.CommandContext(t.Context(), "go", "build")`), unknown},
		"go alone":             {"a_test.go", test("c := exec.Command(\n\t\t\"go\",\n\t\targs...)"), unknown},
		"by its path":          {"a_test.go", test(`path, err := exec.LookPath("go")`), unknown},
		"starts another":       {"a_test.go", test(`c := exec.Command("git", "go", "run"); d := exec.CommandContext(ctx, "sh", "go")`), named},
		"in the product":       {"a.go", run, named},
		"in no package":        {"testdata/x/a_test.go", run, named},
		"in a folder left out": {"_old/a_test.go", run, named},
		"too large to be read": {"a_test.go", run + strings.Repeat("//\n", longestGoTest/3+1), named},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, map[string]string{"Makefile": makefile, c.file: c.text})
			want(t, p.run(loop.Gate{Kind: loop.KindTests, Run: "make -s test"}), loop.Passed, c.reason)
		})
	}
}

// What the user set stays.
func TestOwnGoflagsStay(t *testing.T) {
	t.Parallel()
	p := newPlace(t, map[string]string{"a_test.go": `var _ = exec.Command("go", "run", ".")`})
	r := p.request(loop.Gate{})
	tree, err := openTree(p.tree, "")
	if err != nil {
		t.Fatal(err)
	}
	defer tree.close()
	e := &evaluation{Request: r, tree: tree}
	had := []string{"GOFLAGS=-mod=mod"}
	if got := e.unheardByTests(appended(had, "GOFLAGS", "-v"), had); lookup(got, "GOFLAGS") != "-mod=mod" {
		t.Errorf("%q", got)
	}
}
