package money

import (
	"time"

	"ralph/internal/loop"
)

// Budget is what a store keeps of one, beside its reservations.
type Budget struct {
	Limit loop.Amounts `json:"limit,omitzero"`
	Used  loop.Amounts `json:"used,omitzero"`
	// AssumedMicroUSD and AssumedTokens are as in Balance.
	AssumedMicroUSD int64 `json:"assumed_micro_usd,omitempty"`
	AssumedTokens   int64 `json:"assumed_tokens,omitempty"`
	// WallTo is up to when time at work is counted.
	WallTo time.Time `json:"wall_to,omitzero"`
}

// Reservation is the share of a budget that a run under way holds.
type Reservation struct {
	// Agent is the name of the agent that runs; reviewers, which run together, have none.
	Agent string       `json:"agent,omitempty"`
	Held  loop.Amounts `json:"held,omitzero"`
	// At is when the run began, Until when it is over at the latest.
	At    time.Time `json:"at"`
	Until time.Time `json:"until"`
}

// Settle replaces a reservation by what its run used. If the usage was not reported, the
// reservation counts as used, and is recorded as such. It returns what was reported.
func (b *Budget) Settle(r Reservation, u Used, now time.Time) (reported loop.Amounts) {
	micro, assumedMicro := charge(u.Usage.CostMicroUSD, r.Held.MoneyMicroUSD, u.Costly, u.PartMoney)
	tokens, assumedTokens := charge(u.Usage.TotalTokens(), r.Held.Tokens, u.Costly, u.PartTokens)
	b.Used.MoneyMicroUSD += micro
	b.Used.Tokens += tokens
	b.AssumedMicroUSD += assumedMicro
	b.AssumedTokens += assumedTokens
	if u.Attempt {
		b.Used.Attempts++
	}
	end := now
	if r.Until.Before(end) {
		end = r.Until
	}
	b.Used.Wall += b.since(r.At, end)
	if end.After(b.WallTo) {
		b.WallTo = end
	}
	return loop.Amounts{MoneyMicroUSD: micro - assumedMicro, Tokens: tokens - assumedTokens}
}

// since is the time at work from a moment on that is not counted yet: runs at the same time
// count once.
func (b *Budget) since(at, end time.Time) time.Duration {
	if b.WallTo.After(at) {
		at = b.WallTo
	}
	return max(end.Sub(at), 0)
}

// charge is the cost of a run to a budget, and how much of it is only assumed.
func charge(known *int64, reserved int64, costly, part bool) (amount, assumed int64) {
	switch {
	case known != nil && part && reserved > *known:
		return reserved, reserved - *known
	case known != nil:
		return max(*known, 0), 0
	case costly:
		return reserved, reserved
	}
	return 0, 0
}

// Balance is how the budget stands while runs hold reservations. A run whose process died
// keeps its reservation until that is settled; only those of living ones are open.
func (b Budget) Balance(level loop.BudgetLevel, id string, now time.Time, open, dead []Reservation) Balance {
	out := Balance{
		Level: level, ID: id, Limit: b.Limit, Used: b.Used,
		AssumedMicroUSD: b.AssumedMicroUSD, AssumedTokens: b.AssumedTokens, Open: len(open),
	}
	var since time.Time
	for _, r := range open {
		out.hold(r.Held)
		if since.IsZero() || r.At.Before(since) {
			since = r.At
		}
	}
	for _, r := range dead {
		out.hold(r.Held)
	}
	if !since.IsZero() {
		out.Used.Wall += b.since(since, now)
	}
	return out
}

func (b *Balance) hold(a loop.Amounts) {
	b.Held.MoneyMicroUSD += a.MoneyMicroUSD
	b.Held.Tokens += a.Tokens
	b.Held.Attempts += a.Attempts
}

// AskAll asks every budget that a run is paid from for its share. One that is used up refuses
// before one that is only held by others. A review is no attempt: their number does not
// bound it.
func AskAll(all []Balance, review bool) (hold []loop.Amounts, err error) {
	var refused *RefusedError
	for _, b := range all {
		if review {
			b.Limit.Attempts = 0
		}
		h, v, part := b.Ask()
		if v == Spent || v == Busy && refused == nil {
			refused = &RefusedError{Balance: b, Part: part, Verdict: v}
			if v == Spent {
				return nil, refused
			}
		}
		hold = append(hold, h)
	}
	if refused != nil {
		return nil, refused
	}
	return hold, nil
}

// LeastTime returns how long agents may still work by all budgets; 0 is unlimited.
func LeastTime(all []Balance) (wall time.Duration) {
	for _, b := range all {
		if left := b.TimeLeft(); left > 0 && (wall == 0 || left < wall) {
			wall = left
		}
	}
	return wall
}
