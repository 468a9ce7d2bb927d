package runs

import (
	"context"
	"slices"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/view"
)

// WriteLoop writes the ralph.loop/v1 object of a loop.
func WriteLoop(ctx context.Context, a *project.Opener, p *project.Project, id string) error {
	l, err := p.Loops.Show(ctx, id)
	if err != nil {
		return err
	}
	v, err := loopView(ctx, a, p, l)
	if err != nil {
		return err
	}
	return a.Encode(v.Object())
}

// loopView is what is shown of one loop.
func loopView(ctx context.Context, a *project.Opener, p *project.Project, l engine.Loop) (view.Loop, error) {
	item, err := LoopItem(ctx, p, l)
	if err != nil {
		return view.Loop{}, err
	}
	shown := []view.Item{item}
	view.OnFullDisk(shown, nil, a.FullDisk(p))
	return view.LoopOf(shown[0], a.Now()), nil
}

// WriteList writes the ralph.status/v1 object of some loops and plans.
func WriteList(ctx context.Context, a *project.Opener, p *project.Project, loops []string, plans ...string) error {
	ofLoops := make([]engine.Loop, len(loops))
	for i, id := range loops {
		var err error
		if ofLoops[i], err = p.Loops.Show(ctx, id); err != nil {
			return err
		}
	}
	items, err := Items(ctx, p, ofLoops)
	if err != nil {
		return err
	}
	ofPlans := make([]view.PlanItem, len(plans))
	for i, id := range plans {
		l, err := p.Plans.Show(ctx, id)
		if err == nil {
			ofPlans[i], err = PlanItem(ctx, p, l, AtWork)
		}
		if err != nil {
			return err
		}
	}
	return a.Encode(view.ListOf(items, ofPlans, a.Now()))
}

// WritePlan writes the ralph.planrun/v1 object of a plan.
func WritePlan(ctx context.Context, a *project.Opener, p *project.Project, l engine.Plan) error {
	item, err := PlanItem(ctx, p, l, Proving)
	if err != nil {
		return err
	}
	return a.Encode(view.PlanOf(item, a.Now()).Object)
}

// MostPlans are shown of those that have ended.
const MostPlans = 3

func Reversed(loops []engine.Loop) []engine.Loop {
	out := make([]engine.Loop, 0, len(loops))
	for _, l := range slices.Backward(loops) {
		out = append(out, l)
	}
	return out
}
