package money

// RefusedError: a budget has no room for one more run.
type RefusedError struct {
	Balance Balance
	Part    string
	// Verdict is Busy, while runs under way hold what is left, or Spent.
	Verdict Verdict
}

func (e *RefusedError) Error() string {
	words := "used up: " + e.Balance.Words(e.Part)
	if e.Verdict == Busy {
		return "attempts under way have reserved what is left: " + e.Balance.Words(e.Part)
	}
	if e.Balance.left(e.Part) > 0 {
		return words + "; an attempt whose process died may have used the rest"
	}
	return words
}

// Name of the budget that refuses, as in "plan money".
func (e *RefusedError) Name() string { return string(e.Balance.Level) + " " + e.Part }
