package worker

import (
	"context"

	"ralph/internal/loop"
)

// runsTests reports whether one of the gates runs tests, or may: it starts a script or a program
// of the tree whose output tells of none, and no tool that only looks at sources.
func (r *proving) runsTests(ctx context.Context) (bool, error) {
	for _, g := range r.gates {
		with := loop.ResultOf(r.state.Last().Results, g.Name)
		if with == nil || with.Verdict != loop.Passed {
			continue
		}
		if with.Tests != nil {
			if with.Tests.Run > 0 {
				return true, nil
			}
			continue
		}
		duties, err := r.dutiesOf(ctx, r.state.Base, g)
		if err != nil || len(duties.Scripts) > 0 && !duties.Inspects {
			return err == nil, err
		}
	}
	return false, nil
}
