package loop

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestDetectors(t *testing.T) {
	t.Parallel()
	long := func(l *Limits) { l.MaxIterations, l.Loop, l.Session = 30, Deadline{}, Deadline{} }
	differing := func(a Action) Result { return failing(fmt.Sprint(a.Attempt)) }
	tell(t, []rule{
		{"design/no change after 3", func(t *testing.T) {
			w := newWorld(t, limits(long))
			w.gate = differing
			w.commit = func(n int) Committed { return Committed{Commit: "same", Changed: n == 1, Differs: true} }
			w.ends(StatusFailed, NoChange, 4)
		}},
		{"seed004/the last chance of an agent that changes nothing is a shift", func(t *testing.T) {
			w := newWorld(t, limits(long))
			w.gate = func(Action) Result { return failing("the same") }
			w.commit = func(int) Committed { return Committed{Commit: "same", Differs: true} }
			if s := w.ends(StatusFailed, NoChange, 3); !slices.Equal(approaches(s), []Approach{{}, {}, {Shift: true}}) {
				t.Errorf("approaches %v", approaches(s))
			}
		}},
		{"design/a change begins the count of no-ops anew", func(t *testing.T) {
			w := newWorld(t, limits(long))
			w.gate = differing
			w.commit = func(n int) Committed { return Committed{Commit: "same", Changed: n == 3, Differs: true} }
			w.ends(StatusFailed, NoChange, 6)
		}},
		{"design/a no-op that passes has passed", func(t *testing.T) {
			w := newWorld(t, limits(long))
			w.gate = attempts(failing("a"), failing("b"), passing())
			w.commit = func(int) Committed { return Committed{Commit: "same"} }
			w.ends(StatusPassed, Green, 3)
		}},
		{"seed002/two fixes of a red gate, and no third", func(t *testing.T) {
			w := newWorld(t, limits(func(l *Limits) { long(l); l.Fixes = 2 }))
			w.gate = differing
			s := w.ends(StatusFailed, MaxAttempts, 3)
			if !strings.Contains(s.Message, "red after 2 of 2 fixes") || len(s.Last().Results) == 0 {
				t.Errorf("%s; the last has %d results", s.Message, len(s.Last().Results))
			}
		}},
		{"seed002/the last fix may be the one", func(t *testing.T) {
			w := newWorld(t, limits(func(l *Limits) { long(l); l.Fixes = 2 }))
			w.gate = attempts(failing("a"), failing("b"), passing())
			w.ends(StatusPassed, Green, 3)
		}},
		{"seed002/one fix at the least", func(t *testing.T) {
			w := newWorld(t, limits(func(l *Limits) { long(l); l.Fixes = 1 }))
			w.gate = differing
			w.ends(StatusFailed, MaxAttempts, 2)
		}},
		{"seed002/a change that is missing is no red gate", func(t *testing.T) {
			w := newWorld(t, func(s *Spec) {
				long(&s.Limits)
				s.Force, s.Limits.Fixes, s.Limits.MaxIterations, s.Limits.NoChange = true, 1, 3, 0
			})
			w.gate = func(Action) Result { return passing() }
			w.commit = func(int) Committed { return Committed{Commit: "same"} }
			if s := w.ends(StatusFailed, MaxAttempts, 3); !strings.Contains(s.Message, "3 of 3 attempts") {
				t.Error(s.Message)
			}
		}},
		{"design/plateau after 5 without better value", func(t *testing.T) {
			w := newWorld(t, limits(long))
			w.gate = values(40, 50, 50, 49, 50, 50, 50)
			w.ends(StatusFailed, Plateau, 7)
		}},
		{"design/a better value puts the plateau off", func(t *testing.T) {
			w := newWorld(t, limits(long))
			w.gate = values(50, 50, 50, 50, 50, 51, 51, 51, 51, 51, 51)
			w.ends(StatusFailed, Plateau, 11)
		}},
		{"design/an old gap does not hide a plateau", func(t *testing.T) {
			w := newWorld(t, limits(long))
			w.gate = attempts(failing("does not build"), failing("1").withValue(50), failing("2").withValue(50),
				failing("3").withValue(50), failing("4").withValue(50), failing("5").withValue(50), failing("6").withValue(50))
			w.ends(StatusFailed, Plateau, 7)
		}},
		{"design/an old gap does not make a plateau", func(t *testing.T) {
			w := newWorld(t, limits(func(l *Limits) { long(l); l.MaxIterations = 7 }))
			w.gate = func(a Action) Result {
				if a.Attempt == 1 {
					return differing(a)
				}
				return differing(a).withValue(float64(50 + a.Attempt))
			}
			w.ends(StatusFailed, MaxAttempts, 7)
		}},
		{"design/nothing measured is no plateau", func(t *testing.T) {
			w := newWorld(t, limits(func(l *Limits) { long(l); l.MaxIterations = 9 }))
			w.gate = differing
			w.ends(StatusFailed, MaxAttempts, 9)
		}},
		{"design/green tests beside a failing linter are no plateau", func(t *testing.T) {
			w := newWorld(t, func(s *Spec) {
				long(&s.Limits)
				s.Limits.MaxIterations = 9
				s.Gates = append(s.Gates, Gate{Name: "lint", Kind: KindLint, Level: Hard})
			})
			w.gate = func(a Action) Result {
				if a.Gate.Name == "tests" && !a.OnBase {
					return passing().withTests(0)
				}
				return differing(a)
			}
			w.ends(StatusFailed, MaxAttempts, 9)
		}},
		{"design/fewer failing tests are no plateau", func(t *testing.T) {
			w := newWorld(t, limits(func(l *Limits) { long(l); l.MaxIterations = 9 }))
			w.gate = func(a Action) Result { return differing(a).withTests(20 - a.Attempt) }
			w.ends(StatusFailed, MaxAttempts, 9)
		}},
		{"design/a rising second gate is no plateau", func(t *testing.T) {
			w := newWorld(t, func(s *Spec) {
				long(&s.Limits)
				s.Limits.MaxIterations = 9
				s.Gates = append(s.Gates, Gate{Name: "coverage", Kind: KindCoverage, Level: Hard})
			})
			w.gate = func(a Action) Result {
				if a.Gate.Name == "tests" {
					return differing(a).withTests(3)
				}
				return failing("low").withValue(float64(40 + a.Attempt))
			}
			w.ends(StatusFailed, MaxAttempts, 9)
		}},
		{"design/fewer failing tests with the same fingerprint are progress", func(t *testing.T) {
			w := newWorld(t, limits(func(l *Limits) { long(l); l.MaxIterations = 8 }))
			w.gate = func(a Action) Result { return failing("same").withTests(20 - a.Attempt) }
			if s := w.ends(StatusFailed, MaxAttempts, 8); slices.Contains(approaches(s), Approach{Shift: true}) {
				t.Error("shifted although every attempt was better")
			}
		}},
		{"design/stuck beats max attempts", func(t *testing.T) {
			w := newWorld(t, maxIterations(5))
			w.gate = attempts(failing("a"))
			w.ends(StatusFailed, Stuck, 5)
		}},
		{"design/stuck comes before regression", func(t *testing.T) {
			w := newWorld(t, limits(func(l *Limits) { l.StuckAfter, l.MaxShifts = 3, 0 }))
			w.gate = attempts(failing("a").withValue(3), failing("a").withValue(2), failing("a").withValue(1))
			w.ends(StatusFailed, Stuck, 3)
		}},
		{"design/regression comes before no change", func(t *testing.T) {
			w := newWorld(t, nil)
			w.gate = values(70, 60, 50)
			w.commit = func(int) Committed { return Committed{Commit: "same", Differs: true} }
			w.ends(Aborted, Regression, 3)
		}},
		{"design/regression is about failing values", func(t *testing.T) {
			w := newWorld(t, nil)
			w.gate = attempts(passing().withValue(90))
			w.ends(StatusPassed, Green, 1)
		}},
		{"design/detectors are not asked about an attempt that passed", func(t *testing.T) {
			w := newWorld(t, maxIterations(3))
			w.gate = attempts(failing("a").withValue(70), failing("a").withValue(60), passing().withValue(50))
			w.commit = func(int) Committed { return Committed{Commit: "same", Differs: true} }
			w.ends(StatusPassed, Green, 3)
		}},
		{"design/a detector that is switched off never speaks", func(t *testing.T) {
			w := newWorld(t, limits(func(l *Limits) {
				long(l)
				l.MaxIterations, l.Plateau, l.NoChange, l.Regression = 12, 0, 0, 0
			}))
			w.gate = func(a Action) Result { return differing(a).withValue(float64(-a.Attempt)) }
			w.commit = func(int) Committed { return Committed{Commit: "same", Differs: true} }
			w.ends(StatusFailed, MaxAttempts, 12)
		}},
		{"design/the order of failing gates does not change a fingerprint", func(t *testing.T) {
			a, b := failing("x"), failing("y")
			a.Gate, b.Gate = "a", "b"
			if fingerprintOf([]Result{a, b}) != fingerprintOf([]Result{b, a}) {
				t.Error("it does")
			}
			if got := fingerprintOf([]Result{a}); got != "x" {
				t.Errorf("one gate: got %q, want its own", got)
			}
			a.Gate = "change=log"
			if got := fingerprintOf([]Result{a}); got != "x" {
				t.Errorf("a gate with a hostile name: got %q", got)
			}
		}},
		{"design/gates without a fingerprint are told apart", func(t *testing.T) {
			a, b := Result{Gate: "a", Verdict: Error, Reason: "timed out"}, Result{Gate: "b", Verdict: Error, Reason: "timed out"}
			if fingerprintOf([]Result{a}) == fingerprintOf([]Result{b}) {
				t.Error("two gates, one fingerprint")
			}
		}},
	})
}

func TestBase(t *testing.T) {
	t.Parallel()
	until := func(s *Spec) { s.StopIfGreen = true }
	tell(t, []rule{
		{"base/already green with --until", func(t *testing.T) {
			w := newWorld(t, until)
			w.gate = onBase(passing())
			if w.ends(StatusPassed, AlreadyGreen, 0); w.did(DoAgent)+w.did(DoKeep) != 0 {
				t.Errorf("trace %v", w.trace)
			}
		}},
		{"base/green with --until and --force goes on, and needs a diff", func(t *testing.T) {
			w := newWorld(t, func(s *Spec) { s.StopIfGreen, s.Force, s.Limits.MaxIterations = true, true, 1 })
			w.gate = onBase(passing(), passing())
			w.commit = func(int) Committed { return Committed{Commit: "c", Changed: false, Differs: false} }
			s := w.ends(StatusFailed, MaxAttempts, 1)
			if a := s.Last(); a.FailedGate != "change" || a.Verdict != Failed {
				t.Errorf("%+v", a)
			}
		}},
		{"base/green without --until goes on, and passes with a diff", func(t *testing.T) {
			w := newWorld(t, nil)
			w.gate = onBase(passing(), passing())
			w.commit = func(n int) Committed { return Committed{Commit: fmt.Sprint(n), Changed: n > 1, Differs: n > 1} }
			w.ends(StatusPassed, Green, 2)
		}},
		{"base/green, and the agent changes nothing three times", func(t *testing.T) {
			w := newWorld(t, nil)
			w.gate = onBase(passing(), passing())
			w.commit = func(int) Committed { return Committed{Commit: "c"} }
			w.ends(StatusFailed, NoChange, 3)
		}},
		{"base/nobody reviews nothing", func(t *testing.T) {
			w := newWorld(t, func(s *Spec) {
				s.Gates = append(s.Gates, Gate{Name: "spec", Kind: KindReview, Level: Hard})
			})
			w.gate = onBase(passing(), passing())
			w.commit = func(int) Committed { return Committed{Commit: "c"} }
			if w.ends(StatusFailed, NoChange, 3); w.did(DoReview) != 0 {
				t.Error("a review of an empty diff")
			}
		}},
		{"base/red needs no diff", func(t *testing.T) {
			w := newWorld(t, nil)
			w.commit = func(int) Committed { return Committed{Commit: "base"} }
			w.ends(StatusPassed, Green, 1)
		}},
		{"base/a gate that cannot start is a setup error and no attempt", func(t *testing.T) {
			w := newWorld(t, nil)
			w.gate = onBase(Result{Verdict: Error, CannotStart: true, Reason: "gotest: not found"})
			s := w.ends(StatusFailed, SetupError, 0)
			if !strings.Contains(s.Message, "gotest: not found") {
				t.Error(s.Message)
			}
		}},
		{"base/an optional missing tool is skipped", func(t *testing.T) {
			w := newWorld(t, func(s *Spec) {
				s.Gates = append(s.Gates, Gate{Name: "lint", Kind: KindLint, Level: Hard, Optional: true})
			})
			w.gate = func(a Action) Result {
				if a.Gate.Optional {
					return Result{Verdict: Skipped, CannotStart: true, Reason: "no linter"}
				}
				return onBase(failing("b"), passing())(a)
			}
			w.ends(StatusPassed, Green, 1)
		}},
		{"base/a skipped gate that is not optional never passes", func(t *testing.T) {
			w := newWorld(t, maxIterations(1))
			w.gate = attempts(Result{Verdict: Skipped, Reason: "no tool"})
			w.ends(StatusFailed, MaxAttempts, 1)
		}},
		{"base/only reviews: there is nothing to run on it", func(t *testing.T) {
			w := newWorld(t, func(s *Spec) { s.Gates = []Gate{{Name: "spec", Kind: KindReview, Level: Hard}} })
			if w.ends(StatusPassed, Green, 1); w.did(DoGate) != 0 || w.did(DoReview) != 1 {
				t.Errorf("trace %v", w.trace)
			}
		}},
		{"base/a soft gate with a baseline is measured there, and blocks nothing", func(t *testing.T) {
			w := newWorld(t, func(s *Spec) {
				s.StopIfGreen = true
				s.Gates = append(s.Gates,
					Gate{Name: "coverage", Kind: KindCoverage, Level: Soft, Baseline: true},
					Gate{Name: "style", Kind: KindLint, Level: Soft})
			})
			w.gate = func(a Action) Result {
				if a.Gate.Level == Soft {
					return Result{Verdict: Error, CannotStart: true, Reason: "no tool"}
				}
				return passing()
			}
			if s := w.ends(StatusPassed, AlreadyGreen, 0); len(s.BaseResults) != 2 || !s.BaseGreen {
				t.Errorf("base results %v", s.BaseResults)
			}
		}},
		{"base/a result about another commit is refused", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoGate)
			w.refuses(GateEnded{Stamp: w.stamp(), Result: Result{Gate: "tests", Commit: "other", Verdict: Passed}})
		}},
	})
}

func TestGates(t *testing.T) {
	t.Parallel()
	tell(t, []rule{
		{"gates/confirm passes: pass, fail, pass, pass", func(t *testing.T) {
			w := newWorld(t, limits(func(l *Limits) { l.ConfirmPasses = 2 }))
			answers := []Result{failing("base"), passing(), failing("flaky"), passing(), passing()}
			w.gate = func(Action) Result {
				r := answers[0]
				answers = answers[1:]
				return r
			}
			s := w.ends(StatusPassed, Green, 2)
			if s.Last().Passes != 2 || s.Recent[0].Passes != 1 {
				t.Errorf("passes %d, %d", s.Recent[0].Passes, s.Last().Passes)
			}
		}},
		{"gates/a confirmation has a key of its own", func(t *testing.T) {
			w := newWorld(t, limits(func(l *Limits) { l.ConfirmPasses = 3 }))
			w.ends(StatusPassed, Green, 1)
			seen := map[string]bool{}
			for _, a := range w.trace {
				if seen[a.Key] {
					t.Errorf("key %s twice", a.Key)
				}
				seen[a.Key] = true
			}
			if w.did(DoGate) != 4 {
				t.Errorf("%d gates", w.did(DoGate))
			}
		}},
		{"gates/reviews wait for the last confirmation", func(t *testing.T) {
			w := newWorld(t, func(s *Spec) {
				s.Limits.ConfirmPasses = 3
				s.Gates = append(s.Gates, Gate{Name: "spec", Kind: KindReview, Level: Hard}, Gate{Name: "q", Kind: KindLint, Level: Soft})
			})
			if w.ends(StatusPassed, Green, 1); w.did(DoReview) != 1 || w.did(DoGate) != 1+3+1 {
				t.Errorf("%d reviews, %d gates", w.did(DoReview), w.did(DoGate))
			}
		}},
		{"gates/reviews alone are confirmed too", func(t *testing.T) {
			w := newWorld(t, func(s *Spec) {
				s.Limits.ConfirmPasses = 2
				s.Gates = []Gate{{Name: "spec", Kind: KindReview, Level: Hard}}
			})
			if w.ends(StatusPassed, Green, 1); w.did(DoReview) != 2 {
				t.Errorf("%d reviews", w.did(DoReview))
			}
		}},
		{"gates/a review can pass work whose only other gate was skipped", func(t *testing.T) {
			w := newWorld(t, func(s *Spec) {
				s.Gates = []Gate{{Name: "lint", Kind: KindLint, Optional: true}, {Name: "spec", Kind: KindReview, Level: Hard}}
			})
			w.gate = func(a Action) Result {
				if a.Do == DoReview {
					return passing()
				}
				return Result{Verdict: Skipped, Reason: "no linter"}
			}
			w.ends(StatusPassed, Green, 1)
		}},
		{"gates/all hard gates run even when the first fails", func(t *testing.T) {
			w := newWorld(t, func(s *Spec) {
				s.Limits.MaxIterations = 1
				s.Gates = append(s.Gates, Gate{Name: "lint", Kind: KindLint, Level: Hard})
			})
			w.gate = attempts(failing("a"))
			if s := w.ends(StatusFailed, MaxAttempts, 1); len(s.Last().Results) != 2 || s.Last().FailedGate != "tests" {
				t.Errorf("%+v", s.Last())
			}
		}},
		{"gates/error is not passed", func(t *testing.T) {
			for _, v := range []Verdict{Error, Failed, Skipped, "", "PASSED", "ok"} {
				w := newWorld(t, maxIterations(1))
				w.gate = attempts(Result{Verdict: v})
				w.ends(StatusFailed, MaxAttempts, 1)
			}
		}},
		{"gates/refused: unknown, twice, out of turn, another commit, not a number", func(t *testing.T) {
			w := newWorld(t, func(s *Spec) {
				s.Gates = append(s.Gates, Gate{Name: "lint", Kind: KindLint, Level: Hard}, Gate{Name: "soft", Kind: KindLint, Level: Soft})
			})
			for w.until(DoGate).OnBase {
				w.turn()
			}
			ended := func(name, commit string) GateEnded {
				return GateEnded{Stamp: w.stamp(), Result: Result{Gate: name, Commit: commit, Verdict: Passed}}
			}
			w.do(ended("lint", "c1"))
			w.refuses(ended("lint", "c1"))
			w.refuses(ended("unknown", "c1"))
			w.refuses(ended("soft", "c1"))
			w.refuses(ended("tests", "c0"))
			w.refuses(ended("tests", ""))
			nan := ended("tests", "c1")
			zero := 0.0
			nan.Result = nan.Result.withValue(zero / zero)
			w.refuses(nan)
			w.do(ended("tests", "c1"))
			w.ends(StatusPassed, Green, 1)
		}},
		{"gates/what a gate says about its kind and level does not count", func(t *testing.T) {
			w := newWorld(t, maxIterations(1))
			r := failing("a")
			r.Level, r.Kind = Soft, KindLint
			w.gate = attempts(r)
			if s := w.ends(StatusFailed, MaxAttempts, 1); s.Last().Results[0].Level != Hard {
				t.Error("a hard gate made itself soft")
			}
		}},
		{"gates/work of a supervised loop needs a commit", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoCommit)
			w.refuses(Committed{Stamp: w.stamp(), Tree: "tree"})
		}},
		{"gates/what ralph cannot do is an error of its step", func(t *testing.T) {
			for do, reason := range map[Do]Reason{DoPrepare: SetupError, DoAgent: AgentError, DoCommit: GitError, DoGate: GateError} {
				w := newWorld(t, nil)
				w.until(do)
				w.do(WorkFailed{Stamp: w.stamp(), Step: w.s.Step, Message: "no space left"})
				w.ends(StatusFailed, reason, w.s.Iteration)
			}
		}},
		{"gates/work that cannot be kept stays where it is", func(t *testing.T) {
			w := newWorld(t, maxIterations(1))
			w.gate = attempts(failing("a"))
			w.until(DoKeep)
			w.do(WorkFailed{Stamp: w.stamp(), Step: StepKeep, Message: "disk full"})
			s := w.ends(StatusFailed, MaxAttempts, 1)
			if w.did(DoTidy) != 0 || s.FailureRef != "" || !strings.Contains(s.Message, "/w: disk full") {
				t.Errorf("tidied %d times, ref %q, %s", w.did(DoTidy), s.FailureRef, s.Message)
			}
		}},
		{"gates/a failure that repeats on closing still closes", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoTidy)
			w.do(WorkFailed{Stamp: w.stamp(), Step: StepTidy, Message: "busy", Busy: true})
			w.until(DoTidy)
			w.do(WorkFailed{Stamp: w.stamp(), Step: StepTidy, Message: "broken"})
			w.ends(StatusPassed, Green, 1)
		}},
	})
}

func TestFailureRefs(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 21, 11, 30, 45, 0, time.FixedZone("", 3600))
	for task, want := range map[string]string{
		"auth":                    "auth",
		"../../etc":               "etc",
		"a..b//c.lock":            "a.b-c.lock",
		"":                        "ralph-x",
		"🦊🦊":                      "ralph-x",
		"--flag":                  "flag",
		"a b\nc":                  "a-b-c",
		strings.Repeat("x", 9999): strings.Repeat("x", 60),
	} {
		s := State{Spec: Spec{ID: "ralph-x", Task: Task{ID: task}}}
		if got, want := s.failureRef(at), "wip/ralph-fail-"+want+"-20260121-103045"; got != want {
			t.Errorf("%q: got %s, want %s", task, got, want)
		}
	}
}
