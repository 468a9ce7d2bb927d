package money

import (
	"maps"
	"time"

	"ralph/internal/loop"
)

// Book is a budget with what the dearest run of each agent has used of it: all that is known of
// it while nothing runs.
type Book struct {
	Budget
	Dearest map[string]loop.Amounts `json:"dearest,omitempty"`
}

// Charge settles the reservation of a run, and remembers the dearest one of its agent. Copies of
// the book that were made before stay as they are.
func (b *Book) Charge(r Reservation, u Used, now time.Time) {
	reported := b.Settle(r, u, now)
	if b.Dearest = maps.Clone(b.Dearest); b.Dearest == nil {
		b.Dearest = map[string]loop.Amounts{}
	}
	most := b.Dearest[r.Agent]
	b.Dearest[r.Agent] = loop.Amounts{MoneyMicroUSD: max(most.MoneyMicroUSD, reported.MoneyMicroUSD), Tokens: max(most.Tokens, reported.Tokens)}
}

// ChargeCutOff settles the reservation of a run whose process is gone: nothing is known of it.
func (b *Book) ChargeCutOff(r Reservation, now time.Time) { b.Charge(r, Used{Costly: true}, now) }
