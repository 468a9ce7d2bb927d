package loop

import (
	"strings"
	"testing"
	"time"
)

// verified is an agent-driven loop whose check ends with a final verification. What
// the gates report in the agent's tree is quick; gate reports what they do in rooms.
func verified(t *testing.T, change func(*Spec)) *world {
	w := driven(t, func(s *Spec) {
		s.Verify = true
		if change != nil {
			change(s)
		}
	})
	w.gate = func(a Action) Result { return inRoom(passing()) }
	return w
}

func inRoom(r Result) Result {
	r.Room = RoomOverlay
	return r
}

// quickly is the part of a check in the agent's tree.
func (w *world) quickly(r Result) {
	w.t.Helper()
	r.Room = RoomTree
	w.check(r)
}

// verify does the final verification that is under way.
func (w *world) verify() {
	w.t.Helper()
	for w.s.InVerification() && w.s.Status == Running {
		a := Next(w.s)
		w.trace = append(w.trace, a)
		for _, e := range w.events(a) {
			if g, ok := e.(GateEnded); ok {
				g.Result.Tree = w.s.Last().Tree
				e = g
			}
			w.do(e)
		}
	}
}

// TestOnlyAPersonJudges: where no gate can run in the agent's tree, the verification begins at
// once, and asks.
func TestOnlyAPersonJudges(t *testing.T) {
	t.Parallel()
	w := verified(t, func(s *Spec) { s.Gates = []Gate{{Name: "look", Kind: KindHuman, Level: Hard, Ask: "good?"}} })
	w.do(Committed{Stamp: w.stamp(), Commit: "c1", Tree: "t1", Changed: true, Differs: true})
	if a := Next(w.s); a.Do != DoVerify {
		t.Fatalf("next is %q", a.Do)
	}
	w.do(Verifying{Stamp: w.stamp(), Commit: "c1", GateTree: "/gates", Differs: true})
	if a := Next(w.s); a.Do != DoReview || a.Gate.Name != "look" {
		t.Fatalf("next is %q", a.Do)
	}
}

func TestVerification(t *testing.T) {
	t.Parallel()
	tell(t, []rule{
		{"verify/a pass in the agent's tree is not believed", func(t *testing.T) {
			w := verified(t, nil)
			w.quickly(passing())
			w.is(Running, "")
			if a := Next(w.s); a.Do != DoVerify {
				t.Fatalf("next is %q", a.Do)
			}
			w.verify()
			w.is(StatusPassed, Green)
			if a := w.s.Last(); a.Commit != "v1" || !a.Verifying || w.did(DoGate) != 2 {
				t.Errorf("passed on %q after %d gates", a.Commit, w.did(DoGate))
			}
		}},
		{"verify/a failure in the agent's tree is final at once", func(t *testing.T) {
			w := verified(t, nil)
			w.quickly(failing("low"))
			w.is(Running, "")
			if w.s.InVerification() || w.s.Last().Verdict != Failed {
				t.Error("a red tree is verified")
			}
		}},
		{"verify/what fails in the room uses a check", func(t *testing.T) {
			w := verified(t, maxIterations(2))
			w.gate = func(a Action) Result {
				if a.OnBase {
					return inRoom(failing("base"))
				}
				return inRoom(failing("judges"))
			}
			w.quickly(passing())
			w.verify()
			w.is(Running, "")
			if a := w.s.Last(); a.Verdict != Failed || a.Fingerprint != "judges" || w.s.Step != StepAgent {
				t.Errorf("%+v at %s", a, w.s.Step)
			}
			w.quickly(passing())
			w.verify()
			w.is(StatusFailed, MaxAttempts)
			if w.did(DoGate) != 3 {
				t.Errorf("%d gates: the base runs once", w.did(DoGate))
			}
		}},
		{"verify/a result of the agent's tree is no evidence", func(t *testing.T) {
			w := verified(t, nil)
			w.quickly(passing())
			w.do(Verifying{Stamp: w.stamp(), Commit: "v1", GateTree: "/g", Differs: true})
			w.do(GateEnded{w.stamp(), Result{Gate: "coverage", Commit: "base", Verdict: Failed, Room: RoomTree}})
			r := Result{Gate: "coverage", Commit: "v1", Tree: w.s.Last().Tree, Verdict: Passed, Room: RoomTree}
			w.refuses(GateEnded{w.stamp(), r})
			w.do(GateEnded{w.stamp(), inRoom(r)})
			w.is(StatusPassed, Green)
		}},
		{"verify/its time is not the loop's", func(t *testing.T) {
			w := verified(t, nil)
			w.quickly(passing())
			before := w.s.Active
			w.pace = time.Hour
			if !w.s.EndsAt().IsZero() {
				t.Error("the loop ends by itself while it is verified")
			}
			w.verify()
			w.is(StatusPassed, Green)
			if w.s.Active != before {
				t.Errorf("it used %s", w.s.Active-before)
			}
		}},
		{"verify/one that is cut off begins again with the next check", func(t *testing.T) {
			w := verified(t, nil)
			for cut := range 3 {
				w.quickly(passing())
				for range cut {
					a := Next(w.s)
					for _, e := range w.events(a) {
						if g, ok := e.(GateEnded); ok {
							g.Result.Tree = w.s.Last().Tree
							e = g
						}
						w.do(e)
					}
				}
				w.do(Interrupted{Stamp: w.stamp(), Why: "killed"})
				if w.s.Step != StepAgent || w.s.Iteration != 1 || w.s.Last().Verifying || len(w.s.Last().Results) > 0 {
					t.Fatalf("after %d steps: %s, %+v", cut, w.s.Step, w.s.Last())
				}
			}
			w.quickly(passing())
			w.verify()
			w.is(StatusPassed, Green)
		}},
		{"verify/a secret that is blocked fails it before a gate runs", func(t *testing.T) {
			w := verified(t, func(s *Spec) { s.Secrets = SecretsBlock })
			w.quickly(passing())
			w.do(Verifying{Stamp: w.stamp(), Commit: "v1", GateTree: "/g", Secrets: []string{"key in a:1"}})
			if a := w.s.Last(); a.FailedGate != failedSecrets || w.s.Step != StepAgent {
				t.Errorf("%+v", a)
			}
		}},
		{"verify/work on a task must be proved, a gate alone need not", func(t *testing.T) {
			green := func(a Action) Result { return inRoom(passing()) }
			for policy, status := range map[ProofPolicy]Status{ProofRequired: Running, ProofNone: StatusPassed} {
				w := verified(t, func(s *Spec) { s.Proof = policy })
				w.gate, w.prove = green, func(Action) Proof { return Proof{Why: "nothing is red"} }
				w.quickly(passing())
				w.verify()
				if w.s.Status != status {
					t.Errorf("proof %s: %s, %s", policy, w.s.Status, w.s.Message)
				}
				if status == StatusPassed && (w.s.ProofLabel() != Unproved || len(w.s.Concerns()) != 1) {
					t.Errorf("proof %s: %q, %v", policy, w.s.ProofLabel(), w.s.Concerns())
				}
				if status == Running && !strings.Contains(w.s.Last().Error, "nothing proves this change") {
					t.Errorf("proof %s: %s", policy, w.s.Last().Error)
				}
			}
		}},
	})
}
