package planner

import (
	"context"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// sleeper is a loop that has begun and does not get on by itself. Task is empty
// for the one that proves the whole plan.
type sleeper struct {
	task, loop string
	why        loop.Reason
}

func (r *run) sleepers() []sleeper {
	var out []sleeper
	for i := range r.state.Tasks {
		if t := &r.state.Tasks[i]; t.Rests != "" && t.Now() != "" && t.Rests != plan.ForPerson {
			out = append(out, sleeper{t.ID, t.Now(), t.Rests})
		}
	}
	if r.state.FinalRests != "" {
		out = append(out, sleeper{"", r.state.Final, r.state.FinalRests})
	}
	return out
}

// wake takes up loops that rest and need not any more: their question was
// answered, somebody went on with them, or they have ended.
func (r *run) wake(ctx context.Context) error {
	if r.state.Status.Terminal() {
		return nil
	}
	for _, s := range r.sleepers() {
		l, err := r.Engine.Show(ctx, s.loop)
		if err != nil {
			return err
		}
		answered := s.why == loop.ForHuman && l.State.Open() == nil
		if answered || l.Live || l.State.Status.Terminal() {
			if err := r.apply(ctx, plan.Taken{Stamp: r.stamp(), Task: s.task}); err != nil {
				return err
			}
		}
	}
	return nil
}
