package cli

import (
	"context"
	"errors"
	"time"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/view"
)

// loopObject writes the ralph.loop/v1 object of a loop.
func (a *app) loopObject(ctx context.Context, p *project.Project, id string) error {
	l, err := p.Engine.Show(ctx, id)
	if err != nil {
		return err
	}
	items, err := a.items(ctx, p, []engine.Loop{l})
	if err != nil {
		return err
	}
	return a.Encode(view.Of(l.State, items[0].Facts))
}

// listObject writes the ralph.status/v1 object of some loops.
func (a *app) listObject(ctx context.Context, p *project.Project, ids []string) error {
	items := make([]view.Item, len(ids))
	for i, id := range ids {
		l, err := p.Engine.Show(ctx, id)
		if err != nil {
			return err
		}
		items[i] = view.Item{State: l.State, Facts: project.Facts(l)}
	}
	return a.Encode(view.ListOf(items))
}

var errOwnerGone = errors.New("the process that runs the loop ended before it had closed it")

// untilEnded waits until another process has closed a loop. An owner that
// stands still is named after a while, since only a person or a supervisor
// takes its loop away.
func (a *app) untilEnded(ctx context.Context, p *project.Project, id string) (loop.State, error) {
	const patience = 5 * time.Second
	for asked, said := time.Now(), false; ; {
		l, err := p.Engine.Show(ctx, id)
		if err != nil || l.State.Status.Terminal() {
			return l.State, err
		}
		if !l.Live {
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
