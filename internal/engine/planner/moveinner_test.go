package planner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"ralph/internal/durable"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
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

// TestFreezeInnerPlans: the request of a plan that moves to workers has the plans in the places
// of its tasks, however deep, with their ids and accepted commands: those that they had where
// the plan began.
func TestFreezeInnerPlans(t *testing.T) {
	t.Parallel()
	s, dir := nestedStage(t, nil)
	inner, deep := filepath.Join(dir, "sub/inner.json"), filepath.Join(dir, "sub/deep.json")
	must(t, durable.Write(deep, []byte(`{"tasks": [{"id": "z", "title": "do z", "dependencies": [], "commands": ["test -d ."]}]}`)))
	must(t, s.Approve(t.Context(), IDOf(deep), "test -d ."))
	name := func(path string) string { return strings.TrimPrefix(path, dir+"/") }
	for what, ids := range map[string][2]string{"begun here": {IDOf(inner), IDOf(deep)}, "begun elsewhere": {"inner-1", "deep-1"}} {
		spec := s.spec
		if what == "begun elsewhere" {
			spec.Inner = map[string]engine.InnerPlan{"sub/inner.json": {ID: "inner-1", Inner: map[string]engine.InnerPlan{
				"deep.json": {ID: "deep-1", Commands: map[string]loop.Gate{"test -d .": {Run: "test -d ."}}},
			}}}
		}
		got, err := s.Freeze(t.Context(), plan.State{ID: spec.ID, File: spec.File}, spec, name)
		must(t, err)
		a := got.Inner["sub/inner.json"]
		b := a.Inner["deep.json"]
		if a.ID != ids[0] || b.ID != ids[1] || a.File != "sub/inner.json" || b.File != "sub/deep.json" || len(a.Text) == 0 || len(b.Text) == 0 || string(got.Text) != outerPlan {
			t.Errorf("%s: %+v", what, got.Inner)
		}
		if b.Commands["test -d ."].Run == "" {
			t.Errorf("%s: accepted commands: %+v", what, b.Commands)
		}
	}
}

// TestFreezeRefused: a plan whose task names a plan that was run by itself stays until that is
// decided.
func TestFreezeRefused(t *testing.T) {
	t.Parallel()
	s, dir := nestedStage(t, map[string]work{"z": fails})
	own := s.spec
	own.File = filepath.Join(dir, "sub/deep.json")
	own.ID = IDOf(own.File)
	failed, err := s.Start(t.Context(), own, engine.Options{}, engine.Drive{})
	if must(t, err); failed.Status != loop.StatusFailed {
		t.Fatal(failed.Status)
	}
	freeze := func() error {
		_, err := s.Freeze(t.Context(), plan.State{ID: s.spec.ID, File: s.spec.File}, s.spec, filepath.Base)
		return err
	}
	if stays, is := errors.AsType[*engine.ImmovableError](freeze()); !is || stays.ID != s.spec.ID || !strings.Contains(stays.Error(), own.ID) {
		t.Errorf("refused with %v", freeze())
	}
	must(t, s.Store.Archive(t.Context(), own.ID))
	must(t, freeze())
}

// TestArriveWithInnerFiles: the files of plans in tasks' places come where there are none, and
// only in the tree of the plan.
func TestArriveWithInnerFiles(t *testing.T) {
	t.Parallel()
	s, dir := nestedStage(t, nil)
	at := func(name string) string { return filepath.Join(dir, name) }
	outside := filepath.Join(t.TempDir(), "out.json")
	must(t, os.Symlink(filepath.Dir(outside), at("link")))
	must(t, os.Remove(at("sub/inner.json")))
	must(t, durable.Write(at("sub/archived/old.json"), []byte("old")))
	now := plan.State{ID: s.spec.ID, File: s.spec.File, Branch: Branch(s.spec.ID), Base: s.spec.Base, Tip: s.spec.Base}
	came := []byte("came")
	must(t, s.Arrive(t.Context(), now, map[string][]byte{
		now.File: came, at("sub/inner.json"): came, at("sub/deep.json"): came, at("sub/old.json"): came, at("new/far/away.json"): came,
		outside: came, at("link/out.json"): came, at("link/new/out.json"): came,
	}))
	for path, want := range map[string]string{
		now.File: outerPlan, at("sub/inner.json"): "came", at("sub/old.json"): "", at("new/far/away.json"): "came",
		outside: "", filepath.Join(filepath.Dir(outside), "new"): "",
	} {
		if got, err := os.ReadFile(path); string(got) != want || err != nil && want != "" {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
	if got, err := os.ReadFile(at("sub/deep.json")); err != nil || string(got) == "came" {
		t.Errorf("a file that was here: %q, %v", got, err)
	}
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

// TestMovedInnerPlanRunsAgain: a plan in a task's place that failed, and moved before it was run
// again, is run again: a move is no result.
func TestMovedInnerPlanRunsAgain(t *testing.T) {
	t.Parallel()
	s, dir := nestedStage(t, map[string]work{"z": fails})
	inner := IDOf(filepath.Join(dir, "sub/inner.json"))
	if got := s.run(t, engine.Drive{}); got.Status != loop.StatusFailed {
		t.Fatalf("%s %s", got.Status, got.Message)
	}
	s.Fault = func(point string) {
		if point == "after:task_started" {
			runtime.Goexit() // the process is gone before it begins the inner plan
		}
	}
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_, err := s.Start(t.Context(), s.spec, engine.Options{}, engine.Drive{})
		t.Errorf("no task began again: %v", err)
	}()
	<-gone
	s.Fault = nil
	began := s.began()
	l, err := s.Store.Acquire(t.Context(), inner, nil, false)
	must(t, err)
	at := plan.Stamp{At: l.State().EndedAt.Add(time.Minute)}
	here, there := loop.Home{Engine: loop.LocalEngine}, loop.Home{Engine: "temporal://box:7233/default"}
	_, err = engine.CommitPlan(t.Context(), l, plan.MoveBegan{Stamp: at, From: here, To: there, WithPlan: true}, plan.MovedAway{Stamp: at}, plan.Arrived{Stamp: at})
	must(t, err)
	must(t, l.Release(t.Context()))
	_, err = s.Resume(t.Context(), s.spec.ID, engine.Options{TakeOver: true}, engine.Drive{})
	if must(t, err); strings.Count(s.began(), "-z") <= strings.Count(began, "-z") {
		t.Errorf("it was not run again: %s, then %s", began, s.began())
	}
}

// TestFreshAfterMoveWithInnerPlans: a plan whose server is lost begins anew here with the plans in
// its tasks' places, which had moved with it.
func TestFreshAfterMoveWithInnerPlans(t *testing.T) {
	t.Parallel()
	s, dir := nestedStage(t, map[string]work{"z": passes("z.txt", "Z"), "b": passes("b.txt", "B")})
	first := s.run(t, engine.Drive{})
	if first.Status != loop.StatusPassed {
		t.Fatalf("%s %s", first.Status, first.Message)
	}
	ids := []string{s.spec.ID, IDOf(filepath.Join(dir, "sub/inner.json")), IDOf(filepath.Join(dir, "sub/deep.json"))}
	for _, id := range ids {
		l, err := s.Store.Acquire(t.Context(), id, nil, false)
		must(t, err)
		at := plan.Stamp{At: first.EndedAt.Add(time.Minute)}
		_, err = engine.CommitPlan(t.Context(), l, plan.MoveBegan{Stamp: at, From: loop.Home{Engine: loop.LocalEngine}, To: loop.Home{Engine: "temporal://lost:7233/default"}, WithPlan: true}, plan.MovedAway{Stamp: at})
		must(t, err)
		must(t, l.Release(t.Context()))
	}
	got, err := s.Start(t.Context(), s.spec, engine.Options{Fresh: true, Abandon: true}, engine.Drive{})
	if must(t, err); got.Status != loop.StatusPassed || strings.Count(s.began(), "-z") != 2 {
		t.Errorf("%s %s, loops %s", got.Status, got.Message, s.began())
	}
	for _, id := range ids {
		if r, err := s.Store.Read(t.Context(), id); err != nil || r.State.Status != loop.StatusPassed || r.State.Move != nil {
			t.Errorf("%s is %s, %v", id, r.State.Status, err)
		}
	}
}

// TestAcceptWithoutInnerRecord: a plan is accepted also where the record of a plan in the place of
// a task, which has landed, is gone: a server keeps archived ones for a while only.
func TestAcceptWithoutInnerRecord(t *testing.T) {
	t.Parallel()
	s, dir := nestedStage(t, map[string]work{"z": passes("z.txt", "Z"), "b": passes("b.txt", "B")})
	if got := s.run(t, engine.Drive{}); got.Status != loop.StatusPassed {
		t.Fatalf("%s %s", got.Status, got.Message)
	}
	s.Store = without{s.Store, IDOf(filepath.Join(dir, "sub/inner.json"))}
	_, err := s.Accept(t.Context(), s.spec.ID, engine.AcceptOptions{})
	must(t, err)
	if r, err := s.Store.Read(t.Context(), s.spec.ID); err != nil || r.State.Accepted == "" || !slices.Equal(s.engine.merged, []string{"b"}) {
		t.Errorf("accepted as %q, loops %v, %v", r.State.Accepted, s.engine.merged, err)
	}
}

// without are plans of which one is gone.
type without struct {
	engine.PlanStore
	id string
}

func (w without) Read(ctx context.Context, id string) (engine.Stored[plan.State], error) {
	if id == w.id {
		return engine.Stored[plan.State]{}, engine.ErrNotFound
	}
	return w.PlanStore.Read(ctx, id)
}
