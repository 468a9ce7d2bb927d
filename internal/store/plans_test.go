//go:build unix

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/store/sqlrow"
)

// takePlan takes up a plan of n tasks that somebody has opened.
func takePlan(t *testing.T, s *Store, id string, n int) *PlanLease {
	t.Helper()
	l, err := s.Plans().Create(t.Context(), plan.Begin(id, "/"+id+".md", id, "b", "c0", plan.Rules{Parallel: 1, PerTask: 1}), []byte("{}"))
	must(t, err)
	t.Cleanup(func() { must(t, l.Release(context.Background())) })
	read := plan.Read{Stamp: loop.Stamp{At: clock()}}
	for i := range n {
		read.Tasks = append(read.Tasks, plan.ReadTask{ID: fmt.Sprintf("t%d", i), Digest: "d", Status: plan.Pending})
	}
	commitPlan(t, l, read, plan.Opened{Stamp: loop.Stamp{At: clock()}})
	return l
}

func commitPlan(t *testing.T, l *PlanLease, events ...plan.Event) {
	t.Helper()
	next := l.State()
	for _, e := range events {
		var err error
		next, err = plan.Apply(next, e)
		must(t, err)
	}
	must(t, l.Commit(t.Context(), next, events))
}

func TestAPlanIsReadBack(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	l := takePlan(t, s, "p", 3)
	other := openTest(t, dir, Options{ReadOnly: true})
	r, err := other.Plans().Read(t.Context(), "p")
	must(t, err)
	if diff := cmp.Diff(l.State(), r.State); diff != "" || !r.Live || r.Crashed || r.Seq != 2 {
		t.Errorf("live %t, seq %d (-want +got):\n%s", r.Live, r.Seq, diff)
	}
	events, err := other.Plans().Events(t.Context(), "p", 1, 0)
	must(t, err)
	if len(events) != 1 || events[0].Name != "plan_opened" || events[0].Seq != 2 {
		t.Errorf("%+v", events)
	}
	must(t, l.Release(t.Context()))
	if r, err = other.Plans().Read(t.Context(), "p"); err != nil || r.Live || !r.Crashed {
		t.Errorf("let go while it runs: %+v, %v", r, err)
	}
	if _, err := other.Plans().Read(t.Context(), "q"); !errors.Is(err, ErrNoPlan) {
		t.Errorf("a plan that is not there: %v", err)
	}
}

// TestAPlanHasOneOwner: a second one is refused, and one that was taken over can
// write no more.
func TestAPlanHasOneOwner(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	old := takePlan(t, s, "p", 1)
	if _, err := s.Plans().Create(t.Context(), plan.Begin("p", "", "", "", "", plan.Rules{}), nil); !errors.Is(err, ErrPlanExists) {
		t.Errorf("a second plan of the name: %v", err)
	}
	if _, err := s.Plans().Acquire(t.Context(), "q", nil, false); !errors.Is(err, ErrNoPlan) {
		t.Errorf("the lease of a plan that is not there: %v", err)
	}
	if _, err := s.Plans().Acquire(t.Context(), "p", nil, false); !as[*HeldError](err) {
		t.Errorf("a second owner: %v", err)
	}
	l, err := s.Plans().Acquire(t.Context(), "p", nil, true)
	must(t, err)
	t.Cleanup(func() { must(t, l.Release(context.Background())) })
	if got := l.State(); got.File != "/p.md" || len(got.Tasks) != 1 {
		t.Errorf("the new owner has %+v", got)
	}
	if err := old.Commit(t.Context(), old.State(), nil); !as[*FencedError](err) {
		t.Errorf("the old owner wrote: %v", err)
	}
	if _, err := old.Inbox(t.Context()); !as[*FencedError](err) {
		t.Errorf("looking for messages, the old owner was not told: %v", err)
	}
	must(t, s.Plans().Send(t.Context(), "p", Message{Kind: "abort", Text: "why", By: "me"}))
	box, err := l.Inbox(t.Context())
	must(t, err)
	if len(box) != 1 || box[0].Kind != "abort" || box[0].By != "me" {
		t.Fatalf("%+v", box)
	}
	must(t, l.Commit(t.Context(), l.State(), nil, box[0].ID))
	if box, err = l.Inbox(t.Context()); err != nil || len(box) != 0 {
		t.Errorf("taken, it is still there: %+v, %v", box, err)
	}
}

// TestAStepWritesItsTaskOnly: what one task's step writes must not grow with the
// plan.
func TestAStepWritesItsTaskOnly(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	l := takePlan(t, s, "p", 500)
	must(t, s.write(t.Context(), "watch", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(t.Context(), `CREATE TEMP TABLE wrote (n INTEGER);
			CREATE TEMP TRIGGER w AFTER UPDATE ON plan_tasks BEGIN INSERT INTO wrote VALUES (new.n); END`)
		if err != nil {
			return err
		}
		next, err := plan.Apply(l.State(), plan.Started{Stamp: loop.Stamp{At: clock()}, Task: "t7", Loop: "l", From: "c0", Most: 1})
		if err != nil {
			return err
		}
		if err := l.writeTasks(t.Context(), tx, next.Tasks, &l.parts); err != nil {
			return err
		}
		wrote, err := sqlrow.Column[int](t.Context(), tx, `SELECT n FROM wrote`)
		if err == nil && !slices.Equal(wrote, []int{7}) {
			t.Errorf("wrote %v", wrote)
		}
		return err
	}))
}

func TestPlansAreListed(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	for _, id := range []string{"ended-1", "ended-2", "ended-3", "on"} {
		l := takePlan(t, s, id, 1)
		if id != "on" {
			commitPlan(t, l, plan.AbortAsked{Stamp: loop.Stamp{At: clock()}})
		}
		must(t, l.Release(t.Context()))
	}
	must(t, s.Plans().Archive(t.Context(), "ended-1"))
	for want, f := range map[string]Filter{
		"[on]": {Active: true}, "[ended-3]": {Ended: true, Limit: 1}, "[on ended-3 ended-2]": {},
		"[on ended-3 ended-2 ended-1]": {Archived: true},
	} {
		all, err := s.Plans().List(t.Context(), f)
		must(t, err)
		var ids []string
		for _, r := range all {
			ids = append(ids, r.State.ID)
		}
		if got := fmt.Sprint(ids); got != want {
			t.Errorf("%+v: %s, want %s", f, got, want)
		}
	}
	for prefix, want := range map[string]string{"on": "on", "ended-2": "ended-2"} {
		if got, err := s.Plans().Resolve(t.Context(), prefix); err != nil || got != want {
			t.Errorf("%q: %v, %v, want %s", prefix, got, err, want)
		}
	}
	for _, prefix := range []string{"x", "%"} {
		if got, err := s.Plans().Resolve(t.Context(), prefix); !errors.Is(err, ErrNoPlan) {
			t.Errorf("%q: %v, %v", prefix, got, err)
		}
	}
	_, err := s.Plans().Resolve(t.Context(), "ended")
	if several, ok := errors.AsType[*AmbiguousError](err); !ok || fmt.Sprint(several.IDs) != "[ended-2 ended-3]" {
		t.Errorf("several: %v", err)
	}
}

// TestAPlansLeaseGuardsItsCommits as a loop's does: not after its release, and no
// state of another plan.
func TestAPlansLeaseGuardsItsCommits(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	l := takePlan(t, s, "p", 1)
	other := l.State()
	other.ID = "q"
	if err := l.Commit(t.Context(), other, nil); err == nil {
		t.Error("the state of another plan was committed")
	}
	must(t, s.Plans().Send(t.Context(), "p", Message{Kind: "pause"}))
	<-l.Wake()
	must(t, l.Release(t.Context()))
	must(t, l.Release(t.Context()))
	if err := l.Commit(t.Context(), l.State(), nil); !errors.Is(err, ErrReleased) {
		t.Errorf("committed after the release: %v", err)
	}
}

// One plan whose lock cannot be read hides no other run from lists and supervisors.
func TestUnreadablePlanLock(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	for _, id := range []string{"bad", "good"} {
		l := takePlan(t, s, id, 1)
		must(t, l.Release(t.Context()))
	}
	lock := s.runLock(planRuns, "bad")
	must(t, os.RemoveAll(lock))
	must(t, os.Symlink(lock, lock)) // opening it fails
	if _, err := heldBy(lock, 1, Owner{}); err == nil {
		t.Fatal("the lock can be read")
	}
	all, err := s.Plans().List(t.Context(), Filter{Active: true})
	must(t, err)
	unended, err := s.Unended(t.Context())
	must(t, err)
	if len(all) != 2 || len(unended) != 2 {
		t.Errorf("listed %d plans, %d unended runs", len(all), len(unended))
	}
}
