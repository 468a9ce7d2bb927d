package planner

import (
	"os"
	"path/filepath"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/testing/enginetest"
)

// TestContract holds the planner to what front ends expect of any engine of plans.
func TestContract(t *testing.T) {
	t.Parallel()
	enginetest.RunPlans(t, func(t *testing.T) enginetest.PlansFixture {
		s := newStage(t, "passes.json", chain, map[string]work{
			"a": passes("a.txt", "A"), "b": passes("b.txt", "B"), "no": fails,
			"q": {status: loop.StatusPassed, files: map[string]string{"q.txt": "Q"}, asks: "Which?"},
		})
		f := enginetest.PlansFixture{Plans: s.Planner, Passes: s.spec}
		spec := func(name, text string) engine.PlanSpec {
			one := s.spec
			one.File = filepath.Join(filepath.Dir(s.spec.File), name)
			one.ID = IDOf(one.File)
			must(t, os.WriteFile(one.File, []byte(text), 0o600))
			return one
		}
		f.Fails = spec("fails.json", `{"tasks": [{"id": "a", "title": "do a", "dependencies": []}, {"id": "no", "title": "do no", "dependencies": ["a"]}]}`)
		f.Asks = spec("asks.json", `{"tasks": [{"id": "q", "title": "do q", "dependencies": []}, {"id": "b", "title": "do b", "dependencies": ["q"]}]}`)
		f.Answer = func(t *testing.T) {
			_, err := s.engine.Send(t.Context(), loopID(f.Asks.ID, "q", "", 1), engine.Command{Kind: engine.Answer, Text: "this"})
			must(t, err)
		}
		return f
	})
}
