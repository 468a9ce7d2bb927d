package worker

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/review"
	"ralph/internal/review/ballot"
)

// tab refuses as often as it is told to, and remembers what was settled.
type tab struct {
	refuse  []money.Verdict
	wall    time.Duration
	settled []loop.AgentSpent
	cutOff  bool
	times   int
}

func (b *tab) ReserveReview(context.Context, engine.Reserve) (int64, time.Duration, error) {
	if len(b.refuse) > 0 {
		v := b.refuse[0]
		b.refuse = b.refuse[1:]
		return 0, 0, &money.RefusedError{Verdict: v, Part: "tokens"}
	}
	return 7, b.wall, nil
}

func (b *tab) Settle(ctx context.Context, review int64, all []loop.AgentSpent, cutOff bool) error {
	if review != 7 || ctx.Err() != nil {
		return errors.New("another review, or too late")
	}
	b.settled, b.cutOff, b.times = all, cutOff, b.times+1
	return nil
}

// asked is a review that answers with one vote.
func asked(_ context.Context, r review.Request) (review.Outcome, error) {
	vote := ballot.Vote{Reviewer: "judge", Use: "api", Model: "gpt-5", Tries: 1, Costly: 1}
	vote.Usage = loop.Usage{InputTokens: new(int64(1_000_000)), OutputTokens: new(int64(0))}
	return review.Outcome{Votes: []ballot.Vote{vote}, Reason: r.Desk.Timeout.Hard.String()}, nil
}

func TestPay(t *testing.T) {
	t.Parallel()
	w := &Worker{Now: time.Now, Prices: money.Builtin(nil)}
	request := review.Request{Desk: review.Desk{Timeout: loop.Deadline{Hard: time.Hour}}}

	b := &tab{wall: time.Minute}
	out, err := w.Pay(t.Context(), b, request, asked)
	if err != nil || out.Reason != "1m0s" {
		t.Errorf("it may take %s: %v", out.Reason, err)
	}
	want := []loop.AgentSpent{{Name: "judge", Use: "api", Model: "gpt-5", Review: true, Runs: 1, Usage: out.Usage}}
	if d := cmp.Diff(want, b.settled); d != "" || b.cutOff || *out.Usage.CostMicroUSD != 1_250_000 {
		t.Errorf("settled %t (-want +got):\n%s", b.cutOff, d)
	}

	b = &tab{refuse: []money.Verdict{money.Spent}}
	_, err = w.Pay(t.Context(), b, request, func(context.Context, review.Request) (review.Outcome, error) {
		t.Error("a reviewer was asked, and nothing is left")
		return review.Outcome{}, nil
	})
	if r, ok := errors.AsType[*money.RefusedError](err); !ok || r.Verdict != money.Spent || b.times != 0 {
		t.Errorf("spent: %v, settled %d times", err, b.times)
	}

	ctx, cancel := context.WithCancel(t.Context())
	b = &tab{}
	_, err = w.Pay(ctx, b, request, func(context.Context, review.Request) (review.Outcome, error) {
		cancel()
		return review.Outcome{}, context.Canceled
	})
	if !errors.Is(err, context.Canceled) || !b.cutOff || b.times != 1 {
		t.Errorf("cut off: %v, settled %d times", err, b.times)
	}
}

// TestPayWaits for what others have reserved, and no longer than it may.
func TestPayWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &Worker{Now: time.Now}
		b := &tab{refuse: []money.Verdict{money.Busy, money.Busy}}
		began := time.Now()
		if _, err := w.Pay(t.Context(), b, review.Request{}, asked); err != nil || b.times != 1 || time.Since(began) != 2*reserveEvery {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 3*reserveEvery/2)
		defer cancel()
		b = &tab{refuse: []money.Verdict{money.Busy, money.Busy, money.Busy}}
		if _, err := w.Pay(ctx, b, review.Request{}, asked); !errors.Is(err, context.DeadlineExceeded) || b.times != 0 {
			t.Errorf("left: %v, settled %d times", err, b.times)
		}
	})
}
