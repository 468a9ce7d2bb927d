package watch

import (
	"context"
	"errors"
	"maps"
	"slices"

	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/tui"
	"ralph/internal/view"
)

// members are the loops of plans as they were read last, by their ids. The screen asks
// several times a second, and reads only those that changed.
type members map[string]member

type member struct {
	mark engine.Mark
	item view.Item
}

// plans are those of the screen, with their loops.
func (c *client) plans(ctx context.Context) ([]tui.Plan, error) {
	all, err := engine.Overview(ctx, c.place.Plans.List, engine.Filter{}, runs.MostPlans)
	if err != nil {
		return nil, err
	}
	out, read := make([]tui.Plan, len(all)), members{}
	for n, l := range all {
		loops, steps, err := c.loopsOf(ctx, l.State.ID, read)
		if err != nil {
			maps.Copy(read, c.members) // the next look continues from there
			c.members = read
			return nil, err
		}
		item, err := runs.PlanItem(ctx, c.place, l, runs.AtWork)
		if err != nil {
			return nil, err
		}
		item.Loops, item.Whole = loops, true // those that have not moved are not read again
		out[n] = tui.Plan{Item: item, Seq: l.Seq + steps}
	}
	c.members = read
	return out, nil
}

// loopsOf returns the loops of a plan, oldest first, and the number of their steps. It
// adds them to read.
func (c *client) loopsOf(ctx context.Context, plan string, read members) (out []view.Item, steps int64, err error) {
	marks, err := c.Marks(ctx, engine.Filter{Parent: plan, Archived: true})
	if err != nil {
		return nil, 0, err
	}
	for _, m := range slices.Backward(marks) {
		one, ok := c.members[m.ID]
		if !ok || one.mark != m || m.Unsteady {
			l, err := c.Loops.Show(ctx, m.ID)
			if errors.Is(err, engine.ErrNotFound) {
				continue // removed since
			}
			if err != nil {
				return nil, 0, err
			}
			items, err := runs.Items(ctx, c.place, []engine.Loop{l})
			if err != nil {
				return nil, 0, err
			}
			one = member{m, items[0]}
		}
		read[m.ID] = one
		out, steps = append(out, one.item), steps+m.Seq
	}
	return out, steps, nil
}
