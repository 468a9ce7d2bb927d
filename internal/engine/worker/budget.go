package worker

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"time"

	"ralph/internal/agent"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/review"
)

// Bill fills in the cost of reviewers that reported none, as far as the
// prices of their models are known.
func (w *Worker) Bill(out *review.Outcome) {
	out.Usage = loop.Usage{}
	for i := range out.Votes {
		v := &out.Votes[i]
		v.Usage = w.Priced(loop.Agent{}, v.Usage, v.Model)
		out.Usage = out.Usage.Add(v.Usage)
	}
}

// bills returns the usage of each reviewer.
func bills(out review.Outcome) (all []loop.AgentSpent) {
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
// decision does not.
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

// Pay runs a review that is paid from a ledger: ask is review.Magi or
// review.Ask. While other reviews in progress have reserved the rest of the
// budget it waits for them; where a budget is used up no reviewer is asked, and
// the error is a *money.RefusedError. The reservation is settled in every case.
func (w *Worker) Pay(ctx context.Context, ledger engine.Ledger, r review.Request, ask func(context.Context, review.Request) (review.Outcome, error)) (review.Outcome, error) {
	held, wall, err := w.reserve(ctx, ledger)
	if err != nil {
		return review.Outcome{}, err
	}
	r.Desk.Timeout = Within(r.Desk.Timeout, wall)
	out, err := ask(ctx, w.redacted(r))
	w.Bill(&out)
	return out, errors.Join(err, ledger.Settle(context.WithoutCancel(ctx), held, bills(out), err != nil))
}

// reserveEvery is how often is looked whether a budget has room again.
const reserveEvery = time.Second

// reserve reserves, as soon as there is something left to reserve.
func (w *Worker) reserve(ctx context.Context, ledger engine.Ledger) (held int64, wall time.Duration, err error) {
	look := time.NewTicker(reserveEvery)
	defer look.Stop()
	for {
		held, wall, err = ledger.ReserveReview(ctx, engine.Reserve{Session: w.Session, Until: w.Now().Add(LongestRun)})
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

// Priced fills in the cost of a run whose agent reported none, as far as the
// model's price is known. The reported cost is checked here, for all
// drivers.
func (w *Worker) Priced(a loop.Agent, u loop.Usage, model string) loop.Usage {
	return w.Prices.Estimate(u.Sound(), cmp.Or(model, a.Model)).Sound()
}

// Quota is the account that a run of the agent would be counted against.
func (w *Worker) Quota(a loop.Agent) agent.Quota {
	return agent.QuotaOf(w.Drivers[a.Use], a, w.Env.Agent())
}

// UsedIn returns the usage and the model that the newest run of an attempt
// reported, for a run whose end was not recorded. It is read from the events
// written on the way; anything not reported by then stays unknown.
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
