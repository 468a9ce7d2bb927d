package stored

import (
	"context"
	"crypto/rand"

	"ralph/internal/loop"
	"ralph/internal/money"
)

// Set bounds what a plan may spend from now on; what was used stays.
func (b *PlanBudgets) Set(ctx context.Context, plan string, limit loop.Amounts) error {
	return b.change(ctx, plan, func(have *budget) (*budget, error) {
		if have == nil && !limit.Any() {
			return nil, nil
		}
		next := budget{}
		if have != nil {
			next = *have
		}
		next.Limit = limit
		return &next, nil
	})
}

// Raise changes what a plan may spend from now on; what was used stays. It has its effect once,
// also where its answer was lost and the raise is asked for again.
func (b *PlanBudgets) Raise(ctx context.Context, plan string, r loop.Raise) error {
	name := rand.Text()
	return b.change(ctx, plan, func(have *budget) (*budget, error) {
		next := budget{}
		if have != nil {
			next = *have
		}
		if next.Raised != name {
			next.Limit, next.Raised = r.Over(next.Limit), name
		}
		return &next, nil
	})
}

// Forget removes a budget with what was used of it.
func (b *PlanBudgets) Forget(ctx context.Context, plan string) error {
	return b.change(ctx, plan, func(*budget) (*budget, error) { return nil, nil })
}

// Book is the budget of a plan at rest, of which a process that is gone has used what it held;
// nil is none.
func (b *PlanBudgets) Book(ctx context.Context, plan string) (*money.Book, error) {
	have, err := b.read(ctx, plan)
	if err != nil || have == nil {
		return nil, err
	}
	for _, s := range have.Held {
		have.ChargeCutOff(s.Reservation, b.Now().UTC().Round(0))
	}
	return &have.Book, nil
}

// SetBook replaces the budget of a plan at rest; nil is none.
func (b *PlanBudgets) SetBook(ctx context.Context, plan string, book *money.Book) error {
	return b.change(ctx, plan, func(*budget) (*budget, error) {
		if book == nil {
			return nil, nil
		}
		return &budget{Book: *book}, nil
	})
}
