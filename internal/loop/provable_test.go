package loop

import (
	"strings"
	"testing"
)

// TestNeverRed: a loop in which nothing could ever be red ends before its first attempt; one
// that may still be proved goes to work.
func TestNeverRed(t *testing.T) {
	t.Parallel()
	lint := Gate{Name: "lint", Kind: KindLint, Level: Hard, Run: "lint"}
	for name, c := range map[string]struct {
		change func(*Spec)
		red    bool // on the base
		ends   bool
	}{
		"only linters, which pass":  {change: func(s *Spec) {}, ends: true},
		"one of them fails":         {change: func(s *Spec) {}, red: true},
		"a kind that needs no test": {change: func(s *Spec) { s.Task.Kind = KindDocs }},
		"no proof is asked":         {change: func(s *Spec) { s.Proof = ProofNone }},
		"a review may stand for it": {change: asks(ProofReview)},
		"a command may run tests":   {change: func(s *Spec) { s.Gates = append(s.Gates, Gate{Name: "c", Kind: KindCommand, Level: Hard, Run: "c"}) }},
		"tests that are soft":       {change: func(s *Spec) { s.Gates = append(s.Gates, Gate{Name: "t", Kind: KindTests, Level: Soft, Run: "t"}) }, ends: true},
		"tests that are hidden": {change: func(s *Spec) {
			s.Gates = append(s.Gates, Gate{Name: "t", Kind: KindTests, Level: Hard, Run: "t", Hidden: true})
		}, ends: true},
	} {
		w := newWorld(t, func(s *Spec) {
			s.Gates, s.Proof = []Gate{lint}, ProofRequired
			c.change(s)
		})
		if w.gate = onBase(passing(), passing()); c.red {
			w.gate = onBase(failing("base"), passing())
		}
		s := w.run()
		if s.Unprovable() != c.ends || c.ends != (w.did(DoAgent) == 0) || c.ends && !strings.Contains(s.Message, "--kind docs") {
			t.Errorf("%s: %s/%s, %d runs of the agent: %s", name, s.Status, s.Reason, w.did(DoAgent), s.Message)
		}
	}
}
