package loop

import (
	"slices"
	"strings"
	"testing"
)

func redOf(ids ...string) Result {
	r := failing("red")
	r.Tests = &Tests{Run: 5, Failed: len(ids), Failing: ids}
	return r
}

// base answers the first run on the base, then each further one with again.
func base(first, again Result) func(Action) Result {
	runs := 0
	return func(a Action) Result {
		if !a.OnBase {
			return passing()
		}
		if runs++; runs == 1 {
			return first
		}
		return again
	}
}

func (w *world) runsOnBase() (n int) {
	for _, a := range w.trace {
		if a.Do == DoGate && a.OnBase {
			n++
		}
	}
	return n
}

// TestRedTwice: what is red on the base is run there again before a verdict rests on it, and
// only what is red both times proves the work.
func TestRedTwice(t *testing.T) {
	t.Parallel()
	broken, none := redOf("shop"), redOf("a")
	broken.Tests.Run = Unknown
	none.Tests = nil
	killed, again := redOf("a"), redOf("a")
	again.Flaky = "red, then green on the same commit"
	killed.Signal = "killed"
	for name, c := range map[string]struct {
		first, again Result
		red          []string
		why          string // of no proof
	}{
		"the same test":        {redOf("a"), redOf("a"), []string{"a"}, ""},
		"one of two":           {redOf("a", "b"), redOf("b", "c"), []string{"b"}, ""},
		"does not build":       {broken, broken, []string{"shop"}, ""},
		"an exit code":         {none, none, nil, ""},
		"an exit code by luck": {none, passing(), nil, "on the base gate tests is red and green on the same files: flaky"},
		"flaky":                {redOf("a"), passing(), nil, "on the base a is red and green on the same files: flaky"},
		"four are flaky":       {redOf("a", "b", "c", "d"), passing(), nil, "on the base a, b, c and 1 more are red and green on the same files: flaky"},
		"two take turns":       {redOf("a"), redOf("b"), nil, "on the base a is red and green on the same files: flaky"},
		"flaky by its retries": {redOf("a"), again, nil, "on the base a is red and green on the same files: flaky"},
		"killed":               {redOf("a"), killed, nil, "gate tests was red on the base, and not seen to be so again: it fails: red"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := notRed(newWorld(t, func(s *Spec) { asks(ProofRequired)(s); s.Limits.MaxIterations = 2 }))
			w.gate = base(c.first, c.again)
			s, searches := w.run(), 0
			if c.why != "" {
				searches = 2 // one for each attempt
			}
			if w.runsOnBase() != 2 || w.did(DoProve) != searches {
				t.Errorf("%d runs on the base, %d searches", w.runsOnBase(), w.did(DoProve))
			}
			p := s.Last().Proof
			if c.why != "" {
				if s.Status != StatusFailed || s.Last().FailedGate != FailedProof || !strings.HasSuffix(p.Why, "; "+c.why) {
					t.Errorf("%s: %q, want %q", s.Status, p.Why, c.why)
				}
				return
			}
			if s.ProofLabel() != redOnBase || !slices.Equal(p.Tests, c.red) {
				t.Errorf("%s: %q", s.ProofLabel(), p.Tests)
			}
		})
	}
}

// TestRedTwiceOtherwise: work that is flaky on the base is proved by what fails without it, and
// one that owes nothing is not called proved.
func TestRedTwiceOtherwise(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*Spec){
		redBy + string(RedByAssertion): asks(ProofRequired),
		Unproved:                       asks(ProofNone),
	} {
		w := newWorld(t, change)
		w.gate = base(redOf("a"), passing())
		if s := w.ends(StatusPassed, Green, 1); s.ProofLabel() != want || w.runsOnBase() != 2 {
			t.Errorf("%s, want %s; %d runs on the base", s.ProofLabel(), want, w.runsOnBase())
		}
	}
}

// TestRedTwiceRefuses: only the gate that is asked for, and only about the base; a crash asks
// for it again.
func TestRedTwiceRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t, asks(ProofRequired))
	w.gate = base(redOf("a"), redOf("a"))
	for w.s.Step != StepProof {
		w.turn()
	}
	key := Next(w.s).Key
	w.do(Interrupted{Stamp: w.stamp(), Why: "crash"})
	if a := Next(w.s); a.Do != DoGate || !a.OnBase || a.Commit != "base" || a.Key != key {
		t.Errorf("%+v", a)
	}
	w.refuses(GateEnded{w.stamp(), Result{Gate: "tests", Commit: "c1", Verdict: Failed}})
	w.refuses(GateEnded{w.stamp(), Result{Gate: "odd", Commit: "base", Verdict: Failed}})
	w.ends(StatusPassed, Green, 1)
	w.refuses(GateEnded{w.stamp(), Result{Gate: "tests", Commit: "base", Verdict: Failed}})
}
