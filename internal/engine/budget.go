package engine

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"time"

	"ralph/internal/agent"
	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/review"
)

// Budgets is how an engine keeps budgets.
type Budgets interface {
	// SetBudget bounds what a loop, a plan or a session may spend from now on;
	// what was used stays used. A plan's budget is kept under the id that its
	// loops have as their Parent.
	SetBudget(ctx context.Context, level loop.BudgetLevel, id string, limit loop.Amounts) error
	// ForgetBudget removes one with what was used of it: what it was for begins
	// anew.
	ForgetBudget(ctx context.Context, level loop.BudgetLevel, id string) error
	// Budget is how one stands; false: there is none.
	Budget(ctx context.Context, level loop.BudgetLevel, id string) (money.Balance, bool, error)
	// Budgets are those that a loop is paid from.
	Budgets(ctx context.Context, id string) ([]money.Balance, error)
	// PlanSpent is what the reviews of a plan itself have cost, by reviewer. The
	// reviews that are gates of its tasks stand with their loops.
	PlanSpent(ctx context.Context, id string) ([]loop.AgentSpent, error)
}

// Bill fills in what reviewers cost who did not say, as far as the prices of
// their models are known.
func (w *Worker) Bill(out *review.Outcome) {
	out.Usage = loop.Usage{}
	for i := range out.Votes {
		v := &out.Votes[i]
		v.Usage = w.Priced(loop.Agent{}, v.Usage, v.Model)
		out.Usage = out.Usage.Add(v.Usage)
	}
}

// Bills are what each reviewer has used.
func Bills(out review.Outcome) (all []loop.AgentSpent) {
	for _, v := range out.Votes {
		if v.Costly == 0 && !v.Usage.Costs() {
			continue // it could not be had
		}
		unknown := v.Silent
		if v.Usage.CostMicroUSD == nil {
			unknown = v.Costly
		}
		all = append(all, loop.AgentSpent{
			Name: v.Reviewer, Use: v.Use, Model: v.Model, Review: true, Runs: v.Tries, Usage: v.Usage, CostUnknown: unknown,
		})
	}
	return all
}

// Consults reports whether the review would ask agents, which costs: a person's
// answer does not.
func (w *Worker) Consults(s loop.State, a loop.Action) bool {
	if a.Do != loop.DoReview || a.Gate.Kind != loop.KindReview || a.Gate.Review == nil || len(a.Gate.Review.Reviewers) == 0 {
		return false
	}
	_, answered := w.answered(s, a)
	return !answered
}

// LongestRun is how long a run without a deadline counts as under way.
const LongestRun = 24 * time.Hour

// Within is a deadline that ends no later than a budget of time does; 0 is no
// bound.
func Within(d loop.Deadline, wall time.Duration) loop.Deadline {
	if wall > 0 && (d.Hard == 0 || wall < d.Hard) {
		d.Hard = wall
	}
	return d
}

// Ledger is what a review is paid from that belongs to no loop. The lease of a plan
// is one.
type Ledger interface {
	// Hold reserves what reviewers may use until then, or refuses with a
	// *money.RefusedError; wall is how long they may take, 0 is no bound.
	Hold(ctx context.Context, s money.Session, until time.Time) (review int64, wall time.Duration, err error)
	// Settle replaces that by what they have used.
	Settle(ctx context.Context, review int64, all []loop.AgentSpent, cutOff bool) error
}

// Pay holds a review that is paid from a tab: ask is review.Magi or review.Ask.
// While others that are under way have reserved what is left it waits for them;
// where a budget is used up nobody is asked, and the error is a
// *money.RefusedError. Whatever became of the review, it is settled.
func (w *Worker) Pay(ctx context.Context, ledger Ledger, r review.Request, ask func(context.Context, review.Request) (review.Outcome, error)) (review.Outcome, error) {
	held, wall, err := w.reserve(ctx, ledger)
	if err != nil {
		return review.Outcome{}, err
	}
	r.Desk.Timeout = Within(r.Desk.Timeout, wall)
	out, err := ask(ctx, w.redacted(r))
	w.Bill(&out)
	return out, errors.Join(err, ledger.Settle(context.WithoutCancel(ctx), held, Bills(out), err != nil))
}

// reserveEvery is how often is looked whether a budget has room again.
const reserveEvery = time.Second

// reserve reserves, as soon as there is something left to reserve.
func (w *Worker) reserve(ctx context.Context, ledger Ledger) (held int64, wall time.Duration, err error) {
	look := time.NewTicker(reserveEvery)
	defer look.Stop()
	for {
		held, wall, err = ledger.Hold(ctx, w.Session, w.now().Add(LongestRun))
		refused, is := errors.AsType[*money.RefusedError](err)
		if !is || refused.Verdict != money.Busy {
			return held, wall, err
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return 0, 0, context.Cause(ctx)
		}
	}
}

// Priced fills in what a run cost where its agent did not say, as far as the
// model's price is known. What it said is judged here, for all drivers.
func (w *Worker) Priced(a loop.Agent, u loop.Usage, model string) loop.Usage {
	return w.Prices.Estimate(u.Sound(), cmp.Or(model, a.Model)).Sound()
}

// Quota is the account that a run of the agent would be counted against.
func (w *Worker) Quota(a loop.Agent) agent.Quota { return agent.QuotaOf(a, w.Env.Agent()) }

// UsedIn is what the newest run of an attempt said that it had used, and with
// which model, for a run whose end nobody saw. It is read from the events that
// were written on the way; what was not told by then stays unknown.
func (w *Worker) UsedIn(attempt int) (u loop.Usage, model string) {
	text, err := os.ReadFile(w.Files.Events(attempt))
	if err != nil {
		return u, ""
	}
	for line := range bytes.Lines(text) {
		if !bytes.Contains(line, []byte(`"usage"`)) && !bytes.Contains(line, []byte(`"model"`)) {
			continue
		}
		var e agent.Event
		if json.Unmarshal(line, &e) != nil {
			continue // torn by the end of its writer
		}
		if e.Usage != nil {
			u = *e.Usage
			if u == (loop.Usage{}) {
				model = "" // another run begins, perhaps of another agent
			}
		}
		if e.Kind == agent.Session && e.Model != "" {
			model = e.Model
		}
	}
	return u, model
}
