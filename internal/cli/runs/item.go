package runs

import (
	"context"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/view"
)

// Items are loops as every front end shows them, and as accept looks at them: with what their
// records do not hold, such as their budgets and the active loops that declare the same files.
func Items(ctx context.Context, p *project.Project, loops []engine.Loop) ([]view.Item, error) {
	items := make([]view.Item, len(loops))
	var active []loop.State
	for i, l := range loops {
		items[i] = project.Item(l)
		items[i].Facts.Budgets = p.BudgetsOf(ctx, l.State.ID)
		if len(l.State.Task.Scope) == 0 || l.State.Status.Terminal() {
			continue
		}
		if active == nil {
			all, err := p.Loops.List(ctx, engine.Filter{Active: true})
			if err != nil {
				return nil, err
			}
			active = project.States(all)
		}
		items[i].Facts.Overlaps = view.OverlapsOf(l.State, active)
	}
	return items, nil
}

// LoopItem is Items of one loop.
func LoopItem(ctx context.Context, p *project.Project, l engine.Loop) (view.Item, error) {
	items, err := Items(ctx, p, []engine.Loop{l})
	if err != nil {
		return view.Item{}, err
	}
	return items[0], nil
}
