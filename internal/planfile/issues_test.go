package planfile

import (
	"slices"
	"strings"
	"testing"

	"ralph/internal/plan"

	"github.com/google/go-cmp/cmp"
)

// TestIssues: the dependencies of issues order their boxes, whose other order is
// that of the file within an issue.
func TestIssues(t *testing.T) {
	t.Parallel()
	f, err := Read("list.md", []byte(strings.Join([]string{
		"# Work", "",
		"#### Issue: `core` - Store", "**Priority**: P0 (Blocking)", "- [ ] open it", "- [ ] lock it", "",
		"#### Issue: `cli` - Commands", "**Priority**: P1", "**Depends on**: `core`", "- [ ] add a flag", "- [ ] explain it", "",
		"#### Issue: `docs` - Words", "**Priority**: P2", "**Depends on**: `core`, `cli` (both)", "- [ ] write", "",
		"#### Issue: `extra` - More", "**Depends on**: `gone`", "- [ ] last", "",
	}, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, task := range f.Plan.Tasks {
		got[task.ID] = []string{}
		for _, n := range task.Needs {
			got[task.ID] = append(got[task.ID], n.On)
		}
	}
	want := map[string][]string{
		"open-it": {}, "lock-it": {"open-it"}, "add-a-flag": {"lock-it"}, "explain-it": {"add-a-flag"},
		"write": {"lock-it", "explain-it"}, "last": {},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if p := f.Plan.Tasks[4].Priority; p != 2 {
		t.Errorf("priority %d, want 2", p)
	}
	if len(f.Warnings) != 1 || !strings.Contains(f.Warnings[0].Message, "gone") {
		t.Errorf("%+v", f.Warnings)
	}
}

// TestLabelsThatNobodyReads: a check without a command and a misspelt label are said.
func TestLabelsThatNobodyReads(t *testing.T) {
	t.Parallel()
	f, err := Read("plan.md", []byte("# P\n\n### Task 1: One\n- [ ] do one\n\n**Verify:** python3 -c 'import x'\n\n### Task 2: Two\n- [ ] do two\n\n"+
		"**Verfy:** `true`\n**Note:** none\n**Depends:** Task 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Warning{
		{Line: 6, Message: "\"Verify\" names no command in `backticks`, so nothing checks it"},
		{Line: 11, Message: `"Verfy" is not read; did you mean "Verify"?`},
	}
	if !slices.Equal(f.Warnings, want) {
		t.Errorf("%+v", f.Warnings)
	}
	if needs := f.Plan.Tasks[1].Needs; len(needs) != 1 || needs[0].On != f.Plan.Tasks[0].ID || needs[0].Why == plan.Order {
		t.Errorf("depends on %+v", needs)
	}
}
