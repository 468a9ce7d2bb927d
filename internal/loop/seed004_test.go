package loop

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// rule is one sentence of a seed or of the design, as a story.
type rule struct {
	name string
	tell func(t *testing.T)
}

func tell(t *testing.T, rules []rule) {
	t.Helper()
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			r.tell(t)
		})
	}
}

func approaches(s State) []Approach {
	var out []Approach
	for _, a := range s.Recent {
		out = append(out, a.Approach)
	}
	return out
}

func TestSeed004(t *testing.T) {
	t.Parallel()
	shift, expand := Approach{Shift: true}, Approach{Shift: true, Expand: true}
	tell(t, []rule{
		{"seed004/success on the first try", func(t *testing.T) {
			w := newWorld(t, nil)
			s := w.ends(StatusPassed, Green, 1)
			if w.did(DoKeep) != 0 || s.FailureRef != "" || s.Commit != "c1" {
				t.Errorf("kept %d times, ref %q, commit %q", w.did(DoKeep), s.FailureRef, s.Commit)
			}
		}},
		{"seed004/success after retries", func(t *testing.T) {
			w := newWorld(t, nil)
			w.gate = attempts(failing("a"), failing("b"), passing())
			w.ends(StatusPassed, Green, 3)
		}},
		{"seed004/at most five attempts", func(t *testing.T) {
			w := newWorld(t, nil)
			w.gate = attempts(failing("a"), failing("b"), failing("c"), failing("d"), failing("e"))
			s := w.ends(StatusFailed, MaxAttempts, 5)
			if w.did(DoAgent) != 5 || !strings.Contains(s.Message, "fails: e") {
				t.Errorf("%d runs; %s", w.did(DoAgent), s.Message)
			}
		}},
		{"seed004/the cap keeps the work on a branch", func(t *testing.T) {
			w := newWorld(t, maxIterations(1))
			w.gate = attempts(failing("a"))
			s := w.ends(StatusFailed, MaxAttempts, 1)
			want := "wip/ralph-fail-task-20261120-120"
			if w.did(DoKeep) != 1 || !strings.HasPrefix(s.FailureRef, want) {
				t.Errorf("kept %d times on %q", w.did(DoKeep), s.FailureRef)
			}
		}},
		{"seed004/an interrupt keeps nothing and makes no branch", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoAgent)
			w.do(AttemptBegan{Stamp: w.stamp()})
			w.do(PauseAsked{Stamp: w.stamp()})
			w.do(Interrupted{Stamp: w.stamp()})
			if s := w.run(); s.Status != Paused || s.FailureRef != "" || w.did(DoKeep) != 0 || s.Iteration != 1 {
				t.Errorf("%s %q at %d", s.Status, s.FailureRef, s.Iteration)
			}
		}},
		{"seed004/same hash three times shifts the strategy", func(t *testing.T) {
			w := newWorld(t, nil)
			w.gate = attempts(failing("a"), failing("a"), failing("a"), passing())
			s := w.ends(StatusPassed, Green, 4)
			if got, want := approaches(s), []Approach{{}, {}, {}, shift}; !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		}},
		{"seed004/the action carries the shift", func(t *testing.T) {
			w := newWorld(t, nil)
			w.gate = attempts(failing("a"))
			for range 4 {
				w.until(DoAgent)
				w.turn()
			}
			if a := w.trace[len(w.trace)-1]; a.Attempt != 4 || a.Approach != shift {
				t.Errorf("attempt %d with %v", a.Attempt, a.Approach)
			}
		}},
		{"seed004/at most two shifts", func(t *testing.T) {
			w := newWorld(t, maxIterations(20))
			w.gate = attempts(failing("a"))
			s := w.ends(StatusFailed, Stuck, 5)
			if got, want := approaches(s), []Approach{{}, {}, {}, shift, shift}; !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		}},
		{"seed004/missing import expands the context within 5 attempts", func(t *testing.T) {
			w := newWorld(t, nil)
			missing := failing("a")
			missing.Missing = []string{"auth.token"}
			w.gate = attempts(missing)
			s := w.ends(StatusFailed, Stuck, 5)
			if got, want := approaches(s), []Approach{{}, {}, {}, shift, expand}; !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		}},
		{"seed004/without missing information tier 2 is skipped", func(t *testing.T) {
			w := newWorld(t, nil)
			w.gate = attempts(failing("a"))
			if s := w.ends(StatusFailed, Stuck, 5); slices.Contains(approaches(s), expand) {
				t.Errorf("got %v", approaches(s))
			}
		}},
		{"seed004/without shifts missing information is still given once", func(t *testing.T) {
			w := newWorld(t, limits(func(l *Limits) { l.MaxShifts, l.MaxIterations = 0, 9 }))
			missing := failing("a")
			missing.Missing = []string{"auth.token"}
			w.gate = attempts(missing)
			s := w.ends(StatusFailed, Stuck, 4)
			if got, want := approaches(s), []Approach{{}, {}, {}, {Expand: true}}; !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		}},
		{"seed004/information that turns up missing after the shifts is given without a third", func(t *testing.T) {
			w := newWorld(t, maxIterations(9))
			missing := failing("a")
			missing.Missing = []string{"auth.token"}
			w.gate = attempts(failing("a"), failing("a"), failing("a"), failing("a"), missing)
			s := w.ends(StatusFailed, Stuck, 6)
			want := []Approach{{}, {}, {}, shift, shift, {Expand: true}}
			if got := approaches(s); !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		}},
		{"seed004/stuck stops before max", func(t *testing.T) {
			w := newWorld(t, limits(func(l *Limits) { l.MaxShifts, l.MaxIterations = 1, 10 }))
			w.gate = attempts(failing("a"))
			s := w.ends(StatusFailed, Stuck, 4)
			if !strings.Contains(s.Message, "4 times in a row") || s.FailureRef == "" {
				t.Errorf("%q, ref %q", s.Message, s.FailureRef)
			}
		}},
		{"seed004/another hash ends the escalation", func(t *testing.T) {
			w := newWorld(t, maxIterations(6))
			w.gate = attempts(failing("a"), failing("a"), failing("a"), failing("b"), failing("a"), failing("b"))
			s := w.ends(StatusFailed, MaxAttempts, 6)
			want := []Approach{{}, {}, {}, shift, {}, {}}
			if got := approaches(s); !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		}},
		{"seed004/a new failure found by a shift has both shifts of its own", func(t *testing.T) {
			w := newWorld(t, maxIterations(20))
			w.gate = attempts(failing("a"), failing("a"), failing("a"), failing("b"))
			s := w.ends(StatusFailed, Stuck, 8)
			want := []Approach{{}, {}, {}, shift, {}, {}, shift, shift}
			if got := approaches(s); !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		}},
		{"seed004/gate timeout consumes one attempt", func(t *testing.T) {
			w := newWorld(t, nil)
			w.gate = attempts(Result{Verdict: Error, Reason: "timed out", TimedOut: true}, passing())
			w.ends(StatusPassed, Green, 2)
		}},
		{"seed004/agent timeout consumes one attempt", func(t *testing.T) {
			w := newWorld(t, nil)
			w.agent = func(a Action) Outcome { return Outcome{End: EndTimeout} }
			w.gate = attempts(failing("a"), passing())
			w.ends(StatusPassed, Green, 2)
		}},
		{"seed004/loop hard limit aborts", func(t *testing.T) {
			w := newWorld(t, maxIterations(50))
			w.pace = 5 * time.Minute
			n := 0
			w.gate = func(a Action) Result { n++; return failing(string(rune('a' + n))) }
			s := w.run()
			if s.Status != Aborted || s.Reason != Timeout || s.Active < time.Hour || s.FailureRef == "" {
				t.Errorf("%s/%s after %s, ref %q", s.Status, s.Reason, s.Active, s.FailureRef)
			}
		}},
		{"seed004/loop soft limit is told once", func(t *testing.T) {
			w := newWorld(t, nil)
			a := w.until(DoAgent)
			if a.LoopSoft <= 0 || a.LoopSoft > 45*time.Minute {
				t.Errorf("soft deadline in %s", a.LoopSoft)
			}
			w.do(AttemptBegan{Stamp: w.stamp()})
			w.do(SoftPassed{Stamp: w.stamp(), Scope: ScopeLoop})
			if left := Next(w.s).LoopSoft; left != 0 {
				t.Errorf("asked again in %s", left)
			}
			w.refuses(SoftPassed{Stamp: w.stamp(), Scope: ScopeLoop})
			w.do(SoftPassed{Stamp: w.stamp(), Scope: string(StepAgent)})
			w.ends(StatusPassed, Green, 1)
		}},
		{"seed004/quality warnings do not block", func(t *testing.T) {
			w := newWorld(t, func(s *Spec) {
				s.Gates = append(s.Gates, Gate{Name: "quality", Kind: KindLint, Level: Soft})
			})
			w.gate = func(a Action) Result {
				if a.OnBase || a.Gate.Level == Soft {
					return failing("q")
				}
				return passing()
			}
			if s := w.ends(StatusPassed, Green, 1); len(s.SoftFailures()) != 1 || !strings.HasSuffix(s.Message, "; quality (soft) did not pass") {
				t.Errorf("%q: %q", s.SoftFailures(), s.Message)
			}
		}},
		{"seed004/soft gates are not asked about work that failed", func(t *testing.T) {
			w := newWorld(t, func(s *Spec) {
				s.Gates = append([]Gate{{Name: "quality", Kind: KindLint, Level: Soft}}, s.Gates...)
				s.Limits.MaxIterations = 1
			})
			w.gate = attempts(failing("a"))
			if s := w.ends(StatusFailed, MaxAttempts, 1); len(s.Last().Results) != 1 {
				t.Errorf("results %v", s.Last().Results)
			}
		}},
		{"seed004/spec review comes after the tests and blocks", func(t *testing.T) {
			w := newWorld(t, func(s *Spec) {
				s.Gates = append([]Gate{{Name: "spec", Kind: KindReview, Level: Hard}}, s.Gates...)
			})
			reviews := 0
			w.gate = func(a Action) Result {
				switch {
				case a.OnBase:
					return failing("base")
				case a.Do == DoReview:
					reviews++
					if reviews == 1 {
						return failing("gap")
					}
				case a.Attempt == 1:
					return failing("t")
				}
				return passing()
			}
			s := w.ends(StatusPassed, Green, 3)
			if got := s.Recent[1]; got.FailedGate != "spec" || got.Fingerprint != "gap" || len(s.Recent[0].Results) != 1 {
				t.Errorf("second attempt %+v, first had %d results", got, len(s.Recent[0].Results))
			}
		}},
		{"seed004/only the last attempts keep verbatim output", func(t *testing.T) {
			w := newWorld(t, maxIterations(6))
			w.gate = func(a Action) Result {
				r := failing(string(rune('a' + a.Attempt)))
				r.Excerpt = "verbatim"
				return r
			}
			s := w.ends(StatusFailed, MaxAttempts, 6)
			var kept []int
			for _, a := range s.Recent {
				if a.Results[0].Excerpt != "" {
					kept = append(kept, a.N)
				}
				if a.Fingerprint == "" || a.Error == "" {
					t.Errorf("attempt %d lost its line of history", a.N)
				}
			}
			if want := []int{3, 4, 5, 6}; !slices.Equal(kept, want) {
				t.Errorf("kept %v, want the present one and three before: %v", kept, want)
			}
		}},
		{"seed004/timeouts by default", func(t *testing.T) {
			m := time.Minute
			l := DefaultLimits()
			for name, got := range map[string][2]Deadline{
				"implement": {l.Attempt, {12 * m, 20 * m}},
				"loop":      {l.Loop, {45 * m, 60 * m}},
				"tests":     {GateTimeout(KindTests), {5 * m, 10 * m}},
				"review":    {GateTimeout(KindReview), {3 * m, 5 * m}},
				"quality":   {GateTimeout(KindLint), {2 * m, 3 * m}},
			} {
				if got[0] != got[1] {
					t.Errorf("%s: got %v, want %v", name, got[0], got[1])
				}
			}
		}},
		{"seed004/timeout multiplier", func(t *testing.T) {
			if got, want := (Deadline{12 * time.Minute, 20 * time.Minute}).Scale(1.5), (Deadline{18 * time.Minute, 30 * time.Minute}); got != want {
				t.Errorf("got %v, want %v", got, want)
			}
		}},
	})
}
