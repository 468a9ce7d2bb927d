package learn

import (
	"slices"

	"ralph/internal/loop"
)

// Helped says of a pattern that an ended loop was shown whether it helped: the
// failure it is about was there and was ended by a change, or the loop passed.
// decided is false where the end says nothing about the work.
func Helped(s loop.State, p Pattern) (helped, decided bool) {
	if s.Status == loop.StatusPassed {
		return true, true
	}
	if p.Fingerprint != "" && slices.ContainsFunc(history(s, Files{}).failures, func(f failure) bool {
		return f.fingerprint == p.Fingerprint && len(f.fix) > 0
	}) {
		return true, true
	}
	switch s.Reason {
	case loop.MaxAttempts, loop.Stuck, loop.Plateau, loop.NoChange, loop.Regression, loop.Stalled:
		return false, true
	}
	return false, false
}
