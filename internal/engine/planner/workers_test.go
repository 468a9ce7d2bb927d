package planner

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

const outerPlan = `{"tasks": [{"id": "a", "title": "do a", "dependencies": [], "plan": "sub/inner.json"}, {"id": "b", "title": "do b", "dependencies": ["a"]}]}`

var (
	innerPlan = map[string]string{"sub/inner.json": `{"tasks": [{"id": "x", "title": "do x", "dependencies": []}, {"id": "y", "title": "do y", "dependencies": ["x"]}]}`}
	innerDoes = map[string]work{"x": passes("x.txt", "X"), "y": passes("y.txt", "Y"), "b": passes("b.txt", "B")}
)

// TestInnerPlanOfWorkers: workers run a plan in a task's place without any of its files. It has
// the id and, in the record, the name that the clone knows; accept ticks both files there. The
// process that drives both is told so.
func TestInnerPlanOfWorkers(t *testing.T) {
	t.Parallel()
	c := newCrew(t, outerPlan, innerPlan, innerDoes)
	inner := filepath.Join(c.root(), "sub/inner.json")
	c.ask(t, engine.Options{})
	var driven []string
	drives := func(id string) func() {
		driven = append(driven, id)
		return func() { driven = append(driven, "over "+id) }
	}
	got, err := c.worker(t).Resume(t.Context(), c.spec.ID, engine.Options{Recovery: true}, engine.Drive{Drives: drives})
	if want := []string{c.spec.ID, IDOf(inner), "over " + IDOf(inner), "over " + c.spec.ID}; !slices.Equal(driven, want) {
		t.Errorf("it drives %s", driven)
	}
	if must(t, err); got.Status != loop.StatusPassed || c.began() != IDOf(inner)+"-x "+IDOf(inner)+"-y b" {
		t.Fatalf("%s %s: %s, loops %s", got.Status, got.Message, statuses(got), c.began())
	}
	child, err := c.user.Show(t.Context(), IDOf(inner))
	if must(t, err); child.State.Status != loop.StatusPassed || child.State.File != inner || child.State.Accepted == "" {
		t.Errorf("the inner plan: %s of %s, accepted %q", child.State.Status, child.State.File, child.State.Accepted)
	}
	_, err = c.user.Accept(t.Context(), c.spec.ID, engine.AcceptOptions{})
	must(t, err)
	for _, file := range []string{c.spec.File, inner} {
		if text, err := os.ReadFile(file); err != nil || strings.Count(string(text), `"done"`) != 2 {
			t.Errorf("%s: %s, %v", file, text, err)
		}
	}
	if child, err := c.server.Read(t.Context(), IDOf(inner)); err != nil || child.Live {
		t.Errorf("the inner plan is held: %v, %v", child.Live, err)
	}
}

// TestInnerPlanOfKilledWorkers: a worker that is cut off at any point is followed by another
// one, which has none of its files, to the same end with no loop begun twice.
func TestInnerPlanOfKilledWorkers(t *testing.T) {
	t.Parallel()
	whole := newCrew(t, outerPlan, innerPlan, innerDoes)
	points := 0
	whole.Fault = func(string) { points++ }
	whole.ask(t, engine.Options{})
	if _, err := whole.worker(t).Resume(t.Context(), whole.spec.ID, engine.Options{}, engine.Drive{}); err != nil || points < 20 {
		t.Fatalf("%d points, %v", points, err)
	}
	for n := range points {
		c := newCrew(t, outerPlan, innerPlan, innerDoes)
		c.ask(t, engine.Options{})
		ctx, kill := context.WithCancelCause(t.Context())
		at, left := "", n
		c.Fault = func(point string) {
			if left--; left == -1 {
				at = point
				kill(errKilled)
			}
		}
		got, err := c.worker(t).Resume(ctx, c.spec.ID, engine.Options{}, engine.Drive{})
		if err != nil && ctx.Err() == nil {
			t.Fatalf("killed at %s: %v", at, err)
		}
		c.Fault = nil
		if !got.Status.Terminal() {
			got, err = c.worker(t).Resume(t.Context(), c.spec.ID, engine.Options{}, engine.Drive{})
			must(t, err)
		}
		if got.Status != loop.StatusPassed || len(c.engine.order) != 3 || c.file(t, got.Tip, "y.txt") != "Y" || c.file(t, got.Tip, "b.txt") != "B" {
			t.Errorf("killed at %s: %s %s, %s, loops %s", at, got.Status, got.Message, statuses(got), c.began())
		}
	}
}

// TestInnerPlanOfAnotherWorker: a worker that took a plan in a task's place by itself drives it,
// and the plan around it waits for it; both are paused together.
func TestInnerPlanOfAnotherWorker(t *testing.T) {
	t.Parallel()
	does := map[string]work{"x": {status: loop.StatusPassed, files: map[string]string{"x.txt": "X"}, asks: "Which?"}, "y": passes("y.txt", "Y"), "b": passes("b.txt", "B")}
	c := newCrew(t, outerPlan, innerPlan, does)
	inner := IDOf(filepath.Join(c.root(), "sub/inner.json"))
	c.ask(t, engine.Options{})
	one := c.worker(t)
	got, err := one.Resume(t.Context(), c.spec.ID, engine.Options{}, engine.Drive{})
	if must(t, err); got.Status != loop.Waiting {
		t.Fatalf("%s %s", got.Status, got.Message)
	}
	if goes, err := one.Continues(t.Context(), c.spec.ID); goes || err != nil {
		t.Errorf("it continues without an answer: %v", err)
	}
	_, err = c.user.Send(t.Context(), c.spec.ID, engine.Command{Kind: engine.Pause, By: "test"})
	must(t, err)
	if child, err := c.server.Read(t.Context(), inner); err != nil || child.State.Status != loop.Paused {
		t.Errorf("the inner plan is %s, %v", child.State.Status, err)
	}
	_, err = c.engine.Send(t.Context(), inner+"-x", engine.Command{Kind: engine.Answer, Text: "this"})
	must(t, err)
	_, err = c.user.Resume(t.Context(), c.spec.ID, engine.Options{}, engine.Drive{})
	must(t, err)
	lease, err := c.worker(t).Store.Acquire(t.Context(), inner, nil, false)
	must(t, err)
	waits := make(chan struct{})
	watch := func(u engine.Update) {
		if u.Plan == nil || u.Plan.After.ID != c.spec.ID || !strings.HasPrefix(u.Plan.After.Note, "waits for "+inner) {
			return
		}
		if strings.Contains(u.Plan.After.Note, "--take-over") {
			t.Errorf("advises what workers refuse: %s", u.Plan.After.Note)
		}
		select {
		case <-waits:
		default:
			close(waits)
		}
	}
	go func() {
		<-waits
		_ = lease.Release(context.WithoutCancel(t.Context()))
	}()
	got, err = one.Resume(t.Context(), c.spec.ID, engine.Options{}, engine.Drive{Watch: watch})
	if must(t, err); got.Status != loop.StatusPassed {
		t.Errorf("%s %s: %s", got.Status, got.Message, statuses(got))
	}
}

// TestInnerPlanOfAnotherWorkerIsFetched: a worker gets what the plan in a task's place landed on
// another machine before it looks at that commit.
func TestInnerPlanOfAnotherWorkerIsFetched(t *testing.T) {
	t.Parallel()
	does := map[string]work{"x": passes("x.txt", "X"), "y": {status: loop.StatusPassed, files: map[string]string{"y.txt": "Y"}, asks: "Which?"}}
	c := newCrew(t, outerPlan, innerPlan, does)
	inner := IDOf(filepath.Join(c.root(), "sub/inner.json"))
	c.ask(t, engine.Options{})
	_, err := c.worker(t).Resume(t.Context(), c.spec.ID, engine.Options{}, engine.Drive{})
	must(t, err)
	before, err := c.server.Read(t.Context(), inner)
	if must(t, err); before.State.Tip == before.State.Base {
		t.Fatal("nothing landed")
	}
	_, err = c.engine.Send(t.Context(), inner+"-y", engine.Command{Kind: engine.Answer, Text: "this"})
	must(t, err)
	two, fetched := c.worker(t), ""
	two.FetchLanded = func(_ context.Context, s plan.State) error {
		if fetched == "" {
			fetched = s.ID + " " + s.Tip
		}
		return nil
	}
	got, err := two.Resume(t.Context(), c.spec.ID, engine.Options{}, engine.Drive{})
	if must(t, err); got.Status != loop.StatusPassed || fetched != inner+" "+before.State.Tip {
		t.Errorf("%s %s, fetched %q", got.Status, got.Message, fetched)
	}
}

// TestInnerPlanPausedElsewhere: a plan that is paused pauses the one in its task's place that
// another worker drives.
func TestInnerPlanPausedElsewhere(t *testing.T) {
	t.Parallel()
	c := newCrew(t, outerPlan, innerPlan, innerDoes)
	inner := IDOf(filepath.Join(c.root(), "sub/inner.json"))
	c.ask(t, engine.Options{})
	two := c.worker(t)
	file := CopyPath(two.Dir(inner), "sub/inner.json")
	spec := engine.PlanSpec{ID: inner, File: file, Text: []byte("{}"), Ancestors: []string{c.spec.ID}}
	data, err := json.Marshal(spec)
	must(t, err)
	lease, err := two.Store.Create(t.Context(), plan.Begin(inner, file, "", Branch(inner), c.spec.Base, plan.Rules{}), data)
	must(t, err)
	r := &run{Planner: c.worker(t), spec: engine.PlanSpec{Text: []byte("{}")}}
	for stop, want := range map[engine.Stop]engine.CommandKind{engine.AfterStep: engine.Pause, engine.EndAgent: engine.PauseNow} {
		must(t, r.pauseChild(t.Context(), spec, stop))
		all, err := lease.Inbox(t.Context())
		if must(t, err); len(all) == 0 || all[len(all)-1].Command().Kind != want {
			t.Errorf("stop %d: %+v", stop, all)
		}
	}
}

// TestInnerPlanBegunAnew: with --fresh the plan in a task's place begins anew too; until then
// what it did is not done again.
func TestInnerPlanBegunAnew(t *testing.T) {
	t.Parallel()
	c := newCrew(t, outerPlan, innerPlan, innerDoes)
	w := c.worker(t)
	for _, o := range []engine.Options{{}, {}, {Fresh: true}} {
		c.ask(t, o)
		got, err := w.Resume(t.Context(), c.spec.ID, engine.Options{Recovery: true}, engine.Drive{})
		if must(t, err); got.Status != loop.StatusPassed {
			t.Fatalf("%+v: %s %s: %s", o, got.Status, got.Message, statuses(got))
		}
		want := 3
		if o.Fresh {
			want = 6
		}
		if len(c.engine.order) != want {
			t.Errorf("%+v: loops %s", o, c.began())
		}
	}
}

// TestInnerPlanThatCannotRun: a plan that is not there, lies outside, or contains itself ends
// its task, not the request.
func TestInnerPlanThatCannotRun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, text, why string }{
		"is not there":    {"sub/other.json", "{}", "no such file"},
		"cannot be read":  {"sub/inner.json", "{", "inner.json"},
		"contains itself": {"sub/inner.json", `{"tasks": [{"id": "x", "title": "do x", "dependencies": [], "plan": "../outer.json"}]}`, "outer.json contains itself"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			crew := newCrew(t, outerPlan, map[string]string{c.file: c.text}, innerDoes)
			crew.ask(t, engine.Options{})
			got, err := crew.worker(t).Resume(t.Context(), crew.spec.ID, engine.Options{}, engine.Drive{})
			if must(t, err); got.Status == loop.StatusPassed {
				t.Fatalf("passed: %s", statuses(got))
			}
			words := got.Message
			for _, task := range got.Tasks {
				words += "; " + task.Message
			}
			if inner, err := crew.server.Read(t.Context(), IDOf(filepath.Join(crew.root(), "sub/inner.json"))); err == nil {
				words += "; " + inner.State.Message
				for _, task := range inner.State.Tasks {
					words += "; " + task.Message
				}
			} else if !errors.Is(err, engine.ErrNotFound) {
				t.Fatal(err)
			}
			if !strings.Contains(words, c.why) {
				t.Errorf("it does not tell why: %s", words)
			}
		})
	}
}

// TestCopyName: a worker knows the name of a file by the path of its copy.
func TestCopyName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"x.md", "plans/sub/x.md"} {
		if got, ok := CopyName("/plans", CopyPath("/plans/p", name)); !ok || got != name {
			t.Errorf("%s: %q, %v", name, got, ok)
		}
	}
	for _, path := range []string{"/other/x.md", "/plans/p/evidence/x.md", "/plans/p"} {
		if got, ok := CopyName("/plans", path); ok {
			t.Errorf("%s is the copy of %q", path, got)
		}
	}
}
