package planner

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ralph/internal/durable"
	"ralph/internal/engine"
	"ralph/internal/loop"
)

// nestedStage is a stage with a plan in the place of the first task, which has another one in
// the place of its own. The folder has the files.
func nestedStage(t *testing.T, does map[string]work) (s stage, dir string) {
	t.Helper()
	s = newStage(t, "plan.json", outerPlan, does)
	dir, err := filepath.EvalSymlinks(filepath.Dir(s.spec.File))
	must(t, err)
	s.spec.File = filepath.Join(dir, "plan.json")
	s.spec.ID = IDOf(s.spec.File)
	must(t, durable.Write(filepath.Join(dir, "sub/inner.json"), []byte(`{"tasks": [{"id": "x", "title": "do x", "dependencies": [], "plan": "deep.json"}]}`)))
	must(t, durable.Write(filepath.Join(dir, "sub/deep.json"), []byte(`{"tasks": [{"id": "z", "title": "do z", "dependencies": []}]}`)))
	return s, dir
}

// TestInnerPlanKeepsItsID: plans in tasks' places that came from a server are those that they
// were there, although their files lie elsewhere.
func TestInnerPlanKeepsItsID(t *testing.T) {
	t.Parallel()
	s, dir := nestedStage(t, map[string]work{"z": passes("z.txt", "Z"), "b": passes("b.txt", "B")})
	s.spec.Inner = map[string]engine.InnerPlan{"sub/inner.json": {ID: "inner-1", Inner: map[string]engine.InnerPlan{"deep.json": {ID: "deep-1"}}}}
	got := s.run(t, engine.Drive{})
	if got.Status != loop.StatusPassed || !slices.Equal(got.Inner(), []string{"inner-1"}) || s.began() != "deep-1-z b" {
		t.Fatalf("%s %s: plans %v, loops %s", got.Status, got.Message, got.Inner(), s.began())
	}
	deep, err := s.Show(t.Context(), "deep-1")
	if must(t, err); deep.State.File != filepath.Join(dir, "sub/deep.json") || !slices.Equal(deep.Spec.Ancestors, []string{s.spec.ID, "inner-1"}) {
		t.Errorf("the innermost plan has the file %s and the ancestors %v", deep.State.File, deep.Spec.Ancestors)
	}
	if data, err := os.ReadFile(deep.State.File); err != nil || !strings.Contains(string(data), `"done"`) {
		t.Errorf("its file: %s, %v", data, err)
	}
}
