package loop

import "slices"

// What counts as better. Only what was measured can be compared: fewer failing
// tests, or a higher value of a gate that fails.

// failingTests sums the failing tests of hard gates; -1 is unknown.
func (a Attempt) failingTests() int {
	sum := -1
	for _, r := range a.Results {
		if r.Level != Soft && r.Tests != nil {
			sum = max(sum, 0) + r.Tests.Failed
		}
	}
	return sum
}

// fewerTests compares failing tests. Two attempts without any tell nothing:
// something else fails.
func fewerTests(now, before Attempt) (fewer, known bool) {
	a, b := now.failingTests(), before.failingTests()
	known = a >= 0 && b >= 0 && a+b > 0
	return known && a < b, known
}

// higherValue compares the values of the gates that fail now.
func higherValue(now, before Attempt) (higher, known bool) {
	for _, r := range now.Results {
		old := find(before.Results, r.Gate)
		if !fallible(r) || old == nil || old.Value == nil {
			continue
		}
		known = true
		higher = higher || *r.Value > *old.Value
	}
	return higher, known
}

// betterThanAll says whether now is better than every one of the earlier
// attempts it can be compared with, and whether there was any.
func betterThanAll(now Attempt, earlier []Attempt) (better, known bool) {
	better = true
	for _, e := range earlier {
		fewer, counted := fewerTests(now, e)
		higher, measured := higherValue(now, e)
		if !counted && !measured {
			continue
		}
		known = true
		better = better && (fewer || higher)
	}
	return better && known, known
}

// improved: the newest attempt is better than the one before; the first is
// always progress (seed 000). Where nothing was measured, or as many tests
// fail as before, a failure that was not seen yet is progress: going back and
// forth between two is none.
func (s *State) improved() bool {
	n := len(s.Attempts)
	if n < 2 {
		return true
	}
	now, before := s.Attempts[n-1], s.Attempts[n-2]
	if higher, measured := higherValue(now, before); measured {
		return higher
	}
	if fewer, _ := fewerTests(now, before); fewer {
		return true
	}
	more, _ := fewerTests(before, now)
	return !more && !slices.ContainsFunc(s.Attempts[:n-1], func(a Attempt) bool { return a.Fingerprint == now.Fingerprint })
}
