package planner

import (
	"context"
	"errors"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// TestTakenOverPlanStops: a run whose plan another process acquires ends with
// ErrFenced, and writes nothing more into the record.
func TestTakenOverPlanStops(t *testing.T) {
	t.Parallel()
	s := newStage(t, "plan.json", chain, map[string]work{"a": passes("a.txt", "A"), "b": passes("b.txt", "B")})
	var now engine.PlanLease
	_, err := s.Start(t.Context(), s.spec, engine.Options{}, engine.Drive{Watch: func(u engine.Update) {
		if u.Plan == nil || u.Plan.Event.Name() != (plan.Started{}).Name() || now != nil {
			return
		}
		var err error
		if now, err = s.Store.Acquire(t.Context(), s.spec.ID, nil, true); err != nil {
			t.Error(err)
		}
	}})
	if !errors.Is(err, engine.ErrFenced) || now == nil {
		t.Fatalf("the run ended with %v", err)
	}
	rec, err := s.Store.Read(t.Context(), s.spec.ID)
	must(t, err)
	if rec.Epoch != now.Epoch() || !rec.Live || rec.Seq != now.Seq() {
		t.Errorf("the former owner wrote: %+v", rec)
	}
	must(t, now.Release(context.Background()))
	got, err := s.Resume(t.Context(), s.spec.ID, engine.Options{}, engine.Drive{})
	if err != nil || got.Status != loop.StatusPassed {
		t.Errorf("resumed: %s %s, %v", got.Status, got.Message, err)
	}
}

// TestLoopsOfTheFormerOwnerAreTakenOver: a plan that is taken over from a living
// process takes over the loops of that process, and no others.
func TestLoopsOfTheFormerOwnerAreTakenOver(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	first := plan.Begin(d.spec.ID, d.spec.File, "", "b", d.spec.Base, plan.Rules{})
	held, err := d.Store.Create(t.Context(), first, nil)
	must(t, err)
	rec, err := d.Store.Read(t.Context(), d.spec.ID)
	must(t, err)
	process := former(rec, true)
	if process == "" || process != rec.Process {
		t.Fatalf("the former owner is %q, the record says %q", process, rec.Process)
	}
	for name, row := range map[string]struct {
		former, process string
		live, want      bool
	}{
		"the same process":      {process, process, true, true},
		"another process":       {process, "another", true, false},
		"a process that died":   {process, process, false, false},
		"nothing is taken over": {"", process, true, false},
		"both are unknown":      {"", "", true, false},
	} {
		d.loops.put("l", func(l *engine.Loop) { l.Live, l.Process = row.live, row.process })
		r := &run{Planner: d.Planner, former: row.former}
		if got := r.mayTakeOver(t.Context(), "l"); got != row.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if (&run{Planner: d.Planner, former: process}).mayTakeOver(t.Context(), "unknown") {
		t.Error("a loop that there is not may be taken over")
	}
	if got := former(rec, false); got != "" {
		t.Errorf("without a take-over: %q", got)
	}
	must(t, held.Release(t.Context()))
	rec, err = d.Store.Read(t.Context(), d.spec.ID)
	if must(t, err); former(rec, true) != "" {
		t.Errorf("of a plan that is not held: %q", former(rec, true))
	}
}
