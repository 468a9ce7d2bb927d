package project

import (
	"context"

	"ralph/internal/loop"
	"ralph/internal/store/limits"
	"ralph/internal/text"
	"ralph/internal/view"
)

// Accounts is what is known of the agents' accounts, which all repositories of the user
// share: the trouble in force, and the use of their windows.
func (a *Opener) Accounts(ctx context.Context) ([]view.Account, error) {
	book := a.LimitsBook(true)
	defer book.Close()
	known, err := book.List(ctx)
	if err != nil {
		return nil, err
	}
	windows, err := book.Windows(ctx)
	if err != nil {
		return nil, err
	}
	var out []view.Account
	place := map[string]int{}
	at := func(account, label string) *view.Account {
		n, found := place[account]
		if !found {
			n = len(out)
			place[account] = n
			out = append(out, view.Account{Label: text.Line(label)})
		}
		return &out[n]
	}
	for _, k := range known {
		if a.Now().Before(k.Until) { // else it is over, as far as is known
			one := at(k.Account, k.Label)
			one.Trouble, one.Message, one.Fix, one.Until = HealthWords(k), text.Line(k.Message), text.Line(k.Fix), k.Until
		}
	}
	for _, w := range windows {
		one := at(w.Account, w.Label)
		one.Windows = append(one.Windows, view.Window{Name: limits.WindowName(w.Name), Used: w.Used, ResetsAt: w.ResetsAt})
	}
	return out, nil
}

// RefreshAccounts copies what the team of a worker knows of named accounts.
func (p *Project) RefreshAccounts(ctx context.Context) { p.limits.Refresh(ctx) }

// HealthWords describe the trouble with an account, up to the time that follows.
func HealthWords(k limits.Known) string {
	switch {
	case k.Health == loop.Throttled:
		return "its provider throttles; next try"
	case k.Health == loop.Down:
		return "its provider is down; next try"
	case k.Health == loop.NoLogin:
		return "its login is refused; next try"
	case k.Told:
		return "spent until"
	}
	return "it is tried again at"
}
