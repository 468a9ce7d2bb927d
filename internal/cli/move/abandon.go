package move

import (
	"context"
	"errors"
	"fmt"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
)

// abandon continues a run here whose server is lost. No server is asked.
func (a *Commands) abandon(ctx context.Context, p *project.Project, name string, r request, here found) error {
	if r.id == "" {
		return exit.UsageError("ralph status --all lists them", "there is no loop or plan %q on this machine, and --abandon-server continues what this machine has", name)
	}
	a.About = r.id
	m, err := a.Mover(p)
	if err != nil {
		return err
	}
	if here.state.Away() || moving(here.state) {
		m.There, _ = recorded(here.state)
		yes, err := a.Confirm(ctx, fmt.Sprintf("What was done of %s on %s since it moved there is not here: it is lost with that server, and where workers still reach it, both continue apart. Continue here from before the move?", r.id, m.There))
		if err != nil || !yes {
			return err
		}
	}
	done, err := carryOut(ctx, m, r)
	if err != nil {
		return refused(ctx, err, r, m.There)
	}
	return a.report(done, r, m.There)
}

// agreeToLose asks about what was done in the clone that is lost.
func (a *Commands) agreeToLose(ctx context.Context, peer *project.Peer, r request, _ found) (bool, error) {
	t, err := transitThere(ctx, peer, r)
	if errors.Is(err, engine.ErrNotFound) || err == nil && (t.Move == nil || t.Partial != nil) {
		return true, nil // there is nothing to lose: the move tells so
	}
	if err != nil {
		return false, err
	}
	return a.Confirm(ctx, fmt.Sprintf("What was done of %s in %s since it moved there is lost with that clone, and where that still runs, both continue apart. Continue on %s from before the move?", r.id, t.Move.To, peer.There))
}

func transitThere(ctx context.Context, peer *project.Peer, r request) (loop.Transit, error) {
	if r.plan {
		there, err := peer.Plans.Server.Read(ctx, r.id)
		return there.State.Transit(), err
	}
	there, err := peer.Server.Read(ctx, r.id)
	return there.State.Transit(), err
}

// lost adds to the error about a server that cannot be reached what to do where it is lost.
func lost(err error, r request, here found) error {
	e, is := errors.AsType[*exit.Error](err)
	if !is || e.Code != exit.Missing || r.out || !here.state.Away() && !moving(here.state) {
		return err
	}
	return &exit.Error{Code: e.Code, Err: e.Err, Hint: e.Hint + "; where it is lost for good, continue here from before the move: " + next.AbandonServer(r.id)}
}
