package review

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"ralph/internal/agent"
	"ralph/internal/review/ballot"
)

// askAll asks the reviewers, and counts their votes.
func (r Request) askAll(ctx context.Context) (Outcome, error) {
	if len(r.Reviewers) == 0 {
		return Outcome{}, errors.New("review: there is no reviewer")
	}
	r.Desk.OnEvent, r.Desk.Tree = oneAtATime(r.Desk.OnEvent), inTurns(r.Desk.Tree)
	var votes []ballot.Vote
	var err error
	if r.Kind.Alone() {
		votes, err = r.inTurn(ctx)
	} else {
		votes, err = r.together(ctx)
	}
	if err != nil {
		return Outcome{}, err
	}
	out := r.count(votes)
	if !out.Quorum && r.Fallback != nil {
		v, err := r.ask(ctx, *r.Fallback, len(r.Reviewers)+1)
		if err != nil {
			return Outcome{}, err
		}
		v.Fallback = true
		out = r.count(append(votes, v))
	}
	return out, nil
}

func (r Request) count(votes []ballot.Vote) Outcome {
	out := ballot.Count(r.Kind, r.Rule, votes)
	out.Resolved = r.Subject.named(out.Resolved)
	_, out.Unshown = r.Subject.fit(maxDiff)
	return out
}

// inTurn asks one after the other until one votes. An abstention is a vote: it
// does not ask on until one approves.
func (r Request) inTurn(ctx context.Context) ([]ballot.Vote, error) {
	var votes []ballot.Vote
	for i, v := range r.preferred() {
		vote, err := r.ask(ctx, v, i+1)
		if err != nil {
			return nil, err
		}
		votes = append(votes, vote)
		if vote.Vote.Said() {
			break
		}
	}
	return votes, nil
}

const defaultParallel = 3

// together asks all, some concurrently.
func (r Request) together(ctx context.Context) ([]ballot.Vote, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	votes, errs := make([]ballot.Vote, len(r.Reviewers)), make([]error, len(r.Reviewers))
	n := r.Desk.Parallel
	if n <= 0 {
		n = defaultParallel
	}
	places := make(chan struct{}, n)
	var all sync.WaitGroup
	for i, v := range r.Reviewers {
		all.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			if votes[i], errs[i] = r.ask(ctx, v, i+1); errs[i] != nil {
				cancel(fmt.Errorf("review: %w", errs[i]))
			}
		})
	}
	all.Wait()
	return votes, errors.Join(errs...)
}

func oneAtATime(f func(string, agent.Event)) func(string, agent.Event) {
	var mu sync.Mutex
	return func(who string, e agent.Event) {
		mu.Lock()
		defer mu.Unlock()
		if f != nil {
			f(who, e)
		}
	}
}

func inTurns(f func(context.Context, int) (string, error)) func(context.Context, int) (string, error) {
	if f == nil {
		return nil
	}
	var mu sync.Mutex
	return func(ctx context.Context, seat int) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		return f(ctx, seat)
	}
}
