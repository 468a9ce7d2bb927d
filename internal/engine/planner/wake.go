package planner

import (
	"context"
	"errors"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/store"
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

// goesOn: its question was answered, somebody went on with it, or it has ended. Who
// steers it holds it for a moment, and leaves it as it is.
func (p *Planner) goesOn(ctx context.Context, s sleeper) (bool, error) {
	if s.child {
		return p.childGoesOn(ctx, s.id)
	}
	l, err := p.Engine.Show(ctx, s.id)
	answered := s.why == loop.ForHuman && l.State.Open() == nil
	taken := l.Live && !resting(l.State.Status, l.State.Reason)
	return err == nil && (answered || taken || l.State.Status.Terminal()), err
}

// resting: a loop or a plan does not get on before a person does something.
func resting(s loop.Status, why loop.Reason) bool {
	return s == loop.Paused || s == loop.Waiting && why == loop.ForHuman
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

// wakeNow has everything tried at once that waits for a usage limit in a plan that
// somebody runs: its loops, its reviews, and those of the plans in its tasks'
// places. Where nothing does, it is only said that somebody runs it.
func (p *Planner) wakeNow(ctx context.Context, rec store.PlanRecord, c engine.Command) error {
	woken, err := p.wakeLoops(ctx, rec.State.ID, c)
	if err != nil {
		return err
	}
	if len(rec.State.ReviewHolds()) > 0 {
		if err := p.leave(ctx, rec.State.ID, c); err != nil {
			return err
		}
		woken = true
	}
	for _, t := range rec.State.Tasks {
		if !t.Child || t.Status != plan.Running {
			continue
		}
		child, err := p.Store.Plan(ctx, t.Loop)
		if err == nil && child.Live {
			err = p.wakeNow(ctx, child, c)
			woken = woken || err == nil
		}
		if err != nil && !over(situation(err)) && !errors.Is(err, engine.ErrRunning) {
			return err
		}
	}
	if !woken {
		return fmt.Errorf("%w, and nothing in it waits for a usage limit", engine.ErrRunning)
	}
	return nil
}

// wakeLoops tells the loops of a plan that wait for a usage limit.
func (p *Planner) wakeLoops(ctx context.Context, id string, c engine.Command) (woken bool, err error) {
	loops, err := p.Engine.List(ctx, engine.Filter{Active: true, Parent: id})
	if err != nil {
		return false, err
	}
	for _, l := range loops {
		if !l.Live || l.State.Status != loop.Waiting || l.State.Reason != loop.ForLimit {
			continue
		}
		if _, err := p.Engine.Send(ctx, l.State.ID, c); err != nil && !over(err) {
			return woken, err
		}
		woken = true
	}
	return woken, nil
}
