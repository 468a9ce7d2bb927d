package money

// RefusedError: a budget has no room for one more run.
type RefusedError struct {
	Balance Balance
	Part    string
	// Verdict is Busy, while runs under way hold what is left, or Spent.
	Verdict Verdict
}

func (e *RefusedError) Error() string {
	p, words := e.Balance.part(e.Part), e.Balance.Words(e.Part)
	switch {
	case e.Verdict == Busy:
		return "attempts under way have reserved what is left: " + words
	case p.left() <= 0:
		return "used up: " + words
	case p.beyond():
		return "too little is left: " + p.tooLittle() + ": " + words
	}
	return "used up: " + words + "; an attempt whose process died may have used the rest"
}

// tooLittle is "$0.10 left of $5.10, the dearest run so far cost $5.00".
func (p part) tooLittle() string {
	of, cost := "", "cost "+p.word(p.want)
	if p.name == "tokens" {
		of, cost = " tokens", "used "+p.word(p.want)
	}
	return p.word(p.left()) + " left of " + p.word(p.limit) + of + ", the dearest run so far " + cost
}

// Name of the budget that refuses, as in "plan money".
func (e *RefusedError) Name() string { return string(e.Balance.Level) + " " + e.Part }
