package cli

import (
	"context"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/view"
)

// sayBeside warns of what a loop is about to begin beside: loops that declare
// the same files, and more of them than is good (seed 001). What is refused
// anyway is not warned of.
func (a *app) sayBeside(ctx context.Context, p *project.Project, spec loop.Spec, force bool) error {
	active, err := p.Engine.List(ctx, engine.Filter{Active: true})
	if err != nil {
		return err
	}
	beside := states(holding(active))
	n := len(beside) + 1
	if n > p.Settings.MaxLoops() && !force {
		return nil
	}
	for _, o := range view.OverlapsOf(loop.State{Spec: spec}, beside) {
		a.Say("warning: %s", o.Words())
	}
	switch band := loop.BandOf(n); {
	case band.To == 0:
		a.Say("WARNING: %s\n  try: ralph advise", loop.Coordination(n))
	case n > loop.BandOf(4).To:
		a.Say("warning: %s", loop.Coordination(n))
	}
	return nil
}

// items are loops as lists show them, each with the active loops that declare
// the same files.
func (a *app) items(ctx context.Context, p *project.Project, loops []engine.Loop) ([]view.Item, error) {
	items := make([]view.Item, len(loops))
	var active []loop.State
	for i, l := range loops {
		items[i] = view.Item{State: l.State, Facts: project.Facts(l)}
		items[i].Facts.Budgets = p.BudgetsOf(ctx, l.State.ID)
		if len(l.State.Task.Scope) == 0 || l.State.Status.Terminal() {
			continue
		}
		if active == nil {
			all, err := p.Engine.List(ctx, engine.Filter{Active: true})
			if err != nil {
				return nil, err
			}
			active = states(all)
		}
		items[i].Facts.Overlaps = view.OverlapsOf(l.State, active)
	}
	return items, nil
}
