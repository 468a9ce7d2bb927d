package view

import (
	"os"
	"regexp"
	"testing"
)

// TestRenderersKnowNoState: what a renderer shows is worked out once, by the
// builders (LoopOf, Item.Run, PlanItem.Run); else formats begin to disagree.
func TestRenderersKnowNoState(t *testing.T) {
	t.Parallel()
	state := regexp.MustCompile(`\b(loop|plan)\.State\b`)
	for _, file := range []string{
		"run.go", "list.go", "show.go", "evidence.go", "attempts.go",
		"object.go", "planshow.go", "summary.go", "summaryplan.go", "spent.go", "markdown.go", "html.go", "timeline.go", "junit.go",
	} {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if at := state.FindIndex(src); at != nil {
			t.Errorf("%s uses a recorded state: take it from the view", file)
		}
	}
}
