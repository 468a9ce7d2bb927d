//go:build unix

package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/recovery"
)

func unended(t testing.TB, s *Store) []recovery.Run {
	t.Helper()
	all, err := s.Unended(t.Context())
	must(t, err)
	return all
}

func TestOneOfManyClaimsATry(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	l := create(t, s, "a")
	must(t, tick(t.Context(), l))
	must(t, l.Release(t.Context()))
	for try := 1; try <= 3; try++ {
		seen := unended(t, s)
		if len(seen) != 1 || !seen[0].Crashed || seen[0].Restarts.Tries != try-1 {
			t.Fatalf("%+v", seen)
		}
		m := recovery.Tracker{Policy: recovery.DefaultPolicy()}
		act := m.Look(0, seen[0].Restarts.Next.Add(time.Second), seen)[0]
		var won atomic.Int32
		var all sync.WaitGroup
		for range 8 {
			other := openTest(t, dir, Options{})
			all.Go(func() {
				ok, err := other.Claim(t.Context(), act, "test")
				if err != nil {
					t.Error(err)
				}
				if ok {
					won.Add(1)
				}
			})
		}
		all.Wait()
		if won.Load() != 1 {
			t.Errorf("try %d has %d winners", try, won.Load())
		}
	}
	r, err := s.Read(t.Context(), "a")
	must(t, err)
	if !r.Crashed || r.Recovery.Tries != 3 {
		t.Errorf("%+v", r.Recovery)
	}
	// A person takes it up: the tries are forgotten.
	l, err = s.Acquire(t.Context(), "a", false)
	must(t, err)
	must(t, l.ForgetRecovery(t.Context()))
	if seen := unended(t, s); len(seen) != 1 || seen[0].Crashed || seen[0].Restarts != (recovery.Restarts{}) {
		t.Errorf("%+v", seen)
	}
	must(t, l.Release(t.Context()))
}

func TestNothingIsClaimedThatMoved(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	l := create(t, s, "a")
	must(t, tick(t.Context(), l))
	must(t, l.Release(t.Context()))
	m := recovery.Tracker{Policy: recovery.DefaultPolicy()}
	act := m.Look(0, clock(), unended(t, s))[0]
	claim := func() bool {
		won, err := s.Claim(t.Context(), act, "test")
		must(t, err)
		return won
	}
	l, err := s.Acquire(t.Context(), "a", false)
	must(t, err)
	if claim() {
		t.Error("a loop that somebody runs was claimed")
	}
	act.Crashed = false // as if its owner had been seen standing still, long ago
	if claim() {
		t.Error("another epoch was claimed")
	}
	act.Crashed, act.Epoch = true, l.Epoch()
	must(t, endWith(t.Context(), l, loop.StatusPassed, loop.Green))
	must(t, l.Release(t.Context()))
	if claim() {
		t.Error("an ended loop was claimed")
	}
}

// TestAFailedTryIsCorrected: what was claimed and did not come about is put
// right, unless somebody else has claimed since.
func TestAFailedTryIsCorrected(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	l := create(t, s, "a")
	must(t, tick(t.Context(), l))
	must(t, l.Release(t.Context()))
	m := recovery.Tracker{Policy: recovery.DefaultPolicy()}
	act := m.Look(0, clock(), unended(t, s))[0]
	won, err := s.Claim(t.Context(), act, "test")
	must(t, err)
	later := m.Policy.Later(act, clock(), "no room")
	must(t, s.RecoveryFailed(t.Context(), act, later, "test"))
	r, err := s.Read(t.Context(), "a")
	must(t, err)
	if !won || r.Recovery.Tries != 0 || r.Recovery.Why != "no room" || !r.Recovery.Next.Equal(clock().Add(30*time.Second)) {
		t.Errorf("%v %+v", won, r.Recovery)
	}
	must(t, s.RecoveryFailed(t.Context(), act, act.After, "test"))
	if again, err := s.Read(t.Context(), "a"); err != nil || again.Recovery.Why != "no room" {
		t.Errorf("an older word replaced a newer one: %+v, %v", again.Recovery, err)
	}
}

func TestUnendedRuns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/ralph"
	s := openTest(t, dir, Options{Boot: "yesterday"})
	for _, id := range []string{"crashed", "paused", "asks", "ended", "lives", "waits"} {
		l := create(t, s, id)
		must(t, tick(t.Context(), l))
		st := l.State()
		switch id {
		case "paused":
			st.Status = loop.Paused
		case "asks":
			st.Status, st.Reason = loop.Waiting, loop.ForHuman
		case "waits":
			st.Status, st.Reason, st.Wake = loop.Waiting, loop.ForLimit, clock().Add(time.Hour)
		case "ended":
			must(t, endWith(t.Context(), l, loop.StatusFailed, loop.Stuck))
		}
		if id != "ended" {
			must(t, l.Commit(t.Context(), st, nil))
		}
		if id != "lives" {
			must(t, l.Release(t.Context()))
		}
	}
	must(t, s.Enter(t.Context(), drivenState("driven"), Admission{}))
	find := func(s *Store) map[string]recovery.Run {
		out := map[string]recovery.Run{}
		for _, l := range unended(t, s) {
			out[l.ID] = l
		}
		return out
	}
	// The heartbeat of a living owner comes soon after it took the loop.
	for find(s)["lives"].Heartbeat == 0 {
		time.Sleep(time.Millisecond) // a goroutine writes it
	}
	found := find(s)
	want := map[string]recovery.Run{
		"crashed": {ID: "crashed", Kind: recovery.Loop, Epoch: 1, Crashed: true},
		"waits":   {ID: "waits", Kind: recovery.Loop, Epoch: 1, Crashed: true, Wake: clock().Add(time.Hour)},
		"lives":   {ID: "lives", Kind: recovery.Loop, Epoch: 1, Live: true, Heartbeat: found["lives"].Heartbeat},
		"paused":  {ID: "paused", Kind: recovery.Loop, Epoch: 1},
		"asks":    {ID: "asks", Kind: recovery.Loop, Epoch: 1, Asks: true},
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// The same host after a restart. A lock does not outlive one; here it does.
	today := openTest(t, dir, Options{Boot: "today"})
	if l := find(today)["crashed"]; !l.Rebooted {
		t.Errorf("%+v", l)
	}
}

func drivenState(id string) loop.State {
	spec := newState(id).Spec
	spec.Mode, spec.Limits = loop.AgentDriven, loop.AgentDrivenLimits()
	return loop.New(spec, time.Now())
}

func TestLoopsOfOtherMachinesAreLeftAlone(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	l := create(t, s, "a")
	must(t, tick(t.Context(), l))
	must(t, l.Release(t.Context()))
	db, err := s.database(t.Context())
	must(t, err)
	_, err = db.ExecContext(t.Context(), `UPDATE loops SET owner = '{"host":"elsewhere","boot":"other","pid":1}'`)
	must(t, err)
	if all := unended(t, openTest(t, dir, Options{})); all != nil {
		t.Errorf("%+v", all)
	}
}

func TestBeat(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	must(t, create(t, s, "a").Release(t.Context()))
	c := spawn(t, "hold", dir, "a")
	c.want("held 2")
	for s.beatOf(loopRuns, "a", 2) == 0 {
		time.Sleep(time.Millisecond) // another process writes it
	}
	if n := s.beatOf(loopRuns, "a", 1); n != 0 {
		t.Errorf("the beat of another epoch is taken for ours: %d", n)
	}
	for _, text := range []string{"", "1", "x 5\n", "1 x\n", "1 -", "\x00\x00", strings.Repeat("9", 100) + " 1\n", "3 4\n"} {
		must(t, os.WriteFile(filepath.Join(dir, "loops", "a", beatFile), []byte(text), 0o600))
		if n := s.beatOf(loopRuns, "a", 1); n != 0 {
			t.Errorf("%q beats %d", text, n)
		}
	}
}

// TestStoppedOwnerOfAPlan: a process that runs a plan and its loops is stopped
// (SIGSTOP). One supervisor takes the plan over, and leaves the loops to it.
func TestStoppedOwnerOfAPlan(t *testing.T) {
	t.Parallel()
	views := t.TempDir()
	dir := t.TempDir() + "/ralph"
	s := openTest(t, dir, Options{Views: views})
	must(t, takePlan(t, s, "p", 1).Release(t.Context()))
	task := newState("p-task")
	task.Parent = "p"
	l, err := s.Create(t.Context(), task, Admission{})
	must(t, err)
	must(t, l.Release(t.Context()))

	owner := spawn(t, "plans", dir, "p", "p-task")
	owner.want("held")
	for slices.ContainsFunc(unended(t, s), func(r recovery.Run) bool { return r.Heartbeat == 0 }) {
		time.Sleep(time.Millisecond) // another process writes them
	}
	must(t, owner.p.Signal(unix.SIGSTOP))
	var status unix.WaitStatus
	if _, err := unix.Wait4(owner.p.Pid, &status, unix.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatalf("%v, %v", status, err)
	}

	m := recovery.Tracker{Policy: recovery.DefaultPolicy()}
	var acts []recovery.Action
	mono := time.Duration(0)
	for ; len(acts) == 0 && mono < time.Hour; mono += 5 * time.Second {
		acts = m.Look(mono, clock().Add(mono), unended(t, s))
	}
	if len(acts) != 1 || acts[0].ID != "p" || acts[0].Verb != recovery.TakeOver || acts[0].Reason != recovery.Stuck {
		t.Fatalf("%+v", acts)
	}
	if won, err := s.Claim(t.Context(), acts[0], "test"); !won || err != nil {
		t.Fatalf("claimed %t: %v", won, err)
	}
	taken, err := s.Plans().Acquire(t.Context(), "p", nil, true)
	must(t, err)
	for taken.s.beatOf(planRuns, "p", taken.epoch) == 0 {
		time.Sleep(time.Millisecond) // a goroutine writes it
	}
	for _, r := range unended(t, s) {
		if r.Kind == recovery.Plan && (!r.Live || r.Heartbeat == 0 || r.Restarts.Tries != 1) {
			t.Errorf("after the take-over: %+v", r)
		}
	}
	must(t, taken.Release(t.Context()))
	log, err := os.ReadFile(filepath.Join(views, "log.jsonl"))
	must(t, err)
	if !strings.Contains(string(log), `"event":"take_over","loop_id":"p","kind":"plan",`) {
		t.Errorf("not on the bus:\n%s", log)
	}
}

func TestCheckpoints(t *testing.T) {
	t.Parallel()
	views := t.TempDir()
	dir := t.TempDir() + "/ralph"
	s := openTest(t, dir, Options{Views: views, Now: clock})
	l := create(t, s, "a")
	if c, err := l.Newest(t.Context()); err != nil || c.N != 0 {
		t.Fatalf("%+v, %v", c, err)
	}
	for n := 1; n <= 3; n++ {
		must(t, tick(t.Context(), l))
		must(t, l.Checkpoint(t.Context(), 2*n, strings.Repeat("c", n), "after a while"))
	}
	if err := l.Checkpoint(t.Context(), 2, "again", ""); err == nil {
		t.Error("a checkpoint was replaced")
	}
	all, err := s.Checkpoints(t.Context(), "a")
	must(t, err)
	if len(all) != 3 || all[1].N != 4 || all[1].Commit != "cc" || all[1].Seq != 3 || all[1].State.Iteration != 2 || !all[1].At.Equal(clock()) {
		t.Errorf("%+v", all)
	}
	if c, err := l.Newest(t.Context()); err != nil || c.N != 6 {
		t.Errorf("%+v, %v", c, err)
	}
	log, err := os.ReadFile(filepath.Join(views, "log.jsonl"))
	must(t, err)
	if !strings.Contains(string(log), `"event":"checkpoint","loop_id":"a","agent":"scripted","timestamp":"2026-11-20T15:00:00Z","detail":"after a while","commit":"ccc","n":6,`) {
		t.Errorf("%s", log)
	}
	if _, err := s.Checkpoints(t.Context(), "b"); !errors.Is(err, ErrNoLoop) {
		t.Error(err)
	}
	// Whoever was taken over makes none, and they go with their loop.
	next, err := s.Acquire(t.Context(), "a", true)
	must(t, err)
	if err := l.Checkpoint(t.Context(), 8, "late", ""); !as[*FencedError](err) {
		t.Error(err)
	}
	must(t, endWith(t.Context(), next, loop.StatusFailed, loop.Stuck))
	must(t, next.Release(context.Background()))
	must(t, s.Archive(t.Context(), "a"))
	must(t, s.Remove(t.Context(), "a"))
	must(t, s.read(t.Context(), "count", func(tx *sql.Tx) error {
		var n int
		err := tx.QueryRowContext(t.Context(), `SELECT (SELECT count(*) FROM checkpoints) + (SELECT count(*) FROM recoveries)`).Scan(&n)
		if n != 0 {
			t.Errorf("%d rows of a removed loop", n)
		}
		return err
	}))
}

// TestAnAnswerIsWaitedForUntilItsTime: a loop whose question has a deadline, and that
// nobody runs, is to be run then; not while a terminal asks, and not one of a plan,
// which looks after it.
func TestAnAnswerIsWaitedForUntilItsTime(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	due := clock().Add(time.Hour).Round(0).UTC()
	for id, change := range map[string]func(*loop.State){
		"timed": func(st *loop.State) { st.Wake = due }, "person": func(*loop.State) {},
		"planned": func(st *loop.State) { st.Wake, st.Parent, st.Task.Plan = due, "plan", &loop.InPlan{} },
	} {
		st := newState(id)
		change(&st)
		l, err := s.Create(t.Context(), st, Admission{})
		must(t, err)
		st = l.State()
		st.Status, st.Reason = loop.Waiting, loop.ForHuman
		must(t, l.Commit(t.Context(), st, []loop.Event{loop.Ticked{Stamp: loop.Stamp{At: clock()}}}))
		must(t, l.Release(t.Context()))
	}
	must(t, takePlan(t, s, "plan", 1).Release(t.Context()))
	parked, err := s.Plans().Acquire(t.Context(), "plan", nil, false)
	must(t, err)
	commitPlan(t, parked, plan.AbortAsked{Stamp: plan.Stamp{At: clock()}})
	must(t, parked.Release(t.Context()))
	// left are the runs that a supervisor resumes once the time is over.
	left := func() (ids []string) {
		m := recovery.Tracker{Policy: recovery.DefaultPolicy()}
		if acts := m.Look(0, due.Add(-time.Minute), unended(t, s)); len(acts) != 0 {
			t.Errorf("resumed before its time: %+v", acts)
		}
		for _, a := range m.Look(time.Minute, due, unended(t, s)) {
			ids = append(ids, a.ID)
		}
		return ids
	}
	if diff := cmp.Diff([]string{"timed"}, left()); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
	over := s.AtPrompt("timed")
	if diff := cmp.Diff([]string(nil), left()); diff != "" {
		t.Errorf("while it is asked (-want +got):\n%s", diff)
	}
	over()
	m := recovery.Tracker{Policy: recovery.DefaultPolicy()}
	acts := m.Look(0, due, unended(t, s))
	if len(acts) != 1 || acts[0].Reason != recovery.WaitOver {
		t.Fatalf("%+v", acts)
	}
	if won, err := s.Claim(t.Context(), acts[0], "test"); !won || err != nil {
		t.Errorf("claimed %t: %v", won, err)
	}
}

// TestAPlanIsNotResumedForever: its owner is killed nine times. What the resume
// itself records is no progress, a supervisor that starts anew forgets nothing,
// and progress begins a new count.
func TestAPlanIsNotResumedForever(t *testing.T) {
	t.Parallel()
	now := clock()
	dir := t.TempDir() + "/ralph"
	s := openTest(t, dir, Options{Now: func() time.Time { return now }})
	must(t, takePlan(t, s, "p", 2).Release(t.Context()))
	child := newState("p-task")
	child.Parent = "p"
	task, err := s.Create(t.Context(), child, Admission{})
	must(t, err)
	must(t, tick(t.Context(), task))
	must(t, task.Release(t.Context()))
	mono, waited := time.Duration(0), time.Duration(0)
	policy := recovery.DefaultPolicy()
	policy.Stuck = 1000 * time.Hour
	tracker := recovery.Tracker{Policy: policy}
	look := func() []recovery.Action {
		mono, now, waited = mono+5*time.Second, now.Add(5*time.Second), waited+5*time.Second
		return tracker.Look(mono, now, unended(t, s))
	}
	// killed resumes the plan, as a process does that is killed soon after.
	killed := func(events ...plan.Event) {
		l, err := s.Plans().Acquire(t.Context(), "p", nil, false)
		must(t, err)
		at := plan.Stamp{At: now}
		read := plan.Read{Stamp: at}
		for _, task := range l.State().Tasks {
			read.Tasks = append(read.Tasks, plan.ReadTask{ID: task.ID, Digest: "d", Status: plan.Pending})
		}
		commitPlan(t, l, append([]plan.Event{read, plan.Opened{Stamp: at}}, events...)...)
		must(t, l.Release(t.Context()))
	}
	var waits []time.Duration
	left := 0
	for kills := 0; kills < 9 && left == 0; {
		for _, a := range look() {
			if a.ID != "p" || a.Kind != recovery.Plan {
				t.Fatalf("not left to its plan: %+v", a)
			}
			won, err := s.Claim(t.Context(), a, "test")
			must(t, err)
			if !won {
				t.Fatalf("not claimed: %+v", a)
			}
			if a.Verb == recovery.Leave {
				left++
				continue
			}
			waits = append(waits, waited.Truncate(10*time.Second))
			waited = 0
			killed()
			kills++
			tracker = recovery.Tracker{Policy: policy} // the supervisor is restarted
		}
		if mono > 24*time.Hour {
			t.Fatal("neither resumed nor left")
		}
	}
	want := []time.Duration{0, 30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute}
	if diff := cmp.Diff(want, waits); diff != "" || left != 1 {
		t.Errorf("left %d times (-want +got):\n%s", left, diff)
	}
	for range 400 {
		if acts := look(); len(acts) != 0 {
			t.Fatalf("left, and resumed again: %+v", acts)
		}
	}
	r, err := s.Plans().Read(t.Context(), "p")
	must(t, err)
	if !r.Recovery.Left || r.Recovery.Tries != 5 {
		t.Errorf("%+v", r.Recovery)
	}
	at := plan.Stamp{At: now}
	killed(plan.Started{Stamp: at, Task: "t0", Loop: "p-task", From: "c0", Most: 1}, plan.Stopped{Stamp: at, Task: "t0", Loop: "p-task", Status: loop.StatusPassed, Commit: "c1", Attempts: 1, Progress: true},
		plan.LandBegan{Stamp: at, Task: "t0", Onto: "c0"}, plan.Landed{Stamp: at, Task: "t0", Commit: "c1"})
	if acts := look(); len(acts) != 1 || acts[0].Verb != recovery.Resume || acts[0].After.Tries != 1 {
		t.Errorf("a landing begins no new count: %+v", acts)
	}
	l, err := s.Plans().Acquire(t.Context(), "p", nil, false)
	must(t, err)
	must(t, l.ForgetRecovery(t.Context()))
	must(t, l.Release(t.Context()))
	if all := unended(t, s); all[0].Restarts != (recovery.Restarts{}) {
		t.Errorf("the user resumed it, and tries are still counted: %+v", all[0].Restarts)
	}
}
