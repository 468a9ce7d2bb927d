package planner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

const two = `{"tasks": [{"id": "a", "title": "do a", "dependencies": []}, {"id": "b", "title": "do b", "dependencies": []}]}`

const chain = `{"tasks": [{"id": "a", "title": "do a", "dependencies": []}, {"id": "b", "title": "do b", "dependencies": ["a"]}]}`

// TestPlans runs whole plans, with scripts for their loops.
func TestPlans(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, plan string
		does       map[string]work
		parallel   int
		policy     plan.Policy

		status loop.Status
		tasks  string
		began  string
		files  map[string]string
		judged int
	}{
		{
			name: "tasks land one after the other", plan: two, parallel: 1,
			does:   map[string]work{"a": passes("a.txt", "A"), "b": passes("b.txt", "B")},
			status: loop.StatusPassed, tasks: "a=done b=done", began: "a b",
			files: map[string]string{"a.txt": "A", "b.txt": "B"},
		},
		{
			name: "a merge is judged again", plan: two, parallel: 2,
			does:   map[string]work{"a": passes("a.txt", "A"), "b": passes("b.txt", "B")},
			status: loop.StatusPassed, tasks: "a=done b=done",
			files: map[string]string{"a.txt": "A", "b.txt": "B"}, judged: 1,
		},
		{
			name: "what a task needs is in its base", plan: chain, parallel: 2,
			does:   map[string]work{"a": passes("a.txt", "A"), "b": passes("b.txt", "B")},
			status: loop.StatusPassed, tasks: "a=done b=done", began: "a b",
			files: map[string]string{"a.txt": "A", "b.txt": "B"},
		},
		{
			name: "a failed task leaves out what needs it", plan: chain, parallel: 2,
			does:   map[string]work{"a": fails},
			status: loop.StatusFailed, tasks: "a=failed b=pending", began: "a",
		},
		{
			name: "a failed task does not keep the others", plan: two, parallel: 2,
			does:   map[string]work{"a": fails, "b": passes("b.txt", "B")},
			status: loop.StatusFailed, tasks: "a=failed b=done", files: map[string]string{"b.txt": "B"},
		},
		{
			name: "stop begins nothing more", plan: two, parallel: 1, policy: plan.Stop,
			does:   map[string]work{"a": fails},
			status: loop.StatusFailed, tasks: "a=failed b=pending",
		},
		{
			name: "a conflict is repaired by one loop", plan: two, parallel: 2,
			does: map[string]work{
				"a": passes("same.txt", "A"), "b": passes("same.txt", "B"),
				"a-land": passes("same.txt", "both"), "b-land": passes("same.txt", "both"),
			},
			status: loop.StatusPassed, tasks: "a=done b=done", files: map[string]string{"same.txt": "both"},
		},
		{
			name: "a repair that fails asks how its task continues", plan: two, parallel: 2,
			does: map[string]work{
				"a": passes("same.txt", "A"), "b": passes("same.txt", "B"), "a-land": fails, "b-land": fails,
			},
			status: loop.Waiting,
		},
		{
			name: "a merge that is red is repaired", plan: two, parallel: 2,
			does: map[string]work{
				"a":      {status: loop.StatusPassed, files: map[string]string{"a.txt": "A"}, red: true},
				"b":      {status: loop.StatusPassed, files: map[string]string{"b.txt": "B"}, red: true},
				"a-land": passes("fixed.txt", "fixed"), "b-land": passes("fixed.txt", "fixed"),
			},
			status: loop.StatusPassed, tasks: "a=done b=done", judged: 1,
			files: map[string]string{"a.txt": "A", "b.txt": "B", "fixed.txt": "fixed"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, "plan.json", c.plan, c.does)
			s.spec.Rules = plan.Rules{Parallel: c.parallel, PerTask: 2, OnFailure: c.policy}
			got := s.run(t, engine.Drive{})
			if got.Status != c.status || c.tasks != "" && statuses(got) != c.tasks {
				t.Errorf("%s/%s %s: %s", got.Status, got.Reason, got.Message, statuses(got))
			}
			if began := s.began(); c.began != "" && began != c.began {
				t.Errorf("loops: %s", began)
			}
			for path, want := range c.files {
				if text := s.file(t, got.Tip, path); text != want {
					t.Errorf("%s holds %q, want %q", path, text, want)
				}
			}
			if n := len(s.engine.judged); c.judged > 0 && n != c.judged {
				t.Errorf("judged %d merges, want %d", n, c.judged)
			}
			at, err := s.Repo.RefCommit(t.Context(), "refs/heads/"+got.Branch)
			if must(t, err); at != got.Tip {
				t.Errorf("the branch stands at %s, the tip is %s", at, got.Tip)
			}
		})
	}
}

// TestTicks: the file says what the record says, and nothing else of it changes.
func TestTicks(t *testing.T) {
	t.Parallel()
	const text = "# The plan\n\nWords of ours.\n\n- [ ] do a\n- [ ] do b\n"
	s := newStage(t, "plan.md", text, map[string]work{"do-a": passes("a.txt", "A"), "do-b": fails})
	s.run(t, engine.Drive{})
	now, err := os.ReadFile(s.spec.File)
	must(t, err)
	if !strings.Contains(string(now), "- [x] do a") || strings.Contains(string(now), "[x] do b") || !strings.Contains(string(now), "Words of ours.") {
		t.Errorf("%s", now)
	}
}

var errKilled = errors.New("killed")

// TestResumedAtEveryPoint: a run that is cut off at any point is resumed, and comes
// to the same end with no loop begun twice.
func TestResumedAtEveryPoint(t *testing.T) {
	t.Parallel()
	does := map[string]work{
		"a": passes("same.txt", "A"), "b": passes("same.txt", "B"),
		"a-land": passes("same.txt", "both"), "b-land": passes("same.txt", "both"),
	}
	whole := newStage(t, "plan.json", two, does)
	whole.spec.Rules.Parallel = 1
	points := 0
	whole.Fault = func(string) { points++ }
	want := whole.run(t, engine.Drive{})
	if want.Status != loop.StatusPassed || points < 10 {
		t.Fatalf("%s after %d points", want.Status, points)
	}
	for n := range points {
		s := newStage(t, "plan.json", two, does)
		s.spec.Rules.Parallel = 1
		ctx, kill := context.WithCancelCause(t.Context())
		at, left := "", n
		s.Fault = func(point string) {
			if left--; left == -1 {
				at = point
				kill(errKilled)
			}
		}
		got, err := s.Start(ctx, s.spec, engine.Options{}, engine.Drive{})
		if err != nil && ctx.Err() == nil {
			t.Fatalf("killed at %s: %v", at, err)
		}
		if !got.Status.Terminal() {
			got, err = s.Resume(t.Context(), s.spec.ID, engine.Options{}, engine.Drive{})
			must(t, err)
		}
		if got.Status != loop.StatusPassed || statuses(got) != statuses(want) {
			t.Errorf("killed at %s: %s %s, %s", at, got.Status, got.Message, statuses(got))
		}
		seen := slices.Clone(s.engine.order)
		slices.Sort(seen)
		if len(slices.Compact(seen)) != len(s.engine.order) || len(seen) != len(whole.engine.order) {
			t.Errorf("killed at %s: loops %s", at, s.began())
		}
	}
}

// TestReads: what is shown of a plan, by its name, in lists and as events.
func TestReads(t *testing.T) {
	t.Parallel()
	s := newStage(t, "plan.json", two, map[string]work{"a": passes("a.txt", "A")})
	ctx := t.Context()
	if _, err := s.Show(ctx, s.spec.ID); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("before it was run: %v", err)
	}
	if all, err := s.List(ctx, engine.Filter{}); err != nil || len(all) > 0 {
		t.Errorf("before it was run: %v, %v", all, err)
	}
	done := s.run(t, engine.Drive{})
	for _, name := range []string{s.spec.ID, s.spec.ID[:6], s.spec.File} {
		if id, err := s.Find(ctx, name); err != nil || id != s.spec.ID {
			t.Errorf("%s: %q, %v", name, id, err)
		}
	}
	for _, name := range []string{"", "nothing", filepath.Join(t.TempDir(), "other.json")} {
		if _, err := s.Find(ctx, name); !errors.Is(err, engine.ErrNotFound) {
			t.Errorf("%q: %v", name, err)
		}
	}
	shown, err := s.Show(ctx, s.spec.ID)
	if must(t, err); shown.Live || shown.Crashed || shown.State.Tip != done.Tip || len(shown.Plan.Tasks) != 2 || shown.Spec.File != s.spec.File {
		t.Errorf("%+v", shown)
	}
	for f, want := range map[engine.Filter]int{{}: 1, {Active: true}: 0, {Ended: true, Limit: 1}: 1} {
		all, err := s.List(ctx, f)
		marks, failed := s.Marks(ctx, f)
		if must(t, errors.Join(err, failed)); len(all) != want || len(marks) != want {
			t.Errorf("%+v lists %d, marks %d", f, len(all), len(marks))
		}
	}
	events, err := s.Events(ctx, s.spec.ID, 0)
	if must(t, err); int64(len(events)) != shown.Seq || events[len(events)-1].Seq != shown.Seq {
		t.Errorf("%d events, newest %d", len(events), shown.Seq)
	}
	if late, err := s.Events(ctx, s.spec.ID, shown.Seq-1); err != nil || len(late) != 1 {
		t.Errorf("after the last but one: %d, %v", len(late), err)
	}
	if err := s.Archive(ctx, s.spec.ID); err != nil {
		t.Error(err)
	}
	if len(s.engine.archived) != len(s.engine.all) || len(s.engine.all) == 0 {
		t.Errorf("of %d loops %v are archived", len(s.engine.all), s.engine.archived)
	}
	if all, err := s.List(ctx, engine.Filter{}); err != nil || len(all) > 0 {
		t.Errorf("archived: %v, %v", all, err)
	}
	if all, err := s.List(ctx, engine.Filter{Archived: true}); err != nil || len(all) != 1 {
		t.Errorf("with the archived: %v, %v", all, err)
	}
}

// TestAccept: what passed is merged into the branch that is checked out, judged
// again where that has moved.
func TestAccept(t *testing.T) {
	t.Parallel()
	does := map[string]work{"a": passes("a.txt", "A"), "b": passes("b.txt", "B")}
	t.Run("fast-forward", func(t *testing.T) {
		t.Parallel()
		s := newStage(t, "plan.json", chain, does)
		want := s.run(t, engine.Drive{})
		done, err := s.Accept(t.Context(), s.spec.ID, engine.AcceptOptions{})
		if err != nil || !done.FastForward || done.Commit != want.Tip || done.Already {
			t.Errorf("%+v, %v", done, err)
		}
		if !slices.Equal(s.engine.merged, []string{"a", "b"}) {
			t.Errorf("accepted with the plan: %q", s.engine.merged)
		}
		if done, err = s.Accept(t.Context(), s.spec.ID, engine.AcceptOptions{}); err != nil || !done.Already {
			t.Errorf("again: %+v, %v", done, err)
		}
		if rec, err := s.Store.Read(t.Context(), s.spec.ID); err != nil || rec.State.Accepted != want.Tip {
			t.Errorf("not recorded: %v", err)
		}
	})
	t.Run("a branch that has moved", func(t *testing.T) {
		t.Parallel()
		s := newStage(t, "plan.json", chain, does)
		s.run(t, engine.Drive{})
		moved, err := commitOn(t.Context(), s.Repo, s.spec.Base, map[string]string{"mine.txt": "mine"})
		must(t, err)
		must(t, s.Repo.AdvanceBranch(t.Context(), "main", moved, s.spec.Base))
		done, err := s.Accept(t.Context(), s.spec.ID, engine.AcceptOptions{})
		if err != nil || done.FastForward || len(done.Results) != 1 || s.file(t, done.Commit, "b.txt") != "B" || s.file(t, done.Commit, "mine.txt") != "mine" {
			t.Errorf("%+v, %v", done, err)
		}
	})
	t.Run("not complete", func(t *testing.T) {
		t.Parallel()
		s := newStage(t, "plan.json", chain, map[string]work{"a": does["a"], "b": fails})
		s.run(t, engine.Drive{})
		if _, err := s.Accept(t.Context(), s.spec.ID, engine.AcceptOptions{}); !errors.Is(err, engine.ErrNotPassed) {
			t.Errorf("accepted: %v", err)
		}
		if done, err := s.Accept(t.Context(), s.spec.ID, engine.AcceptOptions{Partly: true}); err != nil || s.file(t, done.Commit, "a.txt") != "A" {
			t.Errorf("partly: %+v, %v", done, err)
		}
		if !slices.Equal(s.engine.merged, []string{"a"}) {
			t.Errorf("accepted with a part of the plan: %q", s.engine.merged)
		}
	})
	t.Run("nothing was changed", func(t *testing.T) {
		t.Parallel()
		s := newStage(t, "plan.json", two, nil)
		s.run(t, engine.Drive{})
		if _, err := s.Accept(t.Context(), s.spec.ID, engine.AcceptOptions{}); !errors.Is(err, engine.ErrNotPassed) {
			t.Errorf("accepted: %v", err)
		}
	})
}

// TestAskedAndAnswered: a plan rests for a loop's question, and continues with the
// same loop when that was answered.
func TestAskedAndAnswered(t *testing.T) {
	t.Parallel()
	s := newStage(t, "plan.json", chain, map[string]work{
		"a": {status: loop.StatusPassed, files: map[string]string{"a.txt": "A"}, asks: "Which?"}, "b": passes("b.txt", "B"),
	})
	got := s.run(t, engine.Drive{})
	if got.Status != loop.Waiting || got.Reason != loop.ForHuman || s.began() != "a" {
		t.Fatalf("%s/%s, loops %s", got.Status, got.Reason, s.began())
	}
	_, err := s.engine.Send(t.Context(), s.engine.order[0], engine.Command{Kind: engine.Answer, Text: "this"})
	must(t, err)
	got, err = s.Resume(t.Context(), s.spec.ID, engine.Options{}, engine.Drive{})
	if must(t, err); got.Status != loop.StatusPassed || s.began() != "a b" {
		t.Errorf("%s %s, loops %s", got.Status, got.Message, s.began())
	}
}

// TestSubPlan: a plan in a task's place has its own run and lands on its parent.
func TestSubPlan(t *testing.T) {
	t.Parallel()
	s := newStage(t, "outer.json", `{"tasks": [{"id": "a", "title": "do a", "dependencies": [], "plan": "inner.json"}, {"id": "b", "title": "do b", "dependencies": ["a"]}]}`,
		map[string]work{"x": passes("x.txt", "X"), "b": passes("b.txt", "B")})
	inner := filepath.Join(filepath.Dir(s.spec.File), "inner.json")
	must(t, os.WriteFile(inner, []byte(`{"tasks": [{"id": "x", "title": "do x", "dependencies": []}]}`), 0o600))
	seen := map[string]int{}
	got := s.run(t, engine.Drive{Watch: func(u engine.Update) {
		if u.Plan != nil {
			seen[u.Plan.After.ID]++
		}
	}})
	if got.Status != loop.StatusPassed || s.file(t, got.Tip, "x.txt") != "X" || s.file(t, got.Tip, "b.txt") != "B" {
		t.Errorf("%s %s: %s", got.Status, got.Message, statuses(got))
	}
	child, err := s.Show(t.Context(), IDOf(inner))
	if must(t, err); child.State.Status != loop.StatusPassed || child.State.Accepted == "" || !slices.Contains(child.Spec.Ancestors, s.spec.ID) {
		t.Errorf("the inner plan: %s, accepted %q, ancestors %v", child.State.Status, child.State.Accepted, child.Spec.Ancestors)
	}
	if seen[s.spec.ID] == 0 || seen[child.State.ID] == 0 {
		t.Errorf("transitions seen: %v", seen)
	}
}

// TestFresh: a plan that is begun anew keeps the old branch aside, and does
// everything again.
func TestFresh(t *testing.T) {
	t.Parallel()
	s := newStage(t, "plan.json", two, map[string]work{"a": passes("a.txt", "A")})
	first := s.run(t, engine.Drive{})
	got, err := s.Start(t.Context(), s.spec, engine.Options{Fresh: true}, engine.Drive{})
	if must(t, err); got.Status != loop.StatusPassed || s.began() != "a b a-2 b-2" && s.began() != "b a a-2 b-2" && s.began() != "a b b-2 a-2" && s.began() != "b a b-2 a-2" {
		t.Errorf("%s, loops %s", got.Status, s.began())
	}
	if !strings.Contains(got.Note, "archive/"+first.Branch) && got.Tip == first.Tip {
		t.Errorf("note %q", got.Note)
	}
}

// TestFreshAfterMove: a plan that was moved to a server begins anew here only where the user
// gives up what was done there.
func TestFreshAfterMove(t *testing.T) {
	t.Parallel()
	s := newStage(t, "plan.json", two, map[string]work{"a": passes("a.txt", "A")})
	first := s.run(t, engine.Drive{})
	there := loop.Home{Engine: "temporal://lost:7233/default"}
	l, err := s.Store.Acquire(t.Context(), s.spec.ID, nil, false)
	must(t, err)
	at := plan.Stamp{At: first.EndedAt.Add(time.Minute)}
	_, err = engine.CommitPlan(t.Context(), l, plan.MoveBegan{Stamp: at, From: loop.Home{Engine: loop.LocalEngine}, To: there}, plan.MovedAway{Stamp: at})
	must(t, err)
	must(t, l.Release(t.Context()))
	for _, o := range []engine.Options{{}, {Fresh: true}, {Abandon: true}} {
		_, err := s.Start(t.Context(), s.spec, o, engine.Drive{})
		if moved, is := errors.AsType[*engine.MovedError](err); !is || !strings.Contains(moved.Hint(), "--fresh --abandon-moved") {
			t.Errorf("%+v: %v", o, err)
		}
	}
	got, err := s.Start(t.Context(), s.spec, engine.Options{Fresh: true, Abandon: true}, engine.Drive{})
	if must(t, err); got.Status != loop.StatusPassed || got.Move != nil || !strings.Contains(s.began(), "a-2") || !strings.Contains(s.began(), "b-2") {
		t.Errorf("%s, %+v, loops %s", got.Status, got.Move, s.began())
	}
	noted := false
	for e, err := range engine.Events(t.Context(), s.Store.Events, s.spec.ID, 0, engine.Newest) {
		must(t, err)
		n, is := e.Decoded.(plan.Noted)
		noted = noted || is && strings.Contains(n.Text, "what was done on "+there.String()+" is left there")
	}
	if !noted {
		t.Error("the journal does not tell what was left")
	}
}

// TestLandedBranchIsMoved: a run stops where its integration branch is not where it
// left it.
func TestLandedBranchIsMoved(t *testing.T) {
	t.Parallel()
	s := newStage(t, "plan.json", chain, map[string]work{
		"a": passes("a.txt", "A"), "b": {status: loop.StatusPassed, files: map[string]string{"b.txt": "B"}, asks: "Which?"},
	})
	got := s.run(t, engine.Drive{})
	foreign, err := commitOn(t.Context(), s.Repo, got.Base, map[string]string{"foreign.txt": "F"})
	must(t, err)
	must(t, s.Repo.UpdateRef(t.Context(), "refs/heads/"+got.Branch, foreign, got.Tip))
	got, err = s.Resume(t.Context(), s.spec.ID, engine.Options{}, engine.Drive{})
	if must(t, err); got.Status.Terminal() && got.Status != loop.StatusFailed && got.Status != loop.Aborted || !strings.Contains(got.Message, "was moved") {
		t.Errorf("%s %s", got.Status, got.Message)
	}
}
