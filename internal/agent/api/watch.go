package api

import (
	"context"
	"fmt"
	"time"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// stopError is why we ended a request.
type stopError struct{ verdict stream.Verdict }

func (e *stopError) Error() string { return e.verdict.Message }

// watched is a context that ends with the run's deadlines, with a silence that
// lasts too long, and when the run is killed. The function ends the watch.
func (c *call) watched(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	over := make(chan struct{})
	go func() {
		defer close(over)
		c.watch(ctx, cancel)
	}()
	return ctx, func() {
		cancel(context.Canceled)
		<-over
	}
}

func (c *call) watch(ctx context.Context, cancel context.CancelCauseFunc) {
	stop := func(end loop.End, format string, args ...any) {
		v := stream.Verdict{End: end, Message: fmt.Sprintf(format, args...)}
		if end == loop.EndTransient {
			v.Provider = loop.Down
		}
		cancel(&stopError{v})
	}
	p, limit := c.job.Patience, c.job.Timeout
	soft, hard, patience := after(limit.Soft), after(limit.Hard), p.Start
	silence := after(patience)
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.heard:
			patience = p.Stall
			silence = after(patience)
		case <-soft:
			if c.job.OnSoft != nil {
				c.job.OnSoft()
			}
		case <-hard:
			stop(loop.EndTimeout, "%s", agent.StoppedAfter(limit.Hard))
			return
		case <-silence:
			stop(loop.EndTransient, "the provider sent nothing for %s", patience)
			return
		case <-c.job.Kill:
			stop(loop.EndFailed, "killed")
			return
		}
	}
}

// after never comes for no time at all.
func after(d time.Duration) <-chan time.Time {
	if d <= 0 {
		return nil
	}
	return time.After(d)
}

// sign records progress of the provider.
func (c *call) sign() {
	select {
	case c.heard <- struct{}{}:
	default:
	}
}

func (c *call) alive(p []byte) (int, error) {
	c.sign()
	if c.job.Alive != nil {
		_, _ = c.job.Alive.Write(p) // a sign, not a record
	}
	if c.said.Len() > maxAnswer {
		return 0, fmt.Errorf("the answer is longer than %d MB", maxAnswer>>20)
	}
	return len(p), nil
}
