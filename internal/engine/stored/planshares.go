package stored

import (
	"context"
	"sync/atomic"
	"time"

	"ralph/internal/money"
)

// planShares pays for the runs under a lease from the budgets of a plan and of the plans around
// it. The zero value pays for all.
type planShares struct {
	budgets *PlanBudgets
	holder  holder
	plans   []string
	// clear: no share is held that the end of a run is to settle. A former owner may have
	// left one. free: the newest run found no budget; the next one asks again.
	clear, free atomic.Bool
}

// dropWait is how long a share of a run that did not begin is tried to be removed. One that
// stays is replaced by the next run.
const dropWait = 10 * time.Second

func (p *planShares) none() bool { return p.budgets == nil || len(p.plans) == 0 }

func (p *planShares) afford(ctx context.Context, agent string, review bool) error {
	if p.none() {
		return nil
	}
	_, err := p.budgets.afford(ctx, p.holder, p.plans, agent, review)
	return err
}

func (p *planShares) reserve(ctx context.Context, until time.Time, agent string, review bool) (time.Duration, error) {
	if p.none() {
		return 0, nil
	}
	paid, err := p.budgets.reserve(ctx, p.holder, p.plans, until, agent, review)
	if err == nil {
		p.clear.Store(len(paid) == 0)
		p.free.Store(len(paid) == 0)
	}
	return money.LeastTime(paid), err
}

func (p *planShares) settle(ctx context.Context, u money.Used) error {
	if p.none() || p.clear.Load() {
		return nil
	}
	err := p.budgets.settle(ctx, p.holder, p.plans, u)
	p.clear.Store(err == nil)
	return err
}

func (p *planShares) drop(ctx context.Context) error {
	if p.none() || p.clear.Load() {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dropWait)
	defer cancel()
	return p.budgets.drop(ctx, p.holder, p.plans)
}

func (p *planShares) balances(ctx context.Context) ([]money.Balance, error) {
	if p.none() || p.free.Load() {
		return nil, nil
	}
	return p.budgets.Balances(ctx, p.plans)
}

// shorter is the shorter of two bounds; 0 is none.
func shorter(a, b time.Duration) time.Duration {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
