package runner

import (
	"context"
	"fmt"
	"time"

	"ralph/internal/agent"
	"ralph/internal/loop"
	"ralph/internal/quiet"
	"ralph/internal/store/limits"
)

// accounts is the health of a loop's accounts, which it shares with every other
// loop of the machine, and that of named accounts with those of its team. Errors
// of that store are reported, and keep no loop from running.
type accounts struct {
	book *limits.Book
	warn func(error)
	// account of the present agent; first: its provider did not serve, and this loop
	// tries it before the others do.
	account agent.Quota
	first   bool
	// shared: the trouble that is waited for stood in the store that all share, so
	// that it can be seen to be over.
	shared bool
}

// admit decides whether an agent may be started. False: an event was
// recorded that prevents it, or that chooses another agent.
func (r *Runner) admit(ctx context.Context) (bool, error) {
	force := r.state.TryNow
	if rests, err := r.restsForHours(ctx); rests || err != nil {
		return false, err
	}
	if r.accounts.book == nil {
		return true, nil
	}
	var soonest limits.Answer
	for i, a := range r.candidates(force) {
		account := r.Worker.Quota(a)
		answer, err := r.mayStart(ctx, account, force)
		if err != nil {
			r.accounts.warn(err)
			answer = limits.Answer{}
		}
		if answer.Until.IsZero() {
			return r.choose(ctx, a, account, answer.First)
		}
		r.accounts.shared = true
		if i == 0 || answer.Until.Before(soonest.Until) {
			soonest = answer
		}
	}
	return false, r.Commit(ctx, loop.Held{
		Stamp: r.stamp(), Reason: soonest.Reason(), Until: r.later(soonest.Until), Message: heldWords(soonest),
	})
}

// restsForHours holds the loop back where these are hours in which no attempt starts.
func (r *Runner) restsForHours(ctx context.Context) (bool, error) {
	if r.state.Limits.QuietHours == "" || r.state.TryNow {
		return false, nil
	}
	hours, err := quiet.Parse(r.state.Limits.QuietHours)
	if err != nil {
		return true, r.failed(ctx, done{err: fmt.Errorf("limits.quiet_hours: %w", err)})
	}
	now := r.Now().Local()
	until := hours.Until(now)
	if !until.After(now) {
		return false, nil
	}
	return true, r.Commit(ctx, loop.Held{
		Stamp: r.stamp(), Reason: loop.ForQuiet, Until: until.Round(0), Message: "no attempt starts during " + r.state.Limits.QuietHours,
	})
}

// mayStart asks whether a run of the account may begin: its provider serves, and
// less of its windows is used than the loop may use.
func (r *Runner) mayStart(ctx context.Context, account agent.Quota, force bool) (limits.Answer, error) {
	answer, err := r.accounts.book.Ask(ctx, limits.Account(account), r.state.ID, force)
	if err != nil || force || !answer.Until.IsZero() {
		return answer, err
	}
	kept, err := r.accounts.book.Spare(ctx, account.Key, r.state.Limits.Keep)
	if err != nil || !kept.Until.IsZero() {
		return kept, err
	}
	return answer, nil
}

// choose takes the agent whose account is free, and reports it if it is
// another.
func (r *Runner) choose(ctx context.Context, a loop.Agent, account agent.Quota, first bool) (bool, error) {
	r.accounts.account, r.accounts.first = account, first
	if a.Name == r.state.Agent.Name {
		return true, nil
	}
	return false, r.Commit(ctx, loop.Switched{Stamp: r.stamp(), Agent: a, Why: "the provider of " + r.state.Agent.Name + " does not serve, or did not"})
}

// candidates are the agents that may be started now, the best first. In the
// middle of an attempt that is the one that has begun it.
func (r *Runner) candidates(only bool) []loop.Agent {
	s := r.state
	if only || s.Agent.OnLimit != loop.LimitSwitch || len(s.Agents) < 2 {
		return []loop.Agent{s.Agent}
	}
	begun := s.Last() != nil && s.Last().Verdict == "" && s.Last().Runs > 0
	if !begun {
		return s.Agents
	}
	out := []loop.Agent{s.Agent}
	for _, a := range s.Agents {
		if a.Name != s.Agent.Name {
			out = append(out, a)
		}
	}
	return out
}

func heldWords(a limits.Answer) string {
	words := loop.Trouble(a.Message, a.Fix)
	if words == "" {
		words = "its provider did not serve another loop"
	}
	return words + " (" + a.Label + ")"
}

// later is t, or a moment from now if it has just passed.
func (r *Runner) later(t time.Time) time.Time {
	if now := r.Now(); !t.After(now) {
		return now.Add(time.Millisecond).Round(0)
	}
	return t
}

// publishHealth publishes the health of the account after a run of the agent, and notes
// in the outcome when the account is tried next.
func (r *Runner) publishHealth(ctx context.Context, o *loop.Outcome) {
	t := &r.accounts
	if t.book == nil || t.account.Key == "" {
		return
	}
	t.told(t.book.Note(context.WithoutCancel(ctx), t.account.Key, t.account.Label, o.Windows))
	health := o.Unhealthy()
	switch {
	case health != "":
		t.first = false
		known, err := t.book.Told(context.WithoutCancel(ctx), limits.Account(t.account), r.state.ID, limits.Trouble{
			Health: health, Reset: o.ResetAt, Message: o.Message, Fix: o.Fix, First: r.state.Limits.Probe(health, 0),
		})
		if err == nil {
			o.RetryAt = r.later(known.Until)
		}
		t.shared = err == nil
		t.told(err)
	case o.Served():
		r.lift(ctx)
	}
}

// lift publishes that an account works: this loop tried, and the model answered.
func (r *Runner) lift(ctx context.Context) {
	if t := &r.accounts; t.first {
		t.first = false
		t.told(t.book.Lift(context.WithoutCancel(ctx), limits.Account(t.account)))
	}
}

func (t *accounts) told(err error) {
	if err != nil {
		t.warn(err)
	}
}

// poll is when a loop that waits for its provider looks closer.
type poll struct {
	looks int
	mark  string
}

// due reports whether to look closer: at first, after a write of another
// process, and now and then.
func (l *poll) due(mark string) bool {
	l.looks++
	moved := mark != l.mark
	l.mark = mark
	return moved || l.looks%15 == 1
}

// overtaken reports whether a wait for a provider is over before its time: another
// loop has found that the account works again, or another agent may take over.
func (r *Runner) overtaken(ctx context.Context, l *poll) (bool, error) {
	if r.accounts.book == nil || r.state.Step != loop.StepAgent || !l.due(r.accounts.book.Mark(ctx)) {
		return false, nil
	}
	if switched, err := r.relieve(ctx); switched || err != nil {
		return switched, err
	}
	if !r.accounts.shared || !Serves(ctx, r.accounts.book, r.Worker, r.state) {
		return false, nil
	}
	return true, r.Commit(ctx, loop.Woke{Stamp: r.stamp()})
}

// Serves reports whether nothing is recorded any more against the account that a
// loop waits for: another loop found that it works. Where that cannot be found out,
// the wait has its own end; that of reviewers
// always has.
func Serves(ctx context.Context, book *limits.Book, w Worker, s loop.State) bool {
	if book == nil || !s.AwaitsProvider() || s.Step != loop.StepAgent {
		return false
	}
	account := w.Quota(s.Agent)
	known, err := book.Look(ctx, limits.Account(account))
	if err != nil || known != nil {
		return false
	}
	kept, err := book.Spare(ctx, account.Key, s.Limits.Keep)
	return err == nil && kept.Until.IsZero()
}

// relieve lets another of the loop's agents continue, if that is wanted and
// its account is free.
func (r *Runner) relieve(ctx context.Context) (bool, error) {
	if !r.state.AwaitsProvider() || r.state.Agent.OnLimit != loop.LimitSwitch {
		return false, nil
	}
	for _, a := range r.state.Agents {
		if a.Name == r.state.Agent.Name {
			continue
		}
		account := r.Worker.Quota(a)
		answer, err := r.mayStart(ctx, account, false)
		if err != nil {
			r.accounts.warn(err)
			return false, nil
		}
		if answer.Until.IsZero() {
			_, err := r.choose(ctx, a, account, answer.First)
			return true, err
		}
	}
	return false, nil
}
