package stored

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/plan"
	"ralph/internal/shelf"
)

// PlanBudgets are the budgets of plans whose loops several machines run. Each plan has a
// shelf with one document: what was used, and what runs under way hold. A loop is paid from
// the budget of its plan and of the plans around that one:
//
//	reserve in each ▶ the start is recorded ▶ the agent runs ▶ settle in each ▶ the end is recorded
//
// A share is settled before the end of its run is recorded: what was used is used, also where
// the process dies between the two and the run is repeated. The share of a process that died
// is replaced by the next owner of its loop or plan. A nil *PlanBudgets has none.
type PlanBudgets struct {
	Shelf func(plan string) shelf.Shelf
	Loops engine.SharedLoops
	Plans engine.SharedPlans
	Now   func() time.Time
	// Patient: a server that does not answer is waited for, as workers do.
	Patient bool
}

// Above returns a plan and the plans around it, as of its request.
func (b *PlanBudgets) Above(ctx context.Context, id string) ([]string, error) {
	if b == nil || id == "" {
		return nil, nil
	}
	var r engine.Stored[plan.State]
	err := b.answered(ctx, func() (err error) {
		r, err = b.Plans.Read(ctx, id)
		return err
	})
	if errors.Is(err, engine.ErrNotFound) {
		return []string{id}, nil
	}
	if err != nil {
		return nil, err
	}
	spec, err := engine.ReadPlanSpec(id, r.Spec)
	if err != nil {
		return []string{id}, nil //nolint:nilerr // a damaged request is reported where it is used
	}
	return append([]string{id}, spec.Ancestors...), nil
}

// read returns the budget of a plan, nil where it has none.
func (b *PlanBudgets) read(ctx context.Context, plan string) (have *budget, err error) {
	err = b.answered(ctx, func() error {
		docs, err := b.Shelf(plan).Read(ctx)
		if err == nil {
			have, err = decodeBudget(docs[budgetKey].Data)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the budget of plan %s: %w", plan, err)
	}
	return have, nil
}

// Balances are those budgets of plans that exist.
func (b *PlanBudgets) Balances(ctx context.Context, plans []string) ([]money.Balance, error) {
	return b.balances(ctx, plans, "", "")
}

func (b *PlanBudgets) balances(ctx context.Context, plans []string, but, agent string) (out []money.Balance, err error) {
	for _, id := range plans {
		have, err := b.read(ctx, id)
		if err != nil {
			return nil, err
		}
		if have != nil {
			out = append(out, b.balance(ctx, id, *have, but, agent))
		}
	}
	return out, nil
}

// balance is how a budget stands for a run of the agent, beside what the holder has. Whether
// the other runs live is asked only where that changes something.
func (b *PlanBudgets) balance(ctx context.Context, plan string, d budget, but, agent string) money.Balance {
	var open, dead []money.Reservation
	standing := func() money.Balance {
		out := d.Balance(loop.PlanLevel, plan, b.Now(), open, dead)
		out.Dearest = d.Dearest[agent]
		for _, a := range d.Dearest {
			out.Anybody.MoneyMicroUSD, out.Anybody.Tokens = max(out.Anybody.MoneyMicroUSD, a.MoneyMicroUSD), max(out.Anybody.Tokens, a.Tokens)
		}
		return out
	}
	others := slices.DeleteFunc(slices.Clone(d.Held), func(s share) bool { return s.Name == but })
	for _, s := range others {
		open = append(open, s.Reservation)
	}
	now := standing()
	if _, verdict, _ := now.Ask(); verdict == money.Go && d.Limit.Wall == 0 {
		return now
	}
	open = nil
	for _, s := range others {
		if b.lives(ctx, s.holder) {
			open = append(open, s.Reservation)
		} else {
			dead = append(dead, s.Reservation)
		}
	}
	return standing()
}

// lives reports whether the holder of a share still works, or will be taken by a worker that
// replaces the share. Where that cannot be found out it counts as alive.
func (b *PlanBudgets) lives(ctx context.Context, h holder) bool {
	if h.Plan != "" {
		r, err := b.Plans.Read(ctx, h.Plan)
		return err == nil && r.Live && r.Epoch == h.Epoch || err != nil && !errors.Is(err, engine.ErrNotFound)
	}
	r, err := b.Loops.Read(ctx, h.Name)
	if err != nil {
		return !errors.Is(err, engine.ErrNotFound)
	}
	return r.Live || !r.State.Status.Terminal() && r.State.Status != loop.Paused
}

// afford refuses, with a *money.RefusedError, where the budgets cannot pay for one more run.
func (b *PlanBudgets) afford(ctx context.Context, h holder, plans []string, agent string, review bool) (all []money.Balance, err error) {
	if all, err = b.balances(ctx, plans, h.Name, agent); err == nil {
		_, err = money.AskAll(all, review)
	}
	return all, err
}

// reserve holds a share of the budget of every plan, or of none, and returns those that there
// are. A holder has one share: that of a run which it begins again is replaced.
func (b *PlanBudgets) reserve(ctx context.Context, h holder, plans []string, until time.Time, agent string, review bool) (paid []money.Balance, err error) {
	if all, err := b.afford(ctx, h, plans, agent, review); err != nil || len(all) == 0 {
		return nil, err
	}
	now := b.Now().UTC().Round(0)
	for i, id := range plans {
		var of []money.Balance
		err := b.change(ctx, id, func(have *budget) (*budget, error) {
			if of = nil; have == nil {
				return nil, nil
			}
			at := have.of(h)
			if at >= 0 && have.Held[at].Epoch > h.Epoch {
				return nil, fmt.Errorf("reserve for %s: %w", h.Name, engine.ErrFenced)
			}
			of = []money.Balance{b.balance(ctx, id, *have, h.Name, agent)}
			hold, err := money.AskAll(of, review)
			if err != nil {
				return nil, err
			}
			next := have.without(at)
			next.Held = append(next.Held, share{h, money.Reservation{Agent: agent, Held: hold[0], At: now, Until: until.UTC().Round(0)}})
			return &next, nil
		})
		if err != nil {
			return nil, errors.Join(err, b.drop(ctx, h, plans[:i]))
		}
		paid = append(paid, of...)
	}
	return paid, nil
}

// settle replaces the share of a holder by what its run used. One that is not there was settled
// already, or is that of a newer lease.
func (b *PlanBudgets) settle(ctx context.Context, h holder, plans []string, u money.Used) error {
	return b.replace(ctx, plans, func(s share) bool { return s.Name == h.Name && s.Epoch <= h.Epoch }, &u)
}

// settleCut charges the shares of reviews of a plan whose process is gone.
func (b *PlanBudgets) settleCut(ctx context.Context, plan string, epoch int64, plans []string) error {
	return b.replace(ctx, plans, func(s share) bool { return s.Plan == plan && s.Epoch < epoch }, &money.Used{Costly: true})
}

// drop removes the share of a run that did not begin.
func (b *PlanBudgets) drop(ctx context.Context, h holder, plans []string) error {
	return b.replace(ctx, plans, func(s share) bool { return s.holder == h }, nil)
}

// replace removes shares, and charges what was used, if anything.
func (b *PlanBudgets) replace(ctx context.Context, plans []string, which func(share) bool, u *money.Used) error {
	var errs []error
	for _, id := range plans {
		errs = append(errs, b.change(ctx, id, func(have *budget) (*budget, error) {
			if have == nil {
				return nil, nil
			}
			next := *have
			for at := next.first(which); at >= 0; at = next.first(which) {
				of := next.Held[at]
				if next = next.without(at); u != nil {
					next.Charge(of.Reservation, *u, b.Now().UTC().Round(0))
				}
			}
			return &next, nil
		}))
	}
	return errors.Join(errs...)
}

// change replaces the budget of a plan by what decide makes of it; nil is none.
func (b *PlanBudgets) change(ctx context.Context, plan string, decide func(*budget) (*budget, error)) error {
	err := b.answered(ctx, func() error {
		return shelf.Change(ctx, b.Shelf(plan), budgetKey, func(old []byte) ([]byte, error) {
			have, err := decodeBudget(old)
			if err != nil {
				return nil, err
			}
			next, err := decide(have)
			if err != nil || next == nil {
				return nil, err
			}
			return json.Marshal(next)
		})
	})
	if _, refused := errors.AsType[*money.RefusedError](err); refused || err == nil {
		return err
	}
	return fmt.Errorf("change the budget of plan %s: %w", plan, err)
}

// answered asks until the server answers.
func (b *PlanBudgets) answered(ctx context.Context, ask func() error) error {
	for {
		err := ask()
		if !b.Patient || !errors.Is(err, engine.ErrAway) {
			return err
		}
		select {
		case <-time.After(again):
		case <-ctx.Done():
			return err
		}
	}
}
