package loop

import "testing"

// TestUnknownIsNotFewer: a runner that stopped before its end has not fewer failing tests, also
// beside a gate that tells their number.
func TestUnknownIsNotFewer(t *testing.T) {
	t.Parallel()
	of := func(verdict Verdict, run Count, failed int) Attempt {
		return Attempt{Results: []Result{
			{Verdict: Passed, Tests: &Tests{Run: 9}},
			{Verdict: verdict, Tests: &Tests{Run: run, Failed: failed}},
		}}
	}
	before := of(Failed, 2, 2)
	for name, c := range map[string]struct {
		now          Attempt
		fewer, known bool
	}{
		"fewer":          {of(Failed, 2, 1), true, true},
		"as many":        {of(Failed, 2, 2), false, true},
		"stopped at one": {of(Failed, Unknown, 1), false, false},
		"none named":     {of(Passed, Unknown, 0), true, true},
	} {
		if fewer, known := fewerTests(c.now.score(), before.score()); fewer != c.fewer || known != c.known {
			t.Errorf("%s: fewer %t, known %t", name, fewer, known)
		}
	}
}
