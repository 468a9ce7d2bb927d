package stored_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/testing/enginetest"
)

// planServer is a store of plans in memory that stands for one on another machine.
type planServer struct{ *enginetest.Plans }

type planServerLease = engine.Lease[plan.State, plan.Event]

func (s planServer) Create(ctx context.Context, first plan.State, spec []byte) (planServerLease, error) {
	return s.Plans.Create(ctx, first, spec)
}

func (s planServer) Acquire(ctx context.Context, id string, spec []byte, takeOver bool) (planServerLease, error) {
	return s.Plans.Acquire(ctx, id, spec, takeOver)
}

// clone is a machine whose tree is at a root; worker is one with copies of plans' files.
func clone(t *testing.T, s planServer, root string) stored.SharedPlans {
	return stored.SharedPlans{
		Server: s, Ledger: open(t),
		Path: func(_, name string) string { return filepath.Join(root, name) },
		Name: func(path string) string { return strings.TrimPrefix(path, root+"/") },
	}
}

func worker(t *testing.T, s planServer, publish func(stored.Publication[plan.State, plan.Event]) error) stored.SharedPlans {
	w := clone(t, s, "/copies")
	w.Name = func(string) string { t.Error("a worker renamed the plan"); return "" }
	w.Publish = func(_ context.Context, p stored.Publication[plan.State, plan.Event]) error { return publish(p) }
	w.Fetch = func(context.Context, engine.PlanSpec, plan.State) error { return nil }
	return w
}

func aPlan(file string) (plan.State, []byte) {
	spec, _ := json.Marshal(engine.PlanSpec{ID: "p", File: file, MoveFile: true})
	return plan.Begin("p", file, "", "ralph/p/_landed", "base", plan.Rules{}), spec
}

// TestSharedPlan: each machine sees the file of a plan at a path of its own; what a worker
// lands is published before it is recorded.
func TestSharedPlan(t *testing.T) {
	t.Parallel()
	ctx, s := t.Context(), planServer{enginetest.NewPlans()}
	a, b := clone(t, s, "/a"), clone(t, s, "/b")
	refused := errors.New("the remote refuses")
	var told []string
	w := worker(t, s, func(p stored.Publication[plan.State, plan.Event]) error {
		if filepath.Base(p.Dir) != "p" || p.Epoch == 0 {
			t.Errorf("published from %q under epoch %d", p.Dir, p.Epoch)
		}
		if told = append(told, p.Before.Tip+" "+p.Next.Tip); len(told) == 1 {
			return refused
		}
		return nil
	})
	first, spec := aPlan("/a/plans/x.md")
	l, err := a.Create(ctx, first, spec)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Release(ctx); err != nil {
		t.Fatal(err)
	}
	for path, m := range map[string]stored.SharedPlans{"/a/plans/x.md": a, "/b/plans/x.md": b, "/copies/plans/x.md": w} {
		r, err := m.Read(ctx, "p")
		if err != nil || r.State.File != path || !strings.Contains(string(r.Spec), path) {
			t.Errorf("%s: %s, %s, %v", path, r.State.File, r.Spec, err)
		}
		if onWorker := m.Fetch != nil; r.Live == onWorker || strings.Contains(string(r.Spec), `"move"`) == onWorker {
			t.Errorf("%s: live %v, %s", path, r.Live, r.Spec)
		}
	}
	l, err = w.Acquire(ctx, "p", nil, false)
	if err != nil {
		t.Fatal(err)
	}
	next := l.State()
	next.Tip = "landed"
	if err := l.Commit(ctx, next, nil); !errors.Is(err, refused) {
		t.Errorf("not published, and recorded: %v", err)
	}
	if r, _ := b.Read(ctx, "p"); r.State.Tip != "base" {
		t.Errorf("recorded before it was published: %s", r.State.Tip)
	}
	if err := l.Commit(ctx, next, nil); err != nil {
		t.Fatal(err)
	}
	if r, _ := b.Read(ctx, "p"); r.State.Tip != "landed" || r.State.File != "/b/plans/x.md" {
		t.Errorf("recorded as %+v", r.State)
	}
	if len(told) != 2 || told[1] != "base landed" {
		t.Errorf("published: %q", told)
	}
	if _, err := a.Acquire(ctx, "p", nil, false); !errors.Is(err, engine.ErrRunning) {
		t.Errorf("a second owner: %v", err)
	}
}

// TestSharedPlanPays: reviews of a plan are paid on the machine that drives it, again after
// it has moved.
func TestSharedPlanPays(t *testing.T) {
	t.Parallel()
	ctx, s := t.Context(), planServer{enginetest.NewPlans()}
	a := clone(t, s, "/a")
	first, spec := aPlan("/a/x.md")
	l, err := a.Create(ctx, first, spec)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		review, _, err := l.ReserveReview(ctx, engine.Reserve{Until: time.Now().Add(time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Settle(ctx, review, []loop.AgentSpent{{Name: "r"}}, false); err != nil {
			t.Fatal(err)
		}
		if err := l.Release(ctx); err != nil {
			t.Fatal(err)
		}
		if l, err = a.Acquire(ctx, "p", nil, false); err != nil {
			t.Fatal(err)
		}
	}
	if spent, err := a.Ledger.Plans().Spent(ctx, "p"); err != nil || len(spent) != 1 || spent[0].Name != "r" {
		t.Errorf("spent: %+v, %v", spent, err)
	}
	if err := l.Release(ctx); err != nil {
		t.Error(err)
	}
}

// TestNameOfAPlanStays: a machine on which the path of a plan's file leads to another name keeps
// the name that the server has, unless it moves the file.
func TestNameOfAPlanStays(t *testing.T) {
	t.Parallel()
	ctx, s := t.Context(), planServer{enginetest.NewPlans()}
	a, b := clone(t, s, "/a"), clone(t, s, "/b")
	a.Path = func(_, name string) string { return name }
	b.Path = func(_, name string) string { return "/b/" + filepath.Base(name) }
	first, spec := aPlan("/outside/x.md")
	l, err := a.Create(ctx, first, spec)
	if err == nil {
		err = l.Release(ctx)
	}
	if err == nil {
		l, err = b.Acquire(ctx, "p", nil, false)
	}
	if err != nil {
		t.Fatal(err)
	}
	next := l.State()
	for _, c := range [][2]string{{"/b/x.md", "/outside/x.md"}, {"/b/y.md", "y.md"}} {
		next.File = c[0]
		if err := l.Commit(ctx, next, nil); err != nil {
			t.Fatal(err)
		}
		if r, err := a.Read(ctx, "p"); err != nil || r.State.File != c[1] {
			t.Errorf("%s: the server has %s, want %s, %v", c[0], r.State.File, c[1], err)
		}
	}
}

// TestAnAnsweredPlanAwaitsAWorker: between the answer to a plan that rests and the look of the
// worker that takes it, nobody has the plan, and it does not rest any more.
func TestAnAnsweredPlanAwaitsAWorker(t *testing.T) {
	t.Parallel()
	ctx, s := t.Context(), planServer{enginetest.NewPlans()}
	a, w := clone(t, s, "/a"), worker(t, s, nil)
	first, spec := aPlan("plan.md")
	l, err := s.Create(ctx, first, spec)
	ok(t, err)
	rests := first
	rests.Status, rests.Reason = loop.Waiting, loop.ForHuman
	ok(t, l.Commit(ctx, rests, nil))
	ok(t, l.Release(ctx))
	if r, err := a.Read(ctx, "p"); err != nil || r.Live {
		t.Errorf("at rest: %+v, %v", r, err)
	}
	ok(t, s.Send(ctx, "p", engine.Command{Kind: engine.Recheck}.Message()))
	if r, err := a.Read(ctx, "p"); err != nil || !r.Live || r.Owner != "no worker yet" {
		t.Errorf("answered: %+v, %v", r, err)
	}
	if r, err := w.Read(ctx, "p"); err != nil || r.Live {
		t.Errorf("a worker takes it for another one's: %+v, %v", r, err)
	}
}
