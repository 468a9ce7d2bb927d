package move

import (
	"context"
	"errors"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
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

// named is the id of a plan whose file has a name, else the name.
func (a *Commands) named(name string) string {
	if path, err := launch.PlanPath(a.Opener, name); err == nil && path != "" {
		return planner.IDOf(path)
	}
	return name
}

// meansPlan reports whether a name that was resolved to a plan means it, and not the loop to
// which the name was resolved too: the ids of a plan's loops begin with that of the plan.
func meansPlan(name, ofLoop string, noLoop error, ofPlan string) bool {
	return ofLoop != name && (noLoop != nil || ofPlan == name || strings.HasPrefix(ofLoop, ofPlan))
}

// find resolves a name, or the file of a plan, among the runs of this machine.
func (a *Commands) find(ctx context.Context, p *project.Project, name string) (found, error) {
	name = a.named(name)
	id, err := p.Loops.Find(ctx, name)
	ofPlan, noPlan := p.Plans.Find(ctx, name)
	if noPlan == nil && meansPlan(name, id, err, ofPlan) {
		r, err := p.Plans.Show(ctx, ofPlan)
		return found{ofPlan, true, r.State.Transit(), len(r.State.Loops()) > 0}, err
	}
	switch {
	case errors.Is(err, engine.ErrNotFound):
		return found{state: new(loop.State).Transit()}, nil
	case err != nil:
		return found{}, err
	}
	l, err := p.Loops.Show(ctx, id)
	return found{id, false, l.State.Transit(), l.State.Iteration > 0}, err
}

// findThere resolves a name among the runs of the server.
func (a *Commands) findThere(ctx context.Context, peer *project.Peer, name string) (id string, plan bool, err error) {
	name = a.named(name)
	id, err = peer.Server.Resolve(ctx, name)
	ofPlan, noPlan := peer.Plans.There.Resolve(ctx, name)
	if noPlan == nil && meansPlan(name, id, err, ofPlan) {
		return ofPlan, true, nil
	}
	if errors.Is(err, engine.ErrNotFound) {
		return "", false, exit.UsageError(next.At(peer.There, "ralph status --all")+" lists them", "there is no loop or plan %q on this machine or on %s", name, peer.There)
	}
	return id, false, err
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
