package loop

import (
	"strings"
	"testing"
	"time"

	"ralph/internal/journal"
)

// driven is a loop that its agent drives, with seed 000's limits.
func driven(t *testing.T, change func(*Spec)) *world {
	return newWorld(t, func(s *Spec) {
		floor := 80.0
		s.Mode = AgentDriven
		s.Gates = []Gate{{Name: "coverage", Kind: KindCoverage, Level: Hard, Threshold: &floor}}
		s.Limits.Loop, s.Limits.Stall = Deadline{Hard: 10 * time.Minute}, 5*time.Minute
		if change != nil {
			change(s)
		}
	})
}

// check is `ralph loop check`: the tree is recorded, the gates run.
func (w *world) check(r Result) Status {
	w.t.Helper()
	tree := w.now.String()
	w.do(Committed{Stamp: w.stamp(), Tree: tree, Changed: true})
	for a := Next(w.s); a.Do == DoGate; a = Next(w.s) {
		r.Gate, r.Tree = a.Gate.Name, tree
		w.do(GateEnded{Stamp: w.stamp(), Result: r})
	}
	return w.s.Status
}

func (w *world) is(status Status, reason Reason) {
	w.t.Helper()
	if w.s.Status != status || w.s.Reason != reason {
		w.t.Fatalf("%s/%s (%s), want %s/%s", w.s.Status, w.s.Reason, w.s.Message, status, reason)
	}
}

func covered(v float64) Result {
	if v >= 80 {
		return passing().withValue(v)
	}
	return failing("low").withValue(v)
}

func TestSeed000(t *testing.T) {
	t.Parallel()
	checks := func(w *world, vs ...float64) {
		for _, v := range vs {
			w.check(covered(v))
		}
	}
	tell(t, []rule{
		{"seed000/runs from init, keeps iterating, passes", func(t *testing.T) {
			w := driven(t, nil)
			w.is(Running, "")
			checks(w, 65, 72)
			w.is(Running, "")
			checks(w, 82)
			w.is(StatusPassed, Green)
			if w.s.Iteration != 3 || w.s.EndedAt.IsZero() {
				t.Errorf("iteration %d, ended %s", w.s.Iteration, w.s.EndedAt)
			}
		}},
		{"seed000/max 1 can pass", func(t *testing.T) {
			w := driven(t, maxIterations(1))
			checks(w, 80)
			w.is(StatusPassed, Green)
		}},
		{"seed000/max 1 can fail", func(t *testing.T) {
			w := driven(t, maxIterations(1))
			checks(w, 79)
			w.is(StatusFailed, MaxAttempts)
		}},
		{"seed000/the fifth failing check ends the loop", func(t *testing.T) {
			w := driven(t, nil)
			checks(w, 1, 2, 3, 4)
			w.is(Running, "")
			checks(w, 5)
			w.is(StatusFailed, MaxAttempts)
		}},
		{"seed000/regression twice aborts", func(t *testing.T) {
			w := driven(t, nil)
			checks(w, 70, 65)
			w.is(Running, "")
			checks(w, 60)
			w.is(Aborted, Regression)
			if !strings.Contains(w.s.Message, "60") {
				t.Error(w.s.Message)
			}
		}},
		{"seed000/tie resets regression", func(t *testing.T) {
			w := driven(t, nil)
			checks(w, 70, 65, 65, 60)
			w.is(Running, "")
			checks(w, 55)
			w.is(Aborted, Regression)
		}},
		{"seed000/a rise resets regression", func(t *testing.T) {
			w := driven(t, nil)
			checks(w, 70, 65, 66, 60)
			w.is(Running, "")
		}},
		{"seed000/a gap resets regression", func(t *testing.T) {
			w := driven(t, nil)
			checks(w, 70, 65)
			w.check(Result{Verdict: Error, Reason: "no report"})
			checks(w, 60)
			w.is(Running, "")
		}},
		{"seed000/falling above the threshold is no regression", func(t *testing.T) {
			w := driven(t, func(s *Spec) {
				s.Gates = append(s.Gates, Gate{Name: "lint", Kind: KindLint, Level: Hard})
			})
			for _, v := range []float64{95, 90, 85, 82} {
				tree := w.now.String()
				w.do(Committed{Stamp: w.stamp(), Tree: tree})
				for _, r := range []Result{covered(v), failing("lint")} {
					r.Gate, r.Tree = Next(w.s).Gate.Name, tree
					w.do(GateEnded{Stamp: w.stamp(), Result: r})
				}
			}
			w.is(Running, "")
		}},
		{"seed000/stalled five minutes", func(t *testing.T) {
			w := driven(t, nil)
			checks(w, 70)
			w.now = w.s.ProgressAt.Add(5*time.Minute - time.Second)
			w.do(Ticked{Stamp{At: w.now}})
			w.is(Running, "")
			w.do(Ticked{w.stamp()})
			w.is(Aborted, Stalled)
		}},
		{"seed000/stalled is noticed by a check without improvement", func(t *testing.T) {
			w := driven(t, nil)
			checks(w, 70)
			w.now = w.now.Add(6 * time.Minute)
			checks(w, 70)
			w.is(Aborted, Stalled)
		}},
		{"seed000/stalled beats max attempts", func(t *testing.T) {
			w := driven(t, maxIterations(2))
			checks(w, 70)
			w.now = w.now.Add(6 * time.Minute)
			checks(w, 70)
			w.is(Aborted, Stalled)
		}},
		{"seed000/a check that could not be begun ends nothing", func(t *testing.T) {
			w := driven(t, nil)
			w.refuses(WorkFailed{Stamp: w.stamp(), Step: StepAgent, Message: "no disk"})
		}},
		{"seed000/a late check that improves is progress", func(t *testing.T) {
			w := driven(t, nil)
			checks(w, 70)
			w.now = w.now.Add(6 * time.Minute)
			checks(w, 71)
			w.is(Running, "")
		}},
		{"seed000/a late check that passes has passed", func(t *testing.T) {
			w := driven(t, nil)
			checks(w, 70)
			w.now = w.now.Add(6 * time.Minute)
			checks(w, 90)
			w.is(StatusPassed, Green)
		}},
		{"seed000/nothing stalls in the middle of a check", func(t *testing.T) {
			w := driven(t, func(s *Spec) {
				s.Gates = append(s.Gates, Gate{Name: "lint", Kind: KindLint, Level: Hard})
			})
			w.now = noon.Add(4 * time.Minute)
			w.do(Committed{Stamp: w.stamp(), Tree: "t"})
			w.now = noon.Add(6 * time.Minute)
			w.do(GateEnded{Stamp: w.stamp(), Result: Result{Gate: "coverage", Tree: "t", Verdict: Passed}})
			w.is(Running, "")
			w.do(GateEnded{Stamp: w.stamp(), Result: Result{Gate: "lint", Tree: "t", Verdict: Passed}})
			w.is(StatusPassed, Green)
		}},
		{"seed000/timeout ten minutes", func(t *testing.T) {
			w := driven(t, func(s *Spec) { s.Limits.Stall = 0 })
			w.do(Ticked{Stamp{At: noon.Add(10*time.Minute - 1)}})
			w.is(Running, "")
			w.do(Ticked{Stamp{At: noon.Add(10 * time.Minute)}})
			w.is(Aborted, Timeout)
		}},
		{"seed000/a check after ten minutes runs no gate and uses no iteration", func(t *testing.T) {
			w := driven(t, nil)
			w.now = noon.Add(11 * time.Minute)
			w.check(covered(90))
			w.is(Aborted, Timeout)
			if w.s.Iteration != 0 {
				t.Errorf("iteration %d", w.s.Iteration)
			}
		}},
		{"seed000/who looks in does not stop the clock", func(t *testing.T) {
			w := driven(t, func(s *Spec) { s.Limits.Stall = 0 })
			for range 10 {
				w.now = w.now.Add(time.Minute)
				w.do(Acquired{Stamp: Stamp{At: w.now}, Owner: "check"})
			}
			w.is(Aborted, Timeout)
		}},
		{"seed000/manual abort", func(t *testing.T) {
			w := driven(t, nil)
			w.do(AbortAsked{Stamp: w.stamp(), Why: "enough"})
			w.is(Aborted, Manual)
			if w.s.Message != "enough" {
				t.Error(w.s.Message)
			}
		}},
		{"seed000/finished loop refuses", func(t *testing.T) {
			w := driven(t, nil)
			checks(w, 90)
			for _, e := range allEvents(w.stamp()) {
				w.refuses(e)
			}
		}},
		{"seed000/a check that was killed is done again, on the tree of then", func(t *testing.T) {
			w := driven(t, func(s *Spec) {
				s.Gates = append(s.Gates, Gate{Name: "lint", Kind: KindLint, Level: Hard})
			})
			w.do(Committed{Stamp: w.stamp(), Tree: "one"})
			w.do(GateEnded{Stamp: w.stamp(), Result: Result{Gate: "lint", Tree: "one", Verdict: Passed}})
			w.do(Interrupted{Stamp: w.stamp(), Why: "killed"})
			w.is(Running, "")
			w.do(Committed{Stamp: w.stamp(), Tree: "two"})
			w.refuses(GateEnded{Stamp: w.stamp(), Result: Result{Gate: "coverage", Tree: "one", Verdict: Passed}})
			w.do(GateEnded{Stamp: w.stamp(), Result: Result{Gate: "coverage", Tree: "two", Verdict: Passed}})
			w.is(Running, "")
			w.do(GateEnded{Stamp: w.stamp(), Result: Result{Gate: "lint", Tree: "two", Verdict: Passed}})
			w.is(StatusPassed, Green)
			if w.s.Iteration != 1 || len(w.s.Recent) != 1 {
				t.Errorf("iteration %d of %d attempts", w.s.Iteration, len(w.s.Recent))
			}
		}},
		{"seed000/a paused loop does not stall", func(t *testing.T) {
			w := driven(t, nil)
			checks(w, 70)
			w.do(PauseAsked{Stamp: w.stamp()})
			w.is(Paused, "")
			w.now = w.now.Add(time.Hour)
			w.do(Resumed{w.stamp()})
			w.is(Running, "")
			checks(w, 70)
			w.is(Running, "")
		}},
		{"seed000/a pause lets the check under way finish", func(t *testing.T) {
			w := driven(t, nil)
			w.do(Committed{Stamp: w.stamp(), Tree: "t"})
			w.do(PauseAsked{Stamp: w.stamp()})
			w.do(GateEnded{Stamp: w.stamp(), Result: Result{Gate: "coverage", Tree: "t", Verdict: Failed}})
			w.is(Paused, "")
			w.refuses(Committed{Stamp: w.stamp(), Tree: "u"})
		}},
		{"seed000/repeated failure ends the loop only when asked for", func(t *testing.T) {
			w := driven(t, nil)
			checks(w, 70, 70, 70, 70)
			w.is(Running, "")
			w = driven(t, func(s *Spec) { s.StopOnStuck = true })
			checks(w, 70, 70, 70)
			w.is(StatusFailed, Stuck)
		}},
	})
}

// TestUptime: the time of a loop that its agent drives is that of the machine's uptime
// where both moments are of one boot; else that of the wall clock.
func TestUptime(t *testing.T) {
	t.Parallel()
	begun := Stamp{At: noon, Uptime: journal.Uptime{Boot: "b", Up: time.Hour}}
	for name, tt := range map[string]struct {
		at   time.Time
		up   journal.Uptime
		want time.Duration
		over bool
	}{
		"a minute later":            {noon.Add(time.Minute), journal.Uptime{Boot: "b", Up: time.Hour + time.Minute}, time.Minute, false},
		"the clock is set a day on": {noon.AddDate(0, 0, 1), journal.Uptime{Boot: "b", Up: time.Hour + time.Minute}, time.Minute, false},
		"and back":                  {noon.AddDate(0, 0, -1), journal.Uptime{Boot: "b", Up: time.Hour + time.Minute}, time.Minute, false},
		"too late, the clock back":  {noon.AddDate(0, 0, -1), journal.Uptime{Boot: "b", Up: 3 * time.Hour}, 2 * time.Hour, true},
		"after a reboot":            {noon.Add(time.Minute), journal.Uptime{Boot: "c", Up: time.Minute}, time.Minute, false},
		"long after a reboot":       {noon.Add(time.Hour), journal.Uptime{Boot: "c", Up: 9 * time.Hour}, time.Hour, true},
		"no uptime":                 {noon.Add(time.Hour), journal.Uptime{}, time.Hour, true},
		"an uptime that falls":      {noon.Add(time.Minute), journal.Uptime{Boot: "b", Up: time.Minute}, time.Minute, false},
	} {
		spec := Spec{ID: "driven", Task: Task{ID: "t", Text: "t"}, Mode: AgentDriven, Gates: []Gate{{Name: "g", Level: Hard}}, Limits: AgentDrivenLimits()}
		spec.Limits.Stall = 0
		s := New(spec, begun.At)
		s.LastUp = begun.Uptime
		s, err := Apply(s, Ticked{Stamp{At: tt.at, Uptime: tt.up}})
		if err != nil || s.Active != tt.want || (s.Status == Aborted) != tt.over {
			t.Errorf("%s: active %s, %s, %v", name, s.Active, s.Status, err)
		}
	}
}
