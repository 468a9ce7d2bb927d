package money

import "ralph/internal/loop"

// Used is the usage that the events at the end of a run report.
type Used struct {
	Usage loop.Usage
	// Costly: a part without a reported cost may have cost something all the
	// same.
	Costly  bool
	Attempt bool
	// The report is incomplete: charge at least the reservation.
	PartMoney, PartTokens bool
}

// UsedBy returns what a run used that events of a loop end, of its agent or of its
// reviewers; false: they end none.
func UsedBy(before, next loop.State, events []loop.Event) (Used, bool) {
	if !(before.Began && !next.Began) && !reviewed(before, next, events) {
		return Used{}, false
	}
	u := Used{Costly: true, Attempt: next.Step == loop.StepCommit}
	// One that is cut off, or ended from outside, is not known to have cost nothing.
	for _, e := range events {
		switch e := e.(type) {
		case loop.AgentEnded:
			u.Usage, u.Costly = u.Usage.Add(e.Outcome.Usage.Sound()), e.Outcome.Costly()
		case loop.Interrupted:
			u.Usage = u.Usage.Add(e.Usage.Sound())
		case loop.WorkFailed:
			u.review(e.Spent) // without any it was never started
		case loop.Asked:
			u.review(e.Spent)
		case loop.GateEnded:
			u.review(e.Result.Spent)
		}
	}
	return u, true
}

// UsedInReview is the usage of reviewers that belong to no loop. Where they were cut off,
// that of missing ones is unknown, so their reservation counts.
func UsedInReview(all []loop.AgentSpent, cutOff bool) Used {
	var u Used
	u.review(all)
	if cutOff {
		u.Costly, u.PartMoney, u.PartTokens = true, true, true
	}
	return u
}

// review is the usage of reviewers.
func (u *Used) review(all []loop.AgentSpent) {
	u.Costly = false
	for _, v := range all {
		u.Usage = u.Usage.Add(v.Usage.Sound())
		if v.CostUnknown > 0 {
			u.Costly, u.PartMoney = true, true
			u.PartTokens = u.PartTokens || v.Usage.Sound().TotalTokens() == nil
		}
	}
}

// reviewed reports whether events contain the end of a review: reviewers held
// their share until then. A review that was cut off may have used all of it.
func reviewed(before, next loop.State, events []loop.Event) bool {
	if before.Step != loop.StepGates {
		return false
	}
	for _, e := range events {
		switch e.(type) {
		case loop.GateEnded, loop.WorkFailed, loop.Asked, loop.Interrupted:
			return true
		}
	}
	return next.Step != loop.StepGates || next.Status.Terminal()
}
