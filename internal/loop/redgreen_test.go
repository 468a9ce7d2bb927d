package loop

import (
	"strings"
	"testing"
)

func asks(policy ProofPolicy) func(*Spec) {
	return func(s *Spec) {
		s.Proof = policy
		if policy == ProofReview {
			s.Gates = append(s.Gates, Gate{Name: "spec", Kind: KindReview, Level: Hard, Review: &Review{Kind: SpecReview}})
		}
	}
}

// green plays gates that pass before the work and after it.
func green2(w *world) *world {
	w.gate = onBase(passing(), passing())
	return w
}

// notRed plays a proof that finds nothing.
func notRed(w *world) *world {
	w.prove = func(Action) Proof { return Proof{Why: "the gates pass without it, too"} }
	return w
}

func TestRedGreen(t *testing.T) {
	t.Parallel()
	tell(t, []rule{
		{"proof/a gate that was red before the work proves it without a search", func(t *testing.T) {
			w := newWorld(t, asks(ProofRequired))
			s := w.ends(StatusPassed, Green, 1)
			if p := s.Last().Proof; w.did(DoProve) != 0 || !p.OnBase || p.Gate != "tests" || s.ProofLabel() != "proved: red on the base" {
				t.Errorf("%d runs, %+v, %s", w.did(DoProve), p, s.ProofLabel())
			}
		}},
		{"proof/what another task broke is not proved by its repair alone", func(t *testing.T) {
			for _, more := range []bool{false, true} {
				w := newWorld(t, asks(ProofRequired))
				if !more {
					notRed(w)
				}
				pass := passing()
				pass.Repaired = "0123456789"
				w.gate = onBase(failing("broken"), pass)
				s := w.ends(StatusPassed, Green, 1)
				p := s.Last().Proof
				if w.did(DoProve) != 1 || p.OnBase == more || (p.Repaired != "") == more {
					t.Errorf("with a test of its own %t: %d runs, %+v", more, w.did(DoProve), p)
				}
				if look := len(s.Concerns()) > 0; look == more {
					t.Errorf("with a test of its own %t: %+v", more, s.Concerns())
				}
			}
		}},
		{"proof/red on the base proves nothing about work that changes nothing", func(t *testing.T) {
			w := notRed(newWorld(t, asks(ProofRequired)))
			w.commit = func(int) Committed { return Committed{Commit: "base"} }
			if s := w.ends(StatusFailed, NoChange, 3); s.Last().FailedGate != FailedProof {
				t.Errorf("%+v", s.Last())
			}
		}},
		{"proof/more coverage by tests alone passes and stays unproved", func(t *testing.T) {
			for _, measured := range []bool{true, false} {
				w := green2(newWorld(t, asks(ProofRequired)))
				w.prove = func(a Action) Proof {
					return Proof{Commit: a.Commit, Why: "it changes nothing but tests", Measured: measured}
				}
				s := w.run()
				if (s.Status == StatusPassed) != measured {
					t.Errorf("measured %t: %s", measured, s.Status)
				}
				if found := s.Concerns(); measured && (s.ProofLabel() != Unproved || len(found) != 1 || found[0].Code != ConcernUnproved) {
					t.Errorf("%s, %+v", s.ProofLabel(), found)
				}
			}
		}},
		{"proof/a base without any test is not red", func(t *testing.T) {
			w := newWorld(t, asks(ProofRequired))
			none := failing("no tests ran")
			none.Tests = &Tests{}
			w.gate = onBase(none, passing())
			if w.ends(StatusPassed, Green, 1); w.did(DoProve) != 1 {
				t.Errorf("trace %v", w.trace)
			}
		}},
		{"proof/the gates run once without the work where they were green before", func(t *testing.T) {
			w := green2(newWorld(t, asks(ProofRequired)))
			s := w.ends(StatusPassed, Green, 1)
			if w.did(DoProve) != 1 || s.ProofLabel() != "proved: red by assertion" {
				t.Errorf("%d runs: %s", w.did(DoProve), s.ProofLabel())
			}
		}},
		{"proof/once, at the last of the passes", func(t *testing.T) {
			w := green2(newWorld(t, func(s *Spec) { asks(ProofRequired)(s); s.Limits.ConfirmPasses = 3 }))
			if w.ends(StatusPassed, Green, 1); w.did(DoProve) != 1 || w.did(DoGate) != 4 {
				t.Errorf("trace %v", w.trace)
			}
		}},
		{"proof/before soft gates and reviews, which are not asked about work that nothing proves", func(t *testing.T) {
			w := notRed(green2(newWorld(t, func(s *Spec) {
				asks(ProofRequired)(s)
				s.Limits.MaxIterations = 1
				s.Gates = append(s.Gates, Gate{Name: "style", Kind: KindLint, Level: Soft}, Gate{Name: "quality", Kind: KindReview, Level: Hard})
			})))
			s := w.ends(StatusFailed, MaxAttempts, 1)
			a := s.Last()
			if a.FailedGate != FailedProof || !strings.Contains(a.Error, "nothing proves this change") || w.did(DoReview) != 0 || len(a.Results) != 1 {
				t.Errorf("%+v", a)
			}
		}},
		{"proof/nothing red three times is a failure like any other", func(t *testing.T) {
			w := notRed(green2(newWorld(t, func(s *Spec) { asks(ProofRequired)(s); s.Limits.MaxShifts = 0 })))
			w.ends(StatusFailed, Stuck, 3)
		}},
		{"proof/an attempt that proves itself after one that did not", func(t *testing.T) {
			w := green2(newWorld(t, asks(ProofRequired)))
			w.prove = func(a Action) Proof {
				if a.Attempt == 1 {
					return Proof{Why: "nothing"}
				}
				return Proof{Red: RedByBuild, Why: "it does not compile"}
			}
			if s := w.ends(StatusPassed, Green, 2); s.ProofLabel() != "proved: red by build" {
				t.Error(s.ProofLabel())
			}
		}},
		{"proof/kinds that change nothing to see, and --proof none, pass unproved", func(t *testing.T) {
			for _, exempt := range []func(*Spec){
				asks(ProofNone), asks(""),
				func(s *Spec) { asks(ProofRequired)(s); s.Task.Kind = KindDocs },
				func(s *Spec) { asks(ProofReview)(s); s.Task.Kind = KindRefactor },
			} {
				w := notRed(green2(newWorld(t, exempt)))
				if s := w.ends(StatusPassed, Green, 1); w.did(DoProve) != 0 || s.ProofLabel() != Unproved {
					t.Errorf("%d runs: %q", w.did(DoProve), s.ProofLabel())
				}
			}
		}},
		{"proof/an exempt task whose gate was red is proved all the same", func(t *testing.T) {
			w := newWorld(t, func(s *Spec) { s.Task.Kind = KindChore })
			if s := w.ends(StatusPassed, Green, 1); s.ProofLabel() != "proved: red on the base" {
				t.Error(s.ProofLabel())
			}
		}},
		{"proof/a spec review may stand for it where that was chosen", func(t *testing.T) {
			w := notRed(green2(newWorld(t, asks(ProofReview))))
			if s := w.ends(StatusPassed, Green, 1); s.ProofLabel() != "proved: by review" || s.Last().Proof.Review != "spec" {
				t.Errorf("%s %+v", s.ProofLabel(), s.Last().Proof)
			}
		}},
		{"proof/a soft spec review that does not approve does not", func(t *testing.T) {
			w := notRed(newWorld(t, func(s *Spec) {
				asks(ProofReview)(s)
				s.Gates[1].Level, s.Limits.MaxIterations = Soft, 1
			}))
			w.gate = func(a Action) Result {
				if a.Do == DoReview {
					return failing("gaps")
				}
				return passing()
			}
			if s := w.ends(StatusFailed, MaxAttempts, 1); s.Last().FailedGate != FailedProof {
				t.Errorf("%+v", s.Last())
			}
		}},
		{"proof/a crash runs it again, and too many are no proof", func(t *testing.T) {
			w := green2(newWorld(t, func(s *Spec) {
				asks(ProofRequired)(s)
				s.Limits.Interruptions, s.Limits.MaxIterations = 2, 1
			}))
			for range 3 {
				w.until(DoProve)
				w.do(Interrupted{Stamp: w.stamp(), Why: "crash"})
			}
			w.is(Waiting, ForHuman)
			w.do(Answered{Stamp: w.stamp(), Text: "failed"})
			if s := w.ends(StatusFailed, MaxAttempts, 1); s.Last().FailedGate != FailedProof || len(w.keys(DoProve)) != 0 {
				t.Errorf("%+v", s.Last())
			}
		}},
		{"proof/a loop that its agent drives is asked for none", func(t *testing.T) {
			s := New(Spec{Mode: AgentDriven, Proof: ProofRequired, Gates: []Gate{{Name: "g"}}}, noon)
			if s.OwesProof() {
				t.Error("it owes one")
			}
		}},
	})
}

// TestProofOfAnother: a proof counts for the commit that it is about, and only while
// one is asked for.
func TestProofOfAnother(t *testing.T) {
	t.Parallel()
	w := green2(newWorld(t, asks(ProofRequired)))
	w.until(DoGate)
	w.refuses(Proved{Stamp: w.stamp(), Proof: Proof{Commit: "c1", Red: RedByAssertion}})
	w.until(DoProve)
	w.refuses(Proved{Stamp: w.stamp(), Proof: Proof{Commit: "c9", Red: RedByAssertion}})
	w.refuses(Proved{Stamp: w.stamp(), Proof: Proof{Commit: "c1", Red: "odd"}})
}

func TestValidateProof(t *testing.T) {
	t.Parallel()
	base := newWorld(t, nil).s.Spec
	for name, change := range map[string]func(*Spec){
		"unknown kind":                 func(s *Spec) { s.Task.Kind = "feat" },
		"unknown policy":               func(s *Spec) { s.Proof = "some" },
		"review without a spec review": func(s *Spec) { s.Proof = ProofReview },
		"review with another kind of review": func(s *Spec) {
			s.Proof, s.Gates = ProofReview, append(s.Gates, Gate{Name: "r", Kind: KindReview, Review: &Review{Kind: "quality"}})
		},
	} {
		s := base.clone()
		if change(&s); s.Validate() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
