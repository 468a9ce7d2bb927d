package planfile

import (
	"strings"
	"testing"

	"ralph/internal/plan"
)

// A parent is no task where somebody else does what it says: a part that has to
// be done. With nothing but optional parts it is one.
func TestParentOfOptionalParts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want, group string }{
		"a part has to be done":   {"- [ ] 2. Parse\n  - [ ] 2.1 core\n  - [ ]* 2.2 tests\n", "2.1 pending, 2.2 skipped", "Parse"},
		"optional parts only":     {"- [ ] 2. Parse\n  - words\n  - [ ]* 2.1 tests\n", "2 pending, 2.1 skipped", "Parse"},
		"done":                    {"- [x] 2. Parse\n  - [ ]* 2.1 tests\n", "2 done, 2.1 skipped", "Parse"},
		"a part of optional ones": {"- [ ] 2. Parse\n  - [ ] 2.1 core\n    - [ ]* 2.1.1 tests\n", "2.1 pending, 2.1.1 skipped", "core"},
		"all of it is optional":   {"- [ ]* 2. Parse\n  - [ ]* 2.1 tests\n", "2 skipped, 2.1 skipped", "Parse"},
	} {
		f := mustRead(t, ".kiro/specs/a/tasks.md", []byte(c.text))
		var got []string
		for _, task := range f.Plan.Tasks {
			got = append(got, task.ID+" "+string(task.Status))
		}
		last := f.Plan.Tasks[len(f.Plan.Tasks)-1]
		if words := strings.Join(got, ", "); words != c.want || last.Group != c.group {
			t.Errorf("%s: %s in %q", name, words, last.Group)
		}
	}
	f := mustRead(t, "tasks.md", []byte("- [ ] 2. Parse\n  - words\n  - [ ]* 2.1 tests\n"))
	if f.Plan.Tasks[0].Text != "- words" {
		t.Errorf("the text is %q", f.Plan.Tasks[0].Text)
	}
	if w := f.Write([]Change{doneOf("2")}); string(w.Data) != "- [x] 2. Parse\n  - words\n  - [ ]* 2.1 tests\n" {
		t.Errorf("written: %s", w.Data)
	}
}

// What is optional is skipped, in JSON as in Kiro's lists; it may be done.
func TestOptionalInJSON(t *testing.T) {
	t.Parallel()
	const text = `{"schema":"ralph.plan/v1","tasks":[{"id":"a","title":"A","optional":true},{"id":"b","title":"B","optional":true,"status":"done"}]}`
	f := mustRead(t, "p.json", []byte(text))
	if got := [2]plan.Status{f.Plan.Tasks[0].Status, f.Plan.Tasks[1].Status}; got != [2]plan.Status{plan.Skipped, plan.Done} {
		t.Errorf("got %v", got)
	}
	if w := f.Write([]Change{doneOf("a")}); len(w.Left) > 0 || !strings.Contains(string(w.Data), `"optional":true,"status":"done"},{"id":"b"`) {
		t.Errorf("left %v of %s", w.Left, w.Data)
	}
}
