package planner

import (
	"context"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// sleeper is a loop, or a child plan, that has begun and does not get on by
// itself. Task is empty for the loop that proves the whole plan.
type sleeper struct {
	task, id string
	child    bool
	why      loop.Reason
}

func sleepersOf(s plan.State) []sleeper {
	var out []sleeper
	for _, t := range s.Tasks {
		if t.Rests != "" && t.Now() != "" && t.Rests != plan.ForPerson && t.Rests != plan.ForRoom {
			out = append(out, sleeper{t.ID, t.Now(), t.Child && t.Status == plan.Running, t.Rests})
		}
	}
	if s.FinalRests != "" {
		out = append(out, sleeper{"", s.Final, false, s.FinalRests})
	}
	return out
}

// wake takes up what rests and need not any more.
func (r *run) wake(ctx context.Context) error {
	if r.state.Status.Terminal() {
		return nil
	}
	for _, s := range sleepersOf(r.state) {
		goes, err := r.goesOn(ctx, s)
		if err != nil {
			return err
		}
		if goes {
			taken := plan.Taken{Stamp: r.stamp(), Task: s.task}
			if !s.child {
				taken.Settled = r.settledOf(ctx, s.id)
			}
			if err := r.apply(ctx, taken); err != nil {
				return err
			}
		}
	}
	return nil
}

// goesOn: its question was answered, somebody went on with it, or it has ended.
func (p *Planner) goesOn(ctx context.Context, s sleeper) (bool, error) {
	if s.child {
		return p.childGoesOn(ctx, s.id)
	}
	l, err := p.Engine.Show(ctx, s.id)
	answered := s.why == loop.ForHuman && l.State.Open() == nil
	return err == nil && (answered || l.Live || l.State.Status.Terminal()), err
}

// settledOf is the last question of a loop where nobody answered that, or nil.
func (r *run) settledOf(ctx context.Context, id string) *loop.Question {
	l, err := r.Engine.Show(ctx, id)
	if err != nil || len(l.State.Questions) == 0 {
		return nil // what was decided goes on, told or not
	}
	if q := l.State.Questions[len(l.State.Questions)-1]; q.NobodyAnswered() {
		return &q
	}
	return nil
}
