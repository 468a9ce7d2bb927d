package loop

import (
	"math"
	"testing"
	"time"
)

func TestClocks(t *testing.T) {
	t.Parallel()
	year := 365 * 24 * time.Hour
	tell(t, []rule{
		{"time/ceilings cut an action's deadline", func(t *testing.T) {
			w := newWorld(t, limits(func(l *Limits) { l.Loop = Deadline{Hard: 5 * time.Minute} }))
			a := w.until(DoAgent)
			if left := 5*time.Minute - w.s.Active; a.Timeout.Hard != left || left <= 0 {
				t.Errorf("agent may take %s of %s", a.Timeout.Hard, left)
			}
		}},
		{"time/the session's end cuts too, and a new owner begins a new session", func(t *testing.T) {
			w := newWorld(t, limits(func(l *Limits) { l.Session = Deadline{Hard: time.Minute} }))
			w.until(DoAgent)
			w.do(AttemptBegan{Stamp: w.stamp()})
			w.now = w.now.Add(50 * time.Second)
			w.do(Interrupted{Stamp: w.stamp()})
			if a := Next(w.s); a.Timeout.Hard >= 10*time.Second {
				t.Errorf("agent may take %s", a.Timeout.Hard)
			}
			w.do(Acquired{Stamp: w.stamp()})
			if a := Next(w.s); a.Timeout.Hard != time.Minute {
				t.Errorf("agent may take %s", a.Timeout.Hard)
			}
		}},
		{"time/the session's hard limit aborts", func(t *testing.T) {
			w := newWorld(t, limits(func(l *Limits) { l.Session = Deadline{Hard: time.Minute} }))
			w.pace = 20 * time.Second
			w.gate = func(a Action) Result { return failing(w.now.String()) }
			if s := w.run(); s.Status != Aborted || s.Reason != Timeout {
				t.Errorf("%s/%s", s.Status, s.Reason)
			}
		}},
		{"time/the session's soft limit is told once a session", func(t *testing.T) {
			w := newWorld(t, limits(func(l *Limits) { l.Session.Soft = time.Hour }))
			if a := w.until(DoAgent); a.SessionSoft <= 0 || a.SessionSoft > time.Hour {
				t.Errorf("in %s", a.SessionSoft)
			}
			w.do(SoftPassed{Stamp: w.stamp(), Scope: ScopeSession})
			w.refuses(SoftPassed{Stamp: w.stamp(), Scope: ScopeSession})
			if a := Next(w.s); a.SessionSoft != 0 {
				t.Errorf("again in %s", a.SessionSoft)
			}
			w.do(Acquired{Stamp: w.stamp()})
			if a := Next(w.s); a.SessionSoft != time.Hour {
				t.Errorf("in the next session in %s", a.SessionSoft)
			}
		}},
		{"time/a dead owner's time does not count", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoAgent)
			w.do(AttemptBegan{Stamp: w.stamp()})
			before := w.s.Active
			w.now = w.now.Add(8 * time.Hour)
			w.do(Acquired{Stamp: Stamp{At: w.now}})
			if w.s.Active != before {
				t.Errorf("counted %s", w.s.Active-before)
			}
			w.do(Interrupted{Stamp: w.stamp()})
			w.ends(StatusPassed, Green, 1)
		}},
		{"time/a clock set back a year counts nothing", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoCommit)
			before := w.s.Active
			w.now = w.now.Add(-year)
			w.do(Ticked{Stamp{At: w.now}})
			if w.s.Active != before {
				t.Errorf("counted %s", w.s.Active-before)
			}
			w.ends(StatusPassed, Green, 1)
		}},
		{"time/a clock set forward a year uses up one deadline at most", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoAgent)
			w.do(AttemptBegan{Stamp: w.stamp()})
			before := w.s.Active
			w.now = w.now.Add(year)
			w.do(AgentEnded{Stamp: Stamp{At: w.now}, Outcome: Outcome{End: EndDone}})
			if got := w.s.Active - before; got != 20*time.Minute {
				t.Errorf("counted %s", got)
			}
			w.ends(StatusPassed, Green, 1)
		}},
		{"time/clocks of an agent-driven loop that jump back do not stall it", func(t *testing.T) {
			w := driven(t, nil)
			w.now = noon.Add(-year)
			w.check(covered(70))
			w.is(Running, "")
			w.now = w.now.Add(5 * time.Minute)
			w.do(Ticked{w.stamp()})
			w.is(Aborted, Stalled)
		}},
		{"time/an event without a time is refused", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoCommit)
			w.refuses(Steered{Text: "x"})
		}},
		{"time/what is said in the middle of a step does not end it", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoAgent)
			w.do(AttemptBegan{Stamp: w.stamp()})
			w.s.Active = 2 * time.Hour
			w.do(Steered{Stamp: w.stamp(), Text: "hurry"})
			w.do(SoftPassed{Stamp: w.stamp(), Scope: string(StepAgent)})
			w.do(AgentEnded{Stamp: w.stamp(), Outcome: Outcome{End: EndTimeout}})
			w.ends(Aborted, Timeout, 1)
		}},
		{"time/a machine that slept in the middle of a gate goes on", func(t *testing.T) {
			w := newWorld(t, nil)
			for w.until(DoGate).OnBase {
				w.turn()
			}
			w.now = w.now.Add(3 * time.Hour)
			w.ends(StatusPassed, Green, 1)
		}},
		{"time/usage of a run that was cut off is counted", func(t *testing.T) {
			w := newWorld(t, nil)
			tokens := int64(7)
			w.until(DoAgent)
			w.do(AttemptBegan{Stamp: w.stamp()})
			w.do(Interrupted{Stamp: w.stamp(), Usage: Usage{InputTokens: &tokens}})
			w.agent = always(Outcome{End: EndDone, Usage: Usage{InputTokens: &tokens}})
			if s := w.ends(StatusPassed, Green, 1); *s.Usage.InputTokens != 14 || s.Usage.OutputTokens != nil {
				t.Errorf("usage %+v", s.Usage)
			}
		}},
	})
}

func TestScale(t *testing.T) {
	t.Parallel()
	d := Deadline{Hard: 20 * time.Minute}
	for _, c := range []struct {
		factor float64
		want   time.Duration
	}{
		{1, 20 * time.Minute},
		{2.5, 50 * time.Minute},
		{1e-30, 1},
		{1e300, math.MaxInt64},
		{math.Inf(1), math.MaxInt64},
		{math.NaN(), 20 * time.Minute},
		{0, 20 * time.Minute},
		{-1, 20 * time.Minute},
	} {
		if got := d.Scale(c.factor); got.Hard != c.want || got.Soft != 0 {
			t.Errorf("×%g: got %v, want %s and no soft part", c.factor, got, c.want)
		}
	}
}

func TestDelays(t *testing.T) {
	t.Parallel()
	for _, first := range []time.Duration{0, -1, 1, time.Second, time.Hour, math.MaxInt64} {
		before := time.Duration(0)
		for n := range 100 {
			d := Limits{BackOff: first}.Delay(n)
			if d <= 0 || d > time.Hour || d < before {
				t.Fatalf("back-off %s, try %d: %s after %s", first, n, d, before)
			}
			before = d
		}
	}
}
