package runs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
)

// EndLoop ends one loop and waits until its process has closed it. If that
// process releases it first, or dies, it is closed here.
func EndLoop(ctx context.Context, a *project.Opener, p *project.Project, id, reason string) (loop.State, error) {
	abort := engine.Command{Kind: engine.Abort, Text: reason, By: a.Owner()}
	s, err := p.Loops.Send(ctx, id, abort)
	for err == nil && !s.Status.Terminal() {
		if s, err = untilEnded(ctx, a, p, id); !errors.Is(err, errOwnerGone) {
			break
		}
		if s, err = p.Loops.Send(ctx, id, abort); errors.Is(err, engine.ErrEnded) {
			err = nil
		}
	}
	return s, err
}

// Ended describes a loop that has ended.
func Ended(s loop.State) string {
	if !s.Status.Terminal() {
		return s.ID + ": the abort is recorded; the next worker closes the loop"
	}
	out := fmt.Sprintf("%s is %s: %s", s.ID, s.Status, s.Message)
	if s.FailureRef != "" {
		out += "\nits work is kept on " + s.FailureRef
	}
	return out
}

// IDs returns the ids of loops.
func IDs(loops []engine.Loop) []string {
	out := make([]string, len(loops))
	for i, l := range loops {
		out[i] = l.State.ID
	}
	return out
}

// PlanIDs returns the ids of plans.
func PlanIDs(plans []engine.Plan) []string {
	out := make([]string, len(plans))
	for i, l := range plans {
		out[i] = l.State.ID
	}
	return out
}

var errOwnerGone = errors.New("the process that runs the loop ended before it had closed it")

// untilEnded waits until another process has closed a loop. An owner that
// stands still is named after a while, since only a person or a supervisor
// takes its loop away.
func untilEnded(ctx context.Context, a *project.Opener, p *project.Project, id string) (loop.State, error) {
	const patience = 5 * time.Second
	for asked, said := time.Now(), false; ; {
		l, err := p.Loops.Show(ctx, id)
		if err != nil || l.State.Status.Terminal() {
			return l.State, err
		}
		if a.TeamAddress != nil && l.Process == "" && time.Since(asked) > patience {
			return l.State, nil // it is recorded, and no worker is there
		}
		if !l.Live && a.TeamAddress == nil {
			return l.State, errOwnerGone
		}
		if !said && time.Since(asked) > patience {
			said = true
			a.Say("%s: waiting for its owner, %s, to close it; if it hangs: %s", id, l.Owner, next.Resume(id, "--take-over"))
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return l.State, context.Cause(ctx)
		}
	}
}
