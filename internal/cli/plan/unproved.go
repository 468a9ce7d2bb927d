package plan

import (
	"context"
	"fmt"
	"slices"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/planfile"
)

// unproved warns of open tasks that nothing could prove done: neither the plan, nor the
// task, nor ralph.yaml has a command, so that run demands --until. It is nil where
// something has, and outside of a repository.
func (a *Commands) unproved(ctx context.Context, pl plan.Plan) []planfile.Warning {
	n := 0
	for _, t := range pl.Wanted(nil) {
		if t.Kind != plan.KindText && len(t.Commands) == 0 {
			n++
		}
	}
	if n == 0 || len(pl.Commands) > 0 || a.configuredGate(ctx) {
		return nil
	}
	return []planfile.Warning{{Message: fmt.Sprintf("open tasks without a command that could prove them: %d; run it with --until \"COMMAND\", or write gates into ralph.yaml: ralph init", n)}}
}

// configuredGate reports whether ralph.yaml has a gate that every task must pass, or
// cannot be read: run names its mistakes.
func (a *Commands) configuredGate(ctx context.Context) bool {
	p, err := a.Locate(ctx)
	if err == nil {
		err = a.Configure(p)
	}
	if err != nil {
		return true
	}
	return slices.ContainsFunc(p.Settings.Gates(), func(g loop.Gate) bool { return g.Level != loop.Soft && !g.Optional })
}
