//go:build unix

package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
)

func TestEightProcessesLoseNothing(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "ralph") // they also race to make it
	const processes, steps = 8, 200
	var all []*child
	for i := range processes {
		all = append(all, spawn(t, "steps", dir, fmt.Sprintf("loop-%d", i), strconv.Itoa(steps)))
	}
	for _, c := range all {
		c.end()
	}
	s := openTest(t, dir, Options{})
	loops, err := s.Entries(t.Context(), Filter{})
	must(t, err)
	if len(loops) != processes {
		t.Errorf("%d loops", len(loops))
	}
	for _, e := range loops {
		if e.Iteration != steps || e.Seq != steps+1 {
			t.Errorf("loop %s: iteration %d, %d events", e.ID, e.Iteration, e.Seq)
		}
		wholeHistory(t, s, e.ID)
	}
}

// wholeHistory checks that the events are numbered without a gap up to the row's
// number, and that the state stands where the events say.
func wholeHistory(t *testing.T, s *Store, id string) {
	t.Helper()
	r, err := s.Read(t.Context(), id)
	must(t, err)
	events, err := s.Events(t.Context(), id, 0, 0)
	must(t, err)
	for i, e := range events {
		if e.Seq != int64(i+1) {
			t.Fatalf("loop %s: event %d has number %d", id, i, e.Seq)
		}
	}
	if r.Seq != int64(len(events)) || int64(r.State.Iteration) != r.Seq-1 {
		t.Errorf("loop %s: %d events, row says %d, state %d", id, len(events), r.Seq, r.State.Iteration)
	}
}

func TestKillDuringCommits(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	must(t, create(t, s, "a").Release(t.Context()))
	for round := range 15 {
		c := spawn(t, "forever", dir, "a")
		acked := 0
		for range 1 + round*3 {
			n, err := strconv.Atoi(c.line())
			must(t, err)
			acked = n
		}
		c.kill()
		wholeHistory(t, s, "a")
		r, err := s.Read(t.Context(), "a")
		must(t, err)
		if int(r.Seq) < acked || !r.Crashed {
			t.Errorf("round %d: %d acknowledged, %d there, crashed %v", round, acked, r.Seq, r.Crashed)
		}
	}
	found, err := s.Problems(t.Context())
	if err != nil || len(found) != 0 {
		t.Errorf("Check: %v, %v", found, err)
	}
}

// Nobody is there to mend the log of a killed writer but a reader.
func TestReadingAfterAKill(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "ralph")
	s, err := Open(t.Context(), dir, Options{})
	must(t, err)
	must(t, create(t, s, "a").Release(t.Context()))
	must(t, s.Close())
	c := spawn(t, "forever", dir, "a")
	for range 5 {
		c.line()
	}
	c.kill()
	wholeHistory(t, openTest(t, dir, Options{ReadOnly: true}), "a")
}

func TestResumeNeedsASlot(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	must(t, create(t, s, "dead").Release(t.Context()))
	create(t, s, "b")
	if _, err := s.AcquireToRun(t.Context(), "dead", false, Admission{Max: 1}); !as[*AdmissionError](err) {
		t.Errorf("Resume: %v", err)
	}
	l, err := s.AcquireToRun(t.Context(), "dead", false, Admission{Max: 2})
	must(t, err)
	again, err := s.AcquireToRun(t.Context(), "dead", true, Admission{Max: 2}) // its own slot does not count
	must(t, err)
	must(t, endWith(t.Context(), again, loop.StatusPassed, loop.Green))
	must(t, errors.Join(l.Release(t.Context()), again.Release(t.Context())))
	l, err = s.AcquireToRun(t.Context(), "dead", false, Admission{Max: 1}) // an ended loop needs none
	must(t, err)
	must(t, l.Release(t.Context()))
}

func TestAdmissionIsExactUnderTwentyProcesses(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	const processes, slots = 20, 4
	var all []*child
	for i := range processes {
		c := spawn(t, "admit", dir, fmt.Sprintf("loop-%d", i), strconv.Itoa(slots))
		all = append(all, c)
	}
	for _, c := range all {
		c.want("ready")
	}
	for _, c := range all {
		c.say("go")
	}
	var in []*child
	for _, c := range all {
		if c.line() == "in" {
			in = append(in, c)
		}
	}
	if len(in) != slots {
		t.Errorf("%d loops for %d slots", len(in), slots)
	}
	onlyLoops(t, s, dir, slots)
	in[0].kill()
	if l, err := s.Create(t.Context(), newState("next"), Admission{Max: slots}); err != nil {
		t.Errorf("a dead owner holds its slot: %v", err)
	} else {
		must(t, l.Release(t.Context()))
	}
}

// onlyLoops checks that refused loops left neither row nor directory.
func onlyLoops(t *testing.T, s *Store, dir string, n int) {
	t.Helper()
	rows, err := s.Entries(t.Context(), Filter{Archived: true})
	must(t, err)
	files, err := os.ReadDir(filepath.Join(dir, "loops"))
	must(t, err)
	if len(rows) != n || len(files) != n {
		t.Errorf("%d rows and %d directories, want %d", len(rows), len(files), n)
	}
}

func TestAdmissionError(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	create(t, s, "a")
	create(t, s, "b")
	_, err := s.Create(t.Context(), newState("c"), Admission{Max: 2})
	e, ok := errors.AsType[*AdmissionError](err)
	if !ok || e.Max != 2 || len(e.Active) != 2 || e.Paths != 3 || !e.Active[0].Live {
		t.Fatalf("Create: %+v", err)
	}
	onlyLoops(t, s, dir, 2)
	l, err := s.Create(t.Context(), newState("c"), Admission{Max: 2, Force: true})
	must(t, err)
	defer l.Release(t.Context())
	events, err := s.Events(t.Context(), "c", 0, 1)
	must(t, err)
	if !strings.Contains(string(events[0].Data), `"forced_over":2,"communication_paths":3`) {
		t.Errorf("forcing is not recorded: %s", events[0].Data)
	}
	if l.State().ForcedOver != 2 || stored(t, s, "c").ForcedOver != 2 || stored(t, s, "a").ForcedOver != 0 {
		t.Error("the state does not say that it was forced, or another one does")
	}
	if _, err := s.Create(t.Context(), newState("c"), Admission{}); !errors.Is(err, ErrExists) {
		t.Errorf("a second loop of the same name: %v", err)
	}
}

func stored(t *testing.T, s *Store, id string) loop.State {
	t.Helper()
	r, err := s.Read(t.Context(), id)
	must(t, err)
	return r.State
}

// Who is made to run again beside too many says so too: in the state from its
// next commit on, and at once on the bus.
func TestForcedResume(t *testing.T) {
	t.Parallel()
	s, _, views := viewed(t)
	must(t, create(t, s, "dead").Release(t.Context()))
	create(t, s, "b")
	l, err := s.AcquireToRun(t.Context(), "dead", false, Admission{Max: 1, Force: true})
	must(t, err)
	defer l.Release(t.Context())
	if l.State().ForcedOver != 1 {
		t.Errorf("the lease's state: %+v", l.State())
	}
	acquired := loop.Acquired{Stamp: loop.Stamp{At: clock()}, Owner: "me"}
	st, err := loop.Apply(l.State(), acquired)
	must(t, err)
	must(t, l.Commit(t.Context(), st, []loop.Event{acquired}))
	if stored(t, s, "dead").ForcedOver != 1 {
		t.Error("it is not stored")
	}
	if log := read(t, views, "log.jsonl"); !strings.Contains(log, `"event":"forced","loop_id":"dead","agent":"scripted","forced_over":1,"communication_paths":1,`) {
		t.Errorf("it is not on the bus:\n%s", log)
	}

	driven := loop.New(loop.Spec{ID: "driven", Mode: loop.AgentDriven, Limits: loop.DefaultLimits()}, clock())
	driven.Status = loop.Paused
	must(t, s.Enter(t.Context(), driven, Admission{}))
	resume := func(st loop.State) (loop.State, []loop.Event, error) {
		e := loop.Resumed{Stamp: loop.Stamp{At: clock()}}
		next, err := loop.Apply(st, e)
		return next, []loop.Event{e}, err
	}
	if _, err := s.Change(t.Context(), "driven", Admission{Max: 1}, resume); !as[*AdmissionError](err) {
		t.Errorf("Change: %v", err)
	}
	got, err := s.Change(t.Context(), "driven", Admission{Max: 1, Force: true}, resume)
	must(t, err)
	if got.ForcedOver != 2 || stored(t, s, "driven").ForcedOver != 2 {
		t.Errorf("forced over %d", got.ForcedOver)
	}
}

func TestWhoHoldsASlot(t *testing.T) {
	t.Parallel()
	now := clock()
	limits := loop.DefaultLimits()
	limits.Loop.Hard, limits.Stall = 10*time.Minute, 5*time.Minute
	agentDriven := loop.New(loop.Spec{ID: "x", Mode: loop.AgentDriven, Limits: limits}, now)
	paused := agentDriven
	paused.Status = loop.Paused
	tests := []struct {
		name string
		e    Entry
		at   time.Time
		want bool
	}{
		{"supervised, alive", Entry{Status: loop.Running, Live: true}, now, true},
		{"just created", Entry{Status: loop.Pending, Live: true}, now, true},
		{"waiting, alive", Entry{Status: loop.Waiting, Reason: loop.ForHuman, Live: true}, now, true},
		{"paused, alive", Entry{Status: loop.Paused, Live: true}, now, false},
		{"dead", Entry{Status: loop.Running}, now, false},
		{"ended, alive", Entry{Status: loop.StatusFailed, Live: true}, now, false},
		{"agent-driven", Entry{Mode: loop.AgentDriven, Status: loop.Running, deadline: agentDriven.EndsAt()}, now.Add(5*time.Minute - 1), true},
		{"agent-driven, stalled", Entry{Mode: loop.AgentDriven, Status: loop.Running, deadline: agentDriven.EndsAt()}, now.Add(5 * time.Minute), false},
		{"agent-driven, paused", Entry{Mode: loop.AgentDriven, Status: loop.Paused, deadline: paused.EndsAt()}, now, false},
		{"agent-driven, no limit of time", Entry{Mode: loop.AgentDriven, Status: loop.Running}, now.AddDate(1, 0, 0), true},
	}
	for _, tt := range tests {
		if got := tt.e.holdsSlot(tt.at); got != tt.want {
			t.Errorf("%s: holds a slot = %v", tt.name, got)
		}
	}
}

func TestFilesMayNotGrow(t *testing.T) {
	t.Parallel()
	_, dir := fresh(t)
	spawn(t, "full", dir).end()
}
