package runs

import (
	"context"
	"errors"
	"slices"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
)

// Wanted narrows the runs that a command without a name may be about.
type Wanted struct {
	// Loops leaves out plans. Ended falls back on the run that ended last where
	// none is active.
	Loops, Ended bool
	// Asking leaves out those without an open question.
	Asking bool
	// There, where set, refuses a run that was moved to another engine, or is being moved:
	// it returns the command to type there.
	There func(id string) string
}

// Find returns the run that a command is about: the named one, else the only
// active one, else a choice at a terminal, else an error that lists them (seed
// 001). A name is an id, a unique beginning of one, or the path of a plan's file.
func Find(ctx context.Context, a *project.Opener, p *project.Project, name string, w Wanted) (Run, error) {
	if name == "" {
		return unnamed(ctx, a, p, w)
	}
	id, isPlan, err := Here(p).Resolve(ctx, a, name)
	if errors.Is(err, engine.ErrNotFound) && strings.HasSuffix(name, ".md") {
		return nil, exit.UsageError("name the file of a plan, or an id of ralph status --all", "%s: no such file", name)
	}
	if errors.Is(err, engine.ErrNotFound) {
		return nil, exit.UsageError(nearID(name, known(ctx, p), "ralph status --all lists the loops and plans of this repository"), "there is no loop or plan %q", name)
	}
	if err != nil {
		return nil, err
	}
	a.About = id
	if isPlan {
		r, err := PlanByID(ctx, a, p, id)
		if pl, ok := r.(*Plan); ok && err == nil && w.There != nil {
			return r, moved(engine.PlanMovedOf(pl.Now.State), TopPlan(pl.Now), w.There(id))
		}
		return r, err
	}
	r, err := LoopByID(ctx, a, p, id)
	if l, ok := r.(*Loop); ok && err == nil && w.There != nil {
		return r, moved(engine.MovedOf(l.Now.State), topPlanOf(ctx, p, l.Now), w.There(id))
	}
	return r, err
}

// moved refuses a run that is kept elsewhere, and names the ways on: the command to type there,
// and those that move the plan with which it moves.
func moved(err error, with, there string) error {
	if moved, is := errors.AsType[*engine.MovedError](err); is {
		moved.With = with
		return exit.UsageError(moved.HintFor(there), "%v", err)
	}
	return err
}

// known are the ids of all runs, the newest first; what cannot be read is left out.
func known(ctx context.Context, p *project.Project) (ids []string) {
	plans, _ := p.Plans.Marks(ctx, engine.Filter{Archived: true})
	loops, _ := p.Loops.Marks(ctx, engine.Filter{Archived: true})
	for _, m := range slices.Concat(plans, loops) {
		ids = append(ids, m.ID)
	}
	return ids
}

func unnamed(ctx context.Context, a *project.Opener, p *project.Project, w Wanted) (Run, error) {
	loops, err := p.Loops.List(ctx, engine.Filter{Active: true})
	if err != nil {
		return nil, err
	}
	var plans []engine.Plan
	if !w.Loops {
		if plans, err = p.Plans.List(ctx, engine.Filter{Active: true}); err != nil {
			return nil, err
		}
		loops, plans = Apart(loops, plans), Topmost(plans)
	}
	if len(loops)+len(plans) == 0 {
		if !w.Ended {
			return nil, exit.UsageError("ralph status --all lists them; name one by its id", "nothing is active here")
		}
		return newest(ctx, a, p, w)
	}
	if w.Asking && len(loops)+len(plans) > 1 {
		if loops, plans, err = asking(ctx, a, p, loops, plans); err != nil {
			return nil, err
		}
		if len(loops)+len(plans) == 0 {
			return nil, exit.UsageError("ralph status shows what needs you", "no loop or plan here has an open question")
		}
	}
	id, err := a.Choose(ctx, project.Candidates(loops, plans))
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(plans, func(l engine.Plan) bool { return l.State.ID == id }); i >= 0 {
		return OfPlan(a, p, plans[i]), nil
	}
	i := slices.IndexFunc(loops, func(l engine.Loop) bool { return l.State.ID == id })
	return OfLoop(a, p, loops[i]), nil
}

// asking returns the loops and plans that have an open question.
func asking(ctx context.Context, a *project.Opener, p *project.Project, loops []engine.Loop, plans []engine.Plan) (l []engine.Loop, pl []engine.Plan, err error) {
	for _, one := range loops {
		asks, err := OfLoop(a, p, one).Questions(ctx)
		if err != nil {
			return nil, nil, err
		}
		if len(asks) > 0 {
			l = append(l, one)
		}
	}
	for _, one := range plans {
		asks, err := OfPlan(a, p, one).Questions(ctx)
		if err != nil {
			return nil, nil, err
		}
		if len(asks) > 0 {
			pl = append(pl, one)
		}
	}
	return l, pl, nil
}

// newest returns the run that ended last.
func newest(ctx context.Context, a *project.Opener, p *project.Project, w Wanted) (Run, error) {
	loops, err := p.Loops.List(ctx, engine.Filter{Ended: true, Limit: 1, Apart: !w.Loops})
	if err != nil {
		return nil, err
	}
	var plans []engine.Plan
	if !w.Loops {
		if plans, err = p.Plans.List(ctx, engine.Filter{Ended: true, Limit: 1}); err != nil {
			return nil, err
		}
	}
	switch {
	case len(loops)+len(plans) == 0:
		return nil, exit.UsageError("ralph status --all lists them; name one by its id", "nothing is active here")
	case len(plans) > 0 && (len(loops) == 0 || plans[0].State.EndedAt.After(loops[0].State.EndedAt)):
		a.About = plans[0].State.ID
		return OfPlan(a, p, plans[0]), nil
	}
	a.About = loops[0].State.ID
	return OfLoop(a, p, loops[0]), nil
}

// TopPlan is the plan that a person runs: the outermost of those in whose tasks'
// place this one is run, or itself.
func TopPlan(l engine.Plan) string {
	if all := l.Spec.Ancestors; len(all) > 0 {
		return all[0]
	}
	return l.State.ID
}

// topPlanOf is the plan with which a loop moves; "" where it is not one of a plan.
func topPlanOf(ctx context.Context, p *project.Project, l engine.Loop) string {
	if l.State.Task.Plan == nil {
		return ""
	}
	if pl, err := p.Plans.Show(ctx, l.State.Parent); err == nil {
		return TopPlan(pl)
	}
	return l.State.Parent
}

// Topmost leaves out the plans that run in a task's place of another.
func Topmost(plans []engine.Plan) []engine.Plan {
	inner := func(l engine.Plan) bool {
		return slices.ContainsFunc(plans, func(p engine.Plan) bool { return slices.Contains(l.Spec.Ancestors, p.State.ID) })
	}
	return slices.DeleteFunc(slices.Clone(plans), inner)
}

// Apart leaves out the loops of plans: their plans resume those.
func Apart(loops []engine.Loop, plans []engine.Plan) []engine.Loop {
	return slices.DeleteFunc(loops, func(l engine.Loop) bool {
		return l.State.Task.Plan != nil && slices.ContainsFunc(plans, func(p engine.Plan) bool { return p.State.ID == l.State.Parent })
	})
}
