package move_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/durable"
	"ralph/internal/engine"
	"ralph/internal/engine/move"
	"ralph/internal/engine/stored"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/shelf"
	"ralph/internal/testing/enginetest"
	"ralph/internal/testing/shelftest"
)

// planWorld is a world with plans.
type planWorld struct {
	*world
	plans *enginetest.Plans
	// ids are those of the plans, tasks those of their loops; inner are the plans in the places
	// of a plan's tasks.
	ids, tasks []string
	inner      map[string]map[string]engine.InnerPlan
	// landed, written and backed are what moves did outside of the records of plans.
	landed, written, backed int
	// files are those that moves published of the plans.
	files map[string]string
	// shelves have the budgets of the plans on the server.
	shelves map[string]*shelftest.Memory
}

// budgets are those of the plans on the server.
func (w *planWorld) budgets() *stored.PlanBudgets {
	return &stored.PlanBudgets{
		Shelf: func(id string) shelf.Shelf {
			if w.shelves[id] == nil {
				w.shelves[id] = &shelftest.Memory{}
			}
			return w.shelves[id]
		},
		Now: func() time.Time { return noon },
	}
}

func newPlanWorld(t *testing.T) *planWorld {
	return &planWorld{
		world: newWorld(t), plans: enginetest.NewPlans(), files: map[string]string{}, shelves: map[string]*shelftest.Memory{},
		ids: []string{"p"}, tasks: []string{"p-a", "p-b"}, inner: map[string]map[string]engine.InnerPlan{},
	}
}

// planOfOne returns a world with a clone in which a plan began, and the clone.
func planOfOne(t *testing.T, how string) (*planWorld, *clone) {
	w := newPlanWorld(t)
	one := w.clone("one")
	w.beginPlan(one, how)
	return w, one
}

// doPlan moves the plan, and survives a kill as another process finds it.
func (w *planWorld) doPlan(c *clone, do func(*move.Mover) (move.MovedPlan, error)) (done move.MovedPlan, err error) {
	_, err = c.do(func(m *move.Mover) (move.Moved, error) {
		m.Plans = move.Plans{
			Stored: stored.PlansOf(c.Store), Server: served[plan.State, plan.Event, engine.PlanLease]{w.plans.Memory, w.world, plan.Encode}, Local: localPlans{c, w}, Travel: planTravel{w}, Budgets: w.budgets(), Root: "/src/of/" + c.home.Machine,
			Path: func(_, name string) string { return filepath.Join("/", c.home.Machine, name) },
			Name: func(path string) string { return strings.TrimPrefix(path, "/"+c.home.Machine+"/") },
		}
		done, err = do(m)
		return move.Moved{}, err
	})
	return done, err
}

type localPlans struct {
	*clone
	w *planWorld
}

func (l localPlans) Rest(context.Context, string) error {
	return l.w.call(func() error { return nil })
}

func (l localPlans) Freeze(_ context.Context, s plan.State, spec engine.PlanSpec, name func(string) string) (engine.PlanSpec, error) {
	if want := fileOf(s.ID); name(s.File) != want {
		l.w.Errorf("the file of plan %s is %s, not %s", s.ID, name(s.File), want)
	}
	spec.Text, spec.Inner = []byte("text"), l.w.inner[s.ID]
	return spec, l.w.call(func() error { return nil })
}

// Arrive is given the file of a plan and those of all plans in it, or none where no server is
// asked.
func (l localPlans) Arrive(_ context.Context, s plan.State, files map[string][]byte) error {
	want := map[string][]byte{"/" + l.home.Machine + "/" + fileOf(s.ID): []byte("text")}
	l.expects(want, l.w.inner[s.ID])
	if diff := cmp.Diff(want, files); s.File != "/"+l.home.Machine+"/"+fileOf(s.ID) || files != nil && diff != "" {
		l.w.Errorf("the file %s arrives with (-want +got)\n%s", s.File, diff)
	}
	return l.w.call(func() error { l.w.written++; return nil })
}

func (l localPlans) expects(files map[string][]byte, all map[string]engine.InnerPlan) {
	for _, in := range all {
		files["/"+l.home.Machine+"/"+in.File] = in.Text
		l.expects(files, in.Inner)
	}
}

func (l localPlans) WriteBack(_ context.Context, h engine.PlanLease) error {
	if s := h.State(); engine.PlanMovedOf(s) != nil {
		l.w.Error("the file is written for a plan that is not here")
	}
	return l.w.call(func() error { l.w.backed++; return nil })
}

type planTravel struct{ w *planWorld }

func (t planTravel) OfferPlan(_ context.Context, spec engine.PlanSpec, s plan.State, _ bool) error {
	if spec.File != fileOf(s.ID) || string(spec.Text) != "text" {
		t.w.Errorf("the request is about %s with %q", spec.File, spec.Text)
	}
	return t.w.call(func() error { t.w.landed++; return nil })
}

// PutPlanFiles publishes what a person approved, as long as the plan has not left.
func (t planTravel) PutPlanFiles(_ context.Context, id string, epoch int64, dir string) error {
	if there, is := t.w.planThere(id); !is || engine.PlanMovedOf(there) == nil || epoch < 1 {
		t.w.Errorf("the files are published under epoch %d for a plan that is there: %v", epoch, is)
	}
	return t.w.call(func() error {
		approved, err := os.ReadFile(engine.ApproachFile(dir, id+"-b"))
		t.w.files[id+"-b"] = string(approved)
		return err
	})
}

func (t planTravel) GetPlanFiles(_ context.Context, id, dir string) error {
	return t.w.call(func() error { return durable.Write(engine.ApproachFile(dir, id+"-b"), []byte(t.w.files[id+"-b"])) })
}

// approved is what a clone has of the approach that a person approved.
func (w *planWorld) approved(c *clone, id string) string {
	w.Helper()
	data, err := os.ReadFile(engine.ApproachFile(c.Plans().Dir(id), id+"-b"))
	w.ok(err)
	return string(data)
}

func (t planTravel) FetchLanded(context.Context, plan.State) error {
	return t.w.call(func() error { return nil })
}

// task makes a loop of a plan that rests in one of these ways.
func (w *planWorld) task(c *clone, parent, id, how string) {
	w.Helper()
	spec := enginetest.Played(id)
	spec.Parent, spec.Branch = parent, "ralph/"+parent+"/"+id
	l, err := stored.LoopsOf(c.Store).Create(w.Context(), loop.New(spec, noon), nil)
	w.ok(err)
	at := loop.Stamp{At: noon}
	attempt := enginetest.Attempt(at, 1, loop.Passed)
	events := enginetest.Begun(at)
	switch how {
	case "passed":
		events = append(append(events, attempt...), loop.Tidied{Stamp: at})
	case "paused":
		events = append(append(events, attempt[:3]...), loop.PauseAsked{Stamp: at}, loop.Interrupted{Stamp: at, Why: "paused"})
	case "failed":
		events = append(append(events, attempt[:3]...), loop.AbortAsked{Stamp: at}, loop.Kept{Stamp: at, Ref: "wip/x", Commit: "k"}, loop.Tidied{Stamp: at})
	case "asks":
		events = append(events, attempt[0], loop.Asked{Stamp: at, Question: loop.Question{Text: "which?", AskedAt: noon}}, attempt[1])
	}
	w.ok(enginetest.Play(w.T, l, events...))
	s := l.State()
	want := map[string]loop.Status{"passed": loop.StatusPassed, "paused": loop.Paused, "failed": loop.Aborted, "asks": loop.Waiting}[how]
	if s.Status != want {
		w.Fatalf("loop %s is %s", id, s.Status)
	}
	w.ok(l.Release(w.Context()))
}

// cutOffPlan is cutOff for a plan with its loops.
func cutOffPlan(t *testing.T, how string, at int) (w *planWorld, one *clone, was map[string]plan.State, reached bool) {
	t.Helper()
	w = newPlanWorld(t)
	one = w.clone("one")
	w.beginPlan(one, how)
	was = w.states(one)
	w.at, w.trouble = at, killAfter
	_, _ = w.doPlan(one, outPlan(t.Context()))
	return w, one, was, w.calls >= at
}

// beginPlan makes a plan of two tasks in a clone: one landed, the other one, and the plan with
// it, rests in one of these ways.
func (w *planWorld) beginPlan(c *clone, how string) plan.State {
	w.Helper()
	if how == "nested" {
		return w.beginNested(c)
	}
	rules := plan.Rules{Parallel: 1, PerTask: 3, OnFailure: plan.Skip}
	if how == "passed" {
		rules.Only = []string{"a", "b"}
	}
	spec, err := json.Marshal(engine.PlanSpec{ID: "p", File: "/" + c.home.Machine + "/plan.md", Base: "b", Rules: rules, Task: loop.Spec{Root: "/r"}})
	w.ok(err)
	at := plan.Stamp{At: noon}
	w.task(c, "p", "p-a", "passed")
	w.task(c, "p", "p-b", how)
	events := []plan.Event{
		plan.Read{Stamp: at, Title: "P", SHA256: "1", Tasks: []plan.ReadTask{{ID: "a", Title: "A", Digest: "1"}, {ID: "b", Title: "B", Digest: "2"}}},
		plan.Opened{Stamp: at, Owner: "o"},
		plan.Started{Stamp: at, Task: "a", Loop: "p-a", From: "b", Most: 3},
		plan.Stopped{Stamp: at, Task: "a", Loop: "p-a", Status: loop.StatusPassed, Commit: "c-p-a", Attempts: 1, Progress: true},
		plan.LandBegan{Stamp: at, Task: "a", Onto: "b"},
		plan.Landed{Stamp: at, Task: "a", Commit: "c-p-a"},
		plan.Started{Stamp: at, Task: "b", Loop: "p-b", From: "c-p-a", Most: 3},
	}
	switch how {
	case "paused":
		events = append(events, plan.PauseAsked{Stamp: at}, plan.Stopped{Stamp: at, Task: "b", Loop: "p-b", Status: loop.Paused}, plan.Rested{Stamp: at, Status: loop.Paused, Message: "paused on request"})
	case "asks":
		events = append(events, plan.Stopped{Stamp: at, Task: "b", Loop: "p-b", Status: loop.Waiting, Reason: loop.ForHuman}, plan.Rested{Stamp: at, Status: loop.Waiting, Reason: loop.ForHuman, Message: "1 question waits"})
	case "failed":
		events = append(events, plan.Stopped{Stamp: at, Task: "b", Loop: "p-b", Status: loop.Aborted, Reason: loop.Manual, Attempts: 1}, plan.Rested{Stamp: at, Status: loop.StatusFailed, Reason: plan.SomeFailed, Message: "1 task failed"})
	case "passed":
		events = append(events, plan.Stopped{Stamp: at, Task: "b", Loop: "p-b", Status: loop.StatusPassed, Commit: "c-p-b", Attempts: 1, Progress: true},
			plan.LandBegan{Stamp: at, Task: "b", Onto: "c-p-a"}, plan.Landed{Stamp: at, Task: "b", Commit: "c-p-b"},
			plan.Rested{Stamp: at, Status: loop.StatusPassed, Reason: plan.PartDone, Message: "done"})
	}
	return w.record(c, spec, rules, events...)
}

// record makes a plan in a clone, with an approved approach, that rests after these events.
func (w *planWorld) record(c *clone, spec []byte, rules plan.Rules, events ...plan.Event) plan.State {
	w.Helper()
	var request engine.PlanSpec
	w.ok(json.Unmarshal(spec, &request))
	id := request.ID
	h, err := stored.PlansOf(c.Store).Create(w.Context(), plan.Begin(id, request.File, "P", "ralph/"+id+"/_landed", "b", rules), spec)
	w.ok(err)
	w.ok(durable.Write(engine.ApproachFile(c.Plans().Dir(id), id+"-b"), []byte("approved")))
	for _, e := range events {
		if _, err := engine.CommitPlan(w.Context(), h, e); err != nil {
			w.Fatalf("%s: %v", e.Name(), err)
		}
	}
	w.ok(h.Release(w.Context()))
	book := spentBook(id)
	w.ok(c.Plans().SetBook(w.Context(), id, &book))
	return h.State()
}

// fileOf is the name of a plan's file.
func fileOf(id string) string {
	if id == "p" {
		return "plan.md"
	}
	return id + ".md"
}
