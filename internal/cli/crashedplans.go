package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/recovery"
	"ralph/internal/view"
)

// crashedPlans are those that somebody should be running, and nobody does. Their
// loops go on with them.
func crashedPlans(ctx context.Context, p *project) ([]engine.Plan, error) {
	all, err := p.planner.List(ctx, engine.Filter{Active: true})
	return slices.DeleteFunc(all, func(l engine.Plan) bool { return !l.Crashed }), err
}

// orphanedPlans are those that somebody should be running now: the ones that crashed,
// and those that nobody runs and in which the time for an answer is over. While a
// terminal asks, that goes on with them; one that a person wants to rest is left.
func (a *app) orphanedPlans(ctx context.Context, p *project) ([]engine.Plan, error) {
	all, err := p.planner.List(ctx, engine.Filter{Active: true})
	return slices.DeleteFunc(all, func(l engine.Plan) bool {
		switch {
		case l.State.PauseAsked:
			return true
		case l.Crashed:
			return false
		case l.Live || l.State.Status != loop.Waiting || p.store.Prompted(l.State.ID):
			return true
		}
		asks, err := p.asksOfPlan(ctx, l.State) // what cannot be read now is seen next time
		return err != nil || !slices.ContainsFunc(asks, func(q asking) bool { return q.overdue(a.Now()) })
	}), err
}

// notOf leaves out the loops of plans: those are taken up by their plans.
func notOf(loops []engine.Loop, plans []engine.Plan) []engine.Loop {
	return slices.DeleteFunc(loops, func(l engine.Loop) bool {
		return l.State.Task.Plan != nil && slices.ContainsFunc(plans, func(p engine.Plan) bool { return p.State.ID == l.State.Parent })
	})
}

// resumePlans takes crashed plans up: one here where there is nothing else, more
// in the background. It answers false where loops are left to take up.
func (a *app) resumePlans(ctx context.Context, p *project, plans []engine.Plan, loops int, f resumeFlags) (done bool, err error) {
	if len(plans) == 1 && loops == 0 {
		return true, a.resumePlan(ctx, p, plans[0].State.ID, f)
	}
	for _, l := range plans {
		err = errors.Join(err, a.sent(l.State.ID, a.resumeElsewhere(ctx, p, l.State.ID)))
	}
	return loops == 0 && len(plans) > 0, err
}

// planWatch is what a supervisor knows of a plan that crashed.
type planWatch struct {
	seq   int64
	tries int
	next  time.Time
	left  bool
}

// watchPlans takes up forsaken plans until ctx ends, as loops are: after a wait
// that doubles, and not again and again without getting on.
func (s *served) watchPlans(ctx context.Context, own *app, p *project, policy recovery.Policy) {
	tick := time.NewTicker(s.every)
	defer tick.Stop()
	known := map[string]*planWatch{}
	for {
		plans, err := own.orphanedPlans(ctx, p)
		if err != nil && ctx.Err() == nil {
			s.note(p, "look after plans: "+err.Error())
		}
		for _, l := range plans {
			w := known[l.State.ID]
			if w == nil || l.Seq > w.seq+1 {
				w = &planWatch{seq: l.Seq, next: s.Now()}
				known[l.State.ID] = w
			}
			s.lookAfter(ctx, own, p, l, w, policy)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

func (s *served) lookAfter(ctx context.Context, own *app, p *project, l engine.Plan, w *planWatch, policy recovery.Policy) {
	switch {
	case w.left || s.Now().Before(w.next):
		return
	case w.tries >= policy.Max:
		w.left = true
		s.plan(p, l, "left", fmt.Sprintf("taken up %d times without getting on; ralph resume %s", w.tries, l.State.ID))
		return
	}
	w.seq = l.Seq
	w.next = s.Now().Add(policy.BackOff << min(w.tries, 6))
	w.tries++
	if err := own.resumeElsewhere(ctx, p, l.State.ID); err != nil {
		s.plan(p, l, "rescue_failed", err.Error())
		return
	}
	s.plan(p, l, "rescued", "the plan goes on")
}

func (s *served) plan(p *project, l engine.Plan, event, detail string) {
	s.print.Lock()
	defer s.print.Unlock()
	s.line(view.Served{At: s.Now(), Repository: p.root(), LoopID: l.State.ID, Event: event, Detail: detail})
}
