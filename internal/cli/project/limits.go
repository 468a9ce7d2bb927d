package project

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"slices"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/store/limits"
)

// sessionVariable hands the session of a supervisor to the loops that it has
// others run, so that all of them share its budget.
const sessionVariable = "RALPH_PURSE"

// sessionBudget returns what this process may spend.
func (a *Opener) sessionBudget(p *Project) money.Session {
	s := money.Session{ID: a.Getenv(sessionVariable)}
	if loop.ValidID(s.ID) != nil {
		b := make([]byte, 8)
		_, _ = rand.Read(b)
		s.ID = "s-" + hex.EncodeToString(b)
		a.Env = append(slices.Clip(a.Env), sessionVariable+"="+s.ID)
	}
	if p.Settings != nil {
		s.Budget = p.Settings.BudgetOf(loop.SessionLevel)
	}
	return s
}

// LimitsBook returns the record of usage limits that all loops of the user share.
func (a *Opener) LimitsBook(reading bool) *limits.Book {
	return limits.New(a.limitsDir(), a.Now, reading)
}

// warnLimits prints once that usage limits cannot be shared; loops continue.
func (a *Opener) warnLimits() func(error) {
	said := false
	return func(err error) {
		if !said {
			said = true
			a.Say("! usage limits are not shared with other loops: %v", err)
		}
	}
}

// BudgetsOf are the budgets that a loop is paid from. What cannot be read is
// left out: it explains, and decides nothing here.
func (p *Project) BudgetsOf(ctx context.Context, id string) []money.Balance {
	all, err := p.Loops.Budgets(ctx, id)
	if err != nil {
		return nil
	}
	return all
}
