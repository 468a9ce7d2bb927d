package move_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ralph/internal/durable"
	"ralph/internal/engine"
	"ralph/internal/engine/move"
	"ralph/internal/engine/stored"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/testing/enginetest"
)

// planWorld is a world with plans.
type planWorld struct {
	*world
	plans *enginetest.Plans
	// landed, written and backed are what moves did outside of the records of plans.
	landed, written, backed int
	// files are those that moves published of the plan.
	files map[string]string
}

func newPlanWorld(t *testing.T) *planWorld {
	return &planWorld{world: newWorld(t), plans: enginetest.NewPlans(), files: map[string]string{}}
}

// doPlan moves the plan, and survives a kill as another process finds it.
func (w *planWorld) doPlan(c *clone, do func(*move.Mover) (move.MovedPlan, error)) (done move.MovedPlan, err error) {
	_, err = c.do(func(m *move.Mover) (move.Moved, error) {
		m.Plans = move.Plans{
			Stored: stored.PlansOf(c.Store), Server: served[plan.State, plan.Event, engine.PlanLease]{w.plans.Memory, w.world, plan.Encode}, Local: localPlans{c, w}, Travel: planTravel{w}, Root: "/src/of/" + c.home.Machine,
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

func (l localPlans) Text(_ context.Context, s plan.State) (text []byte, err error) {
	return []byte("text"), l.w.call(func() error { return nil })
}

func (l localPlans) Arrive(_ context.Context, s plan.State, text []byte) error {
	if want := "/" + l.home.Machine + "/plan.md"; s.File != want || string(text) != "text" {
		l.w.Errorf("the file %s with %q arrives, not %s", s.File, text, want)
	}
	return l.w.call(func() error { l.w.written++; return nil })
}

func (l localPlans) WriteBack(_ context.Context, h engine.PlanLease) error {
	if s := h.State(); engine.PlanMovedOf(s) != nil {
		l.w.Error("the file is written for a plan that is not here")
	}
	return l.w.call(func() error { l.w.backed++; return nil })
}

type planTravel struct{ w *planWorld }

func (t planTravel) OfferPlan(_ context.Context, spec engine.PlanSpec, _ plan.State, _ bool) error {
	if spec.File != "plan.md" || string(spec.Text) != "text" {
		t.w.Errorf("the request is about %s with %q", spec.File, spec.Text)
	}
	return t.w.call(func() error { t.w.landed++; return nil })
}

// PutPlanFiles publishes what a person approved, as long as the plan has not left.
func (t planTravel) PutPlanFiles(_ context.Context, id string, epoch int64, dir string) error {
	if there, _, is := t.w.planOnServer(); !is || engine.PlanMovedOf(there) == nil || epoch < 1 {
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
func (w *planWorld) approved(c *clone) string {
	w.Helper()
	data, err := os.ReadFile(engine.ApproachFile(c.Plans().Dir("p"), "p-b"))
	w.ok(err)
	return string(data)
}

func (t planTravel) FetchLanded(context.Context, plan.State) error {
	return t.w.call(func() error { return nil })
}

// task makes a loop of the plan that rests in one of these ways.
func (w *planWorld) task(c *clone, id, how string) {
	w.Helper()
	spec := enginetest.Played(id)
	spec.Parent, spec.Branch = "p", "ralph/p/"+id
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
func cutOffPlan(t *testing.T, at int) (w *planWorld, one *clone, was plan.State, reached bool) {
	t.Helper()
	w = newPlanWorld(t)
	one = w.clone("one")
	was = w.beginPlan(one, "paused")
	w.at, w.trouble = at, killAfter
	_, _ = w.doPlan(one, outPlan(t.Context()))
	return w, one, was, w.calls >= at
}

// beginPlan makes a plan of two tasks in a clone: one landed, the other one, and the plan with
// it, rests in one of these ways.
func (w *planWorld) beginPlan(c *clone, how string) plan.State {
	w.Helper()
	rules := plan.Rules{Parallel: 1, PerTask: 3, OnFailure: plan.Skip}
	if how == "passed" {
		rules.Only = []string{"a", "b"}
	}
	spec, err := json.Marshal(engine.PlanSpec{ID: "p", File: "/" + c.home.Machine + "/plan.md", Base: "b", Rules: rules, Task: loop.Spec{Root: "/r"}})
	w.ok(err)
	h, err := stored.PlansOf(c.Store).Create(w.Context(), plan.Begin("p", "/"+c.home.Machine+"/plan.md", "P", "ralph/p/_landed", "b", rules), spec)
	w.ok(err)
	w.ok(durable.Write(engine.ApproachFile(c.Plans().Dir("p"), "p-b"), []byte("approved")))
	at := plan.Stamp{At: noon}
	w.task(c, "p-a", "passed")
	other := map[string]string{"paused": "paused", "passed": "passed", "failed": "failed", "asks": "asks"}[how]
	w.task(c, "p-b", other)
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
	for _, e := range events {
		if _, err := engine.CommitPlan(w.Context(), h, e); err != nil {
			w.Fatalf("%s: %v", e.Name(), err)
		}
	}
	w.ok(h.Release(w.Context()))
	return h.State()
}

func (w *planWorld) planOnServer() (plan.State, int64, bool) {
	r, err := w.plans.Read(context.Background(), "p")
	return r.State, r.Seq, err == nil
}

func (c *clone) planHere() (plan.State, int64, bool) {
	r, err := stored.PlansOf(c.Store).Read(context.Background(), "p")
	return r.State, r.Seq, err == nil
}

// living are the stores in which the plan, or a loop of it, can continue.
func (w *planWorld) living(clones ...*clone) (plans, loops []string) {
	if s, _, is := w.planOnServer(); is && engine.PlanMovedOf(s) == nil {
		plans = append(plans, "server")
	}
	for _, c := range clones {
		if s, _, is := c.planHere(); is && engine.PlanMovedOf(s) == nil {
			plans = append(plans, c.home.Machine)
		}
	}
	for _, id := range []string{"p-a", "p-b"} {
		if r, err := w.there.Read(context.Background(), id); err == nil && engine.MovedOf(r.State) == nil {
			loops = append(loops, id+" server")
		}
		for _, c := range clones {
			if r, err := stored.LoopsOf(c.Store).Read(context.Background(), id); err == nil && engine.MovedOf(r.State) == nil {
				loops = append(loops, id+" "+c.home.Machine)
			}
		}
	}
	return plans, loops
}

func (w *planWorld) planJournalThere() []string { return w.planJournalOf(w.plans.Events) }

func (w *planWorld) planJournal(c *clone) []string {
	return w.planJournalOf(stored.PlansOf(c.Store).Events)
}

func (w *planWorld) planJournalOf(page func(ctx context.Context, id string, after int64) ([]engine.Event, error)) []string {
	return w.journal(func(ctx context.Context, _ string, after int64) ([]engine.Event, error) {
		return page(ctx, "p", after)
	})
}

// freed ends the leases that a killed process had on the server, as missed heartbeats do.
func (w *planWorld) freed() {
	w.Helper()
	for _, id := range []string{"p-a", "p-b"} {
		l, err := w.there.Acquire(w.Context(), id, nil, true)
		if !errors.Is(err, engine.ErrNotFound) {
			w.ok(err)
			w.ok(l.Release(w.Context()))
		}
	}
	l, err := w.plans.Acquire(w.Context(), "p", nil, true)
	if !errors.Is(err, engine.ErrNotFound) {
		w.ok(err)
		w.ok(l.Release(w.Context()))
	}
}

// settle repeats a move until it succeeds, as its user does.
func (w *planWorld) settle(c *clone, again func(*move.Mover) (move.MovedPlan, error)) {
	w.Helper()
	w.trouble = none
	_, err := w.doPlan(c, again)
	if errors.Is(err, engine.ErrRunning) {
		w.freed()
		_, err = w.doPlan(c, again)
	}
	if err != nil {
		w.Fatalf("call %d (%d): the command typed again: %v", w.at, w.trouble, err)
	}
}

var later = plan.Stamp{At: noon.Add(time.Hour)}
