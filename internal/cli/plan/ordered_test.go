package plan

import (
	"testing"

	"ralph/internal/planfile"
)

// TestOrdered: only open tasks are counted that wait for nothing but the one before them.
func TestOrdered(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file string
		want int
	}{
		"tasks.md":    {"### Task 1: a\n- [x] x\n\n### Task 2: b\n- [ ] x\n\n### Task 3: c\n- [ ] x\n\n### Task 4: d\n**Dependencies:** Task 2\n- [ ] x\n\n### Task 5: e\n**Dependencies:** None\n- [ ] x\n", 1},
		"list.md":     {"- [ ] a\n- [ ] b\n- [ ] c\n", 2},
		"sections.md": {"---\nstatus: in_progress\n---\n# T\n\n## A\n\nx\n\n## B\n\ny\n", 0},
	} {
		f, err := planfile.Read(name, []byte(c.file))
		if err != nil {
			t.Fatal(name, err)
		}
		if got := ordered(f.Plan); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	for _, f := range []planfile.Format{planfile.Tasks, planfile.Checklist, planfile.SpecKit, planfile.Kiro, planfile.Stories, planfile.Features} {
		if words := orderedWords(1, f); len(words) < 60 {
			t.Errorf("%s: %s", f, words)
		}
	}
}
