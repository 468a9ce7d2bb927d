package planner

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// forge changes the request of the plan on the server, as a client can that writes there.
func (c crew) forge(t *testing.T, change func(*engine.InnerPlan)) {
	t.Helper()
	r, err := c.server.Read(t.Context(), c.spec.ID)
	must(t, err)
	var spec engine.PlanSpec
	must(t, json.Unmarshal(r.Spec, &spec))
	for name, in := range spec.Inner {
		change(&in)
		spec.Inner[name] = in
	}
	data, err := json.Marshal(spec)
	must(t, err)
	lease, err := c.server.Acquire(t.Context(), c.spec.ID, data, false)
	must(t, err)
	must(t, lease.Release(t.Context()))
}

// TestHostileRequestOfWorkers: a worker refuses a request with an id that leads out of its
// folder, or to another plan, before it writes anything. Every clone sees why, and the plan runs
// once it is asked for again.
func TestHostileRequestOfWorkers(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(in *engine.InnerPlan, outer string){
		"leads out":         func(in *engine.InnerPlan, _ string) { in.ID = "../escaped" },
		"leads in":          func(in *engine.InnerPlan, _ string) { in.ID = "plan/file" },
		"is too long":       func(in *engine.InnerPlan, _ string) { in.ID = strings.Repeat("x", 65) },
		"ends a text":       func(in *engine.InnerPlan, _ string) { in.ID = "x\x00" },
		"is the outer plan": func(in *engine.InnerPlan, outer string) { in.ID = outer },
		"leads out, deeper": func(in *engine.InnerPlan, _ string) {
			in.Inner = map[string]engine.InnerPlan{"deep.json": {ID: "../escaped", Text: []byte("{}")}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCrew(t, outerPlan, innerPlan, innerDoes)
			c.ask(t, engine.Options{})
			c.forge(t, func(in *engine.InnerPlan) { change(in, c.spec.ID) })
			w := c.worker(t)
			_, err := w.Resume(t.Context(), c.spec.ID, engine.Options{}, engine.Drive{})
			if !errors.Is(err, engine.ErrDamaged) || !strings.Contains(err.Error(), `the plan "sub/inner.json" in the place of a task`) {
				t.Errorf("refused with: %v", err)
			}
			dir := filepath.Dir(w.Dir("p"))
			if all, err := os.ReadDir(dir); err != nil || len(all) > 0 {
				t.Errorf("written: %v, %v", all, err)
			}
			if _, err := os.Lstat(filepath.Join(dir, "../escaped")); err == nil {
				t.Error("written outside of its folder")
			}
			shown, err := c.user.Show(t.Context(), c.spec.ID)
			if must(t, err); shown.State.Reason != loop.Damaged || !strings.Contains(shown.State.Message, "in the place of a task") {
				t.Errorf("shown as %s %s: %s", shown.State.Status, shown.State.Reason, shown.State.Message)
			}
			c.ask(t, engine.Options{})
			got, err := w.Resume(t.Context(), c.spec.ID, engine.Options{}, engine.Drive{})
			if must(t, err); got.Status != loop.StatusPassed {
				t.Errorf("asked for again: %s %s", got.Status, got.Message)
			}
		})
	}
}

// untouched is a team that must not be asked for anything.
type untouched struct {
	crewTeam
	t *testing.T
}

func (u untouched) Ready(context.Context, engine.PlanSpec, *plan.State) error {
	u.t.Error("a remote was written to")
	return nil
}

func (u untouched) Anew(context.Context, plan.State, string) (string, error) {
	u.t.Error("a branch was set aside")
	return "", nil
}

// TestHostileRequestIsNotMade: the machine that starts a plan refuses such a request, too,
// before it pushes or records anything.
func TestHostileRequestIsNotMade(t *testing.T) {
	t.Parallel()
	c := newCrew(t, outerPlan, innerPlan, innerDoes)
	c.user.TeamWorkers = untouched{crewTeam{c}, t}
	for name, change := range map[string]func(*engine.PlanSpec){
		"the id leads out":             func(s *engine.PlanSpec) { s.ID = "../escaped" },
		"it is in its own place":       func(s *engine.PlanSpec) { s.Ancestors = []string{s.ID} },
		"the inner plan is around it":  func(s *engine.PlanSpec) { s.Ancestors = []string{IDOf(filepath.Join(c.root(), "sub/inner.json"))} },
		"an ancestor is not a plan":    func(s *engine.PlanSpec) { s.Ancestors = []string{"a b"} },
		"the id is that of its option": func(s *engine.PlanSpec) { s.ID = "-x" },
	} {
		spec := c.spec
		change(&spec)
		for _, o := range []engine.Options{{}, {Fresh: true}} {
			if _, err := c.user.Start(t.Context(), spec, o, engine.Drive{}); err == nil || !strings.Contains(err.Error(), "the request of plan") {
				t.Errorf("%s: %v", name, err)
			}
			if _, err := c.server.Read(t.Context(), spec.ID); !errors.Is(err, engine.ErrNotFound) {
				t.Errorf("%s: recorded, %v", name, err)
			}
		}
	}
}
