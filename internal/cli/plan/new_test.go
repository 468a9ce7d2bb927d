package plan

import (
	"testing"

	"ralph/internal/planfile"
)

// TestExamplePlan: the example of each format is read as that format, with what
// agents are to imitate.
func TestExamplePlan(t *testing.T) {
	t.Parallel()
	for _, as := range planfile.Rendered() {
		text, _, err := planfile.Render(examplePlan(), as)
		if err != nil {
			t.Errorf("%s: %v", as, err)
			continue
		}
		f, err := planfile.ReadAs("plan", text, as)
		if err != nil || len(f.Plan.Open().Tasks) < 2 {
			t.Errorf("%s: %d open tasks, %v:\n%s", as, len(f.Plan.Open().Tasks), err, text)
		}
	}
}
