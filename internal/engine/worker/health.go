package worker

import (
	"context"
	"sync"
	"time"

	"ralph/internal/loop"
	"ralph/internal/review"
	"ralph/internal/store/limits"
)

// Accounts is the health of agents' accounts, which all loops of the machine
// share. The zero value knows none.
type Accounts struct {
	Book *limits.Book
	Warn func(error)
}

// Attend lets the reviewers of a run share that: one whose provider is known not to
// serve is not asked before it may, and what a reviewer meets is recorded. Errors of
// the record keep no reviewer from its work. force is set where a person wants them
// asked now.
func (w *Worker) Attend(d *review.Desk, run string, l loop.Limits, force bool) {
	book := w.Accounts.Book
	if book == nil {
		return
	}
	var first sync.Map // accounts that a reviewer tries before others do
	d.Ready = func(ctx context.Context, a loop.Agent) (until time.Time, why string) {
		account := w.Quota(a)
		answer, err := book.Ask(ctx, limits.Account(account), run, force)
		if err != nil {
			w.Accounts.Warn(err)
			return time.Time{}, ""
		}
		if answer.First {
			first.Store(account.Key, true)
		}
		return answer.Until, loop.Trouble(answer.Message, answer.Fix)
	}
	d.Ended = func(ctx context.Context, a loop.Agent, o loop.Outcome) {
		ctx, account := context.WithoutCancel(ctx), w.Quota(a)
		err := book.Note(ctx, account.Key, account.Label, o.Windows)
		if health := o.Unhealthy(); err == nil && health != "" {
			_, err = book.Told(ctx, limits.Account(account), run, limits.Trouble{
				Health: health, Reset: o.ResetAt, Message: o.Message, Fix: o.Fix, First: l.Probe(health, 0),
			})
		} else if _, tried := first.LoadAndDelete(account.Key); err == nil && tried && o.Served() && o.End != loop.EndInterrupted {
			err = book.Lift(ctx, limits.Account(account))
		}
		if err != nil {
			w.Accounts.Warn(err)
		}
	}
}
