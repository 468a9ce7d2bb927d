package move

import (
	"context"
	"errors"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/engine/planner"
	"ralph/internal/loop"
	"ralph/internal/next"
)

// found is a run of this machine; an empty id is none.
type found struct {
	id   string
	plan bool
	// state is what of its state a move changes.
	state loop.Transit
	// worked: it has files of its attempts.
	worked bool
}

// find resolves a name, or the file of a plan, among the runs of this machine.
func (a *Commands) find(ctx context.Context, p *project.Project, name string) (found, error) {
	id, isPlan, err := runs.Here(p).Resolve(ctx, a.Opener, name)
	switch {
	case errors.Is(err, engine.ErrNotFound):
		return found{state: new(loop.State).Transit()}, nil
	case err != nil:
		return found{}, err
	case isPlan:
		r, err := p.Plans.Show(ctx, id)
		return found{id, true, r.State.Transit(), len(r.State.Loops())+len(r.State.Inner()) > 0}, err
	}
	l, err := p.Loops.Show(ctx, id)
	return found{id, false, l.State.Transit(), l.State.Iteration > 0}, err
}

// findThere resolves a name among the runs of the server.
func (a *Commands) findThere(ctx context.Context, peer *project.Peer, name string) (id string, plan bool, err error) {
	plans := func(ctx context.Context, name string) (string, error) {
		return planner.Find(ctx, peer.Plans.Server, name)
	}
	id, plan, err = runs.Names{Plans: plans, Loops: peer.Server.Resolve}.Resolve(ctx, a.Opener, name)
	if errors.Is(err, engine.ErrNotFound) {
		return "", false, exit.UsageError(next.At(peer.There, "ralph status --all")+" lists them", "there is no loop or plan %q on this machine or on %s", name, peer.There)
	}
	return id, plan, err
}

// elsewhere refuses a run that another server has, or is on its way there: between two
// servers it comes here.
func elsewhere(r request, here loop.Transit) error {
	if !r.out || r.id == "" {
		return nil
	}
	if from, known := recorded(here); known && (here.Away() || moving(here)) && !from.Same(loop.Home{Engine: r.server.String()}) {
		return exit.UsageError(next.Move(r.id, loop.Home{Engine: loop.LocalEngine})+"; then "+next.Move(r.id, loop.Home{Engine: r.server.String()}), "%s is on %s: between two servers it comes to this machine first", r.id, from)
	}
	return nil
}

func moving(t loop.Transit) bool {
	_, _, is := t.Moving()
	return is
}
