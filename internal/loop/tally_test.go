package loop

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// oracle decides by walking all attempts, in other words than the tally.
type oracle []Attempt

func (o oracle) shifts() (n int, expanded bool) {
	streak := Streak(o)
	for i := range streak {
		if i > 0 && streak[i].Approach.Shift {
			n++
		}
		expanded = expanded || i > 0 && streak[i].Approach.Expand
	}
	return n, expanded
}

func (o oracle) unchanged() (n int) {
	for i := len(o) - 1; i >= 0 && !o[i].Changed; i-- {
		n++
	}
	return n
}

func (o oracle) falls(gate string) (n int) {
	for i := len(o) - 1; i > 0; i-- {
		now, before := ResultOf(o[i].Results, gate), ResultOf(o[i-1].Results, gate)
		if now == nil || before == nil || now.Level == Soft || now.Verdict == Passed || now.Value == nil || before.Value == nil || *now.Value >= *before.Value {
			break
		}
		n++
	}
	return n
}

func (o oracle) plateau(n int) bool {
	split := len(o) - n
	if n == 0 || split < 1 {
		return false
	}
	for _, a := range o[split:] {
		if better, known := betterThanAll(a.score(), o.scores(split)); better || !known {
			return false
		}
	}
	return true
}

func (o oracle) scores(n int) (out []Score) {
	for _, a := range o[:n] {
		out = append(out, a.score())
	}
	return out
}

func (o oracle) improved() bool {
	n := len(o) - 1
	if n < 1 {
		return true
	}
	now, before := o[n].score(), o[n-1].score()
	if higher, measured := higherValue(now, before); measured {
		return higher
	}
	if fewer, _ := fewerTests(now, before); fewer {
		return true
	}
	more, _ := fewerTests(before, now)
	return !more && !slices.ContainsFunc(o[:n], func(a Attempt) bool { return a.Fingerprint == o[n].Fingerprint })
}

func anyAttempt(t *rapid.T, n int) Attempt {
	a := Attempt{
		N: n, Verdict: pick(t, "verdict", Failed, Failed, Failed, Failed, Passed), Changed: chance(t, "changed", 60),
		Approach: Approach{chance(t, "shift", 30), chance(t, "expand", 30)},
	}
	if a.Verdict == Failed {
		a.Fingerprint = pick(t, "fingerprint", "", "aa", "bb", "cc")
	}
	for g := range rapid.IntRange(0, 3).Draw(t, "results") {
		r := anyResult(t, fmt.Sprintf("g%d", g), "c", "")
		r.Level = pick(t, "level", Hard, Hard, Soft)
		a.Results = append(a.Results, r)
	}
	return a
}

// TestTallyDecidesAsAllAttempts: whatever is decided by the tally is what a walk
// over all attempts decides.
func TestTallyDecidesAsAllAttempts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		plateau := rapid.IntRange(0, 5).Draw(t, "plateau")
		var tally Tally
		var all oracle
		for n := range rapid.IntRange(1, 30).Draw(t, "attempts") {
			a := anyAttempt(t, n+1)
			all = append(all, a)
			if got, want := tally.improved(a), all.improved(); got != want {
				t.Fatalf("attempt %d: improved %t, want %t", n+1, got, want)
			}
			tally.add(a, a.Verdict == Failed, plateau)
			shifts, expanded := all.shifts()
			got := fmt.Sprint(tally.Judged, tally.Repeats, tally.Shifts, tally.Expanded, tally.Unchanged, tally.plateau(plateau))
			want := fmt.Sprint(n+1, len(Streak(all)), shifts, expanded, all.unchanged(), all.plateau(plateau))
			if got != want {
				t.Fatalf("attempt %d: %s, want %s", n+1, got, want)
			}
			for g := range 3 {
				if gate := fmt.Sprintf("g%d", g); tally.falls(gate) != all.falls(gate) {
					t.Fatalf("attempt %d: %s fell %d times, want %d", n+1, gate, tally.falls(gate), all.falls(gate))
				}
			}
		}
	})
}

// TestNewestAttemptsSuffice: a loop that forgets all but its newest attempts, at
// any time, asks for the same actions and comes to the same end.
func TestNewestAttemptsSuffice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		spec := anySpec(t)
		spec.Limits.MaxIterations = rapid.IntRange(1, 30).Draw(t, "max")
		s, now := New(spec, noon), noon
		short := s
		for range rapid.IntRange(1, 300).Draw(t, "steps") {
			now = now.Add(time.Second)
			e := legal(t, s, Stamp{At: now})
			after, err := applied(s, e)
			shorter, shortErr := Apply(short, e)
			if fmt.Sprint(err) != fmt.Sprint(shortErr) {
				t.Fatalf("%s: %v, with the newest attempts %v", e.Name(), err, shortErr)
			}
			if err != nil {
				continue
			}
			s, short = after, shorter
			if diff := same(Next(s), Next(short)); diff != "" {
				t.Fatalf("after %s another action: %s", e.Name(), diff)
			}
			if n := rapid.IntRange(1, 20).Draw(t, "newest"); chance(t, "forgets", 30) {
				short = short.clone()
				short.forget(n)
			}
			a, b := s.Bounded(), short.Bounded()
			a.Recent = newest(a.Recent, len(b.Recent))
			a.Tally, b.Tally = new(s.tally()), new(short.tally())
			if diff := same(a, b); diff != "" {
				t.Fatalf("after %s another state: %s", e.Name(), diff)
			}
		}
	})
}

// TestTallyOfAnOldState: where a state has none, its attempts are counted.
func TestTallyOfAnOldState(t *testing.T) {
	t.Parallel()
	w := newWorld(t, maxIterations(4))
	w.gate = values(5, 4, 3, 2)
	w.until(DoAgent)
	for w.s.Iteration < 2 || w.s.Last().Verdict == "" {
		w.turn()
	}
	old := w.s
	old.Tally = nil
	if diff := same(*w.s.Tally, old.tally()); diff != "" {
		t.Error(diff)
	}
	if w.s.Falls("tests") != 1 || w.s.Repeats() != 1 {
		t.Errorf("fell %d times, repeated %d times", w.s.Falls("tests"), w.s.Repeats())
	}
}

// TestEqualScoresAreCounted: a tally that compares with thousands of attempts is as large after
// thousands of equal ones as after two, and compares with all of them.
func TestEqualScoresAreCounted(t *testing.T) {
	t.Parallel()
	const plateau = 3000
	scored := func(failing int) Attempt {
		return Attempt{Verdict: Failed, Results: []Result{{Level: Hard, Verdict: Failed, Tests: &Tests{Run: 60, Failed: failing}}}}
	}
	var tally Tally
	tally.add(scored(5), true, plateau)
	for n := range plateau {
		if tally.plateau(plateau) {
			t.Fatalf("a plateau after %d of %d", n, plateau)
		}
		tally.add(scored(7), true, plateau)
	}
	if len(tally.Newest) != 1 || len(tally.Best) != 1 || !tally.plateau(plateau) {
		t.Errorf("%d scores and %d before them, plateau %v", len(tally.Newest), len(tally.Best), tally.plateau(plateau))
	}
	tally.add(scored(4), true, plateau)
	if tally.plateau(plateau) {
		t.Error("a plateau although the newest is better")
	}
	for n := range 2 * mostNewest {
		tally.add(scored(8+n%2), true, plateau)
	}
	if len(tally.Newest) != mostNewest || compared(tally.Newest) != plateau {
		t.Errorf("%d scores of %d attempts", len(tally.Newest), compared(tally.Newest))
	}
}
