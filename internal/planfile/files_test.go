package planfile

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/plan"
)

// Files stand in a list or in one line; of a text task, the one to be created is
// its output.
func TestFilesOfTasks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines  string
		files  []string
		output string
	}{
		"a line":          {"**Files:** Create: docs/spec.md", []string{"docs/spec.md"}, "docs/spec.md"},
		"marks":           {"**Files:** Create: `docs/spec.md`", []string{"docs/spec.md"}, "docs/spec.md"},
		"no verb":         {"**Files:** docs/a.md, docs/b.md:12-30", []string{"docs/a.md", "docs/b.md"}, ""},
		"one of several":  {"**Files:** Modify: a.md, b.md; create: c.md", []string{"a.md", "b.md", "c.md"}, "c.md"},
		"two are created": {"**Files:** Create: a.md, b.md", []string{"a.md", "b.md"}, ""},
		"a list":          {"**Files:**\n- Create: `a.md`\n- Modify: `b.md:3`", []string{"a.md", "b.md"}, "a.md"},
		"words":           {"**Files:** whatever it takes (see below), a.md", []string{"a.md"}, ""},
		"in code":         {"```\n**Files:** Create: a.md\n```", nil, ""},
		"another output":  {"**Output:** o.md\n**Files:** Create: a.md", []string{"a.md"}, "o.md"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for kind, output := range map[string]string{"text": c.output, "code": map[bool]string{true: "o.md"}[c.output == "o.md"]} {
				f, err := Read("p.md", []byte("# P\n\n### Task 1: a\n**Kind:** "+kind+"\n"+c.lines+"\n- [ ] x\n"))
				if err != nil {
					t.Fatal(err)
				}
				got := f.Plan.Tasks[0]
				if diff := cmp.Diff(plan.Task{Files: c.files, Output: output}, plan.Task{Files: got.Files, Output: got.Output}); diff != "" {
					t.Errorf("%s: %s", kind, diff)
				}
			}
		})
	}
}
