package foreground

import (
	"context"

	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/plan"
	"ralph/internal/view"
)

// planRun is a plan in the foreground.
type planRun struct {
	*Runner
	p *project.Project
}

// drivePlan runs a plan in the foreground: a line for each step, the stops of a
// person, questions in place, one summary at the end.
func (a *Runner) DrivePlan(ctx context.Context, p *project.Project, events bool, start func(context.Context, engine.Drive) (plan.State, error)) error {
	screen := a.planScreen(events)
	return a.foreground(ctx, p, &runHandle{
		runKind: planRun{a, p}, watch: a.planUnleashed(ctx, p, screen), screen: screen.Screen, asks: a.Asks(),
		start: func(ctx context.Context, d engine.Drive) (engine.Outcome, error) {
			s, err := start(ctx, d)
			return engine.PlanOutcome(s), err
		},
	})
}

func (planRun) name() string { return "plan" }

func (r planRun) resume(ctx context.Context, id string, d engine.Drive) (engine.Outcome, error) {
	s, err := r.p.Planner.Resume(ctx, id, engine.Options{}, d)
	return engine.PlanOutcome(s), err
}

func (r planRun) outcome(ctx context.Context, id string) (engine.Outcome, error) {
	l, err := r.p.Planner.Show(ctx, id)
	return engine.PlanOutcome(l.State), err
}

func (r planRun) status(ctx context.Context, id string) (runStatus, error) {
	return planStatus(ctx, r.p, id)
}

func (r planRun) object(ctx context.Context, id string) error {
	l, err := r.p.Planner.Show(ctx, id)
	if err != nil {
		return err
	}
	return r.WritePlan(ctx, r.p, l)
}

func (r planRun) report(ctx context.Context, id string) error { return r.ReportPlan(ctx, r.p, id) }

// planEnd says how the plan stands now.
func (a *Runner) ReportPlan(ctx context.Context, p *project.Project, id string) error {
	l, err := p.Planner.Show(ctx, id)
	if err != nil {
		return err
	}
	page := a.PlanReport(ctx, p, l)
	if a.JSON {
		return a.WritePlan(ctx, p, l)
	}
	a.Say("\n%s", view.PlanEnd(l.State, runs.PlanFacts(ctx, p, l), a.Now(), a.Palette(a.Err)))
	if page != "" {
		a.Say("report: %s", page)
	}
	return nil
}

// planUnleashed lets a background run go when its plan is recorded.
func (a *Runner) planUnleashed(ctx context.Context, p *project.Project, s *planScreen) func(engine.Update) {
	return func(u engine.Update) {
		if u.Plan == nil {
			s.loop(u)
			return
		}
		state, e := u.Plan.After, u.Plan.Event
		if _, ok := e.(plan.Opened); ok && a.Handoff != nil && !a.Handoff.Detached() {
			log := engine.Layout{Dir: p.Store.PlanDir(state.ID)}.RunLog()
			a.intoBackground(p, s.Screen, state.ID, log, func() error {
				l, err := p.Planner.Show(ctx, state.ID)
				if err != nil {
					return err
				}
				return a.WritePlan(ctx, p, l)
			})
		}
		s.event(state, e)
	}
}
