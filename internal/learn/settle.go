package learn

import (
	"slices"

	"ralph/internal/loop"
)

// Helped says of a pattern that an ended loop was shown whether it helped: the
// failure it is about was there and is gone, or the loop passed. decided is
// false where the end says nothing about the work.
func Helped(s loop.State, p Pattern) (helped, decided bool) {
	if s.Status == loop.StatusPassed {
		return true, true
	}
	if p.Fingerprint != "" && had(s, p.Fingerprint) && !slices.Contains(Failing(s), p.Fingerprint) {
		return true, true
	}
	switch s.Reason {
	case loop.MaxAttempts, loop.Stuck, loop.Plateau, loop.NoChange, loop.Regression, loop.Stalled:
		return false, true
	}
	return false, false
}

// had: the loop saw the failure at some time.
func had(s loop.State, fingerprint string) bool {
	in := func(results []loop.Result) bool {
		return slices.ContainsFunc(results, func(r loop.Result) bool { return r.Fingerprint == fingerprint })
	}
	return in(s.BaseResults) || slices.ContainsFunc(s.Attempts, func(a loop.Attempt) bool {
		return a.Fingerprint == fingerprint || in(a.Results)
	})
}
