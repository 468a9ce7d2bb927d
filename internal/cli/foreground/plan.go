package foreground

import (
	"context"

	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/plan"
)

// DrivePlan runs a plan in the foreground: a line for each step, the stops of a
// person, questions in place, one summary at the end.
func (a *Runner) DrivePlan(ctx context.Context, p *project.Project, events bool, start func(context.Context, engine.Drive) (plan.State, error)) error {
	screen := a.planScreen(events)
	return a.foreground(ctx, p, &foregroundRun{
		kind: "plan", place: a.place(), watch: a.planWatcher(ctx, p, screen), screen: screen.Screen, asks: a.Asks(),
		start: func(ctx context.Context, d engine.Drive) (engine.Outcome, error) {
			s, err := start(ctx, d)
			return engine.PlanOutcome(s), err
		},
		read: func(ctx context.Context, id string) (runs.Run, error) { return runs.PlanByID(ctx, a.Opener, p, id) },
	})
}

// planWatcher shows the events of a plan. A run for the background leaves the terminal once
// its plan is recorded.
func (a *Runner) planWatcher(ctx context.Context, p *project.Project, s *planScreen) func(engine.Update) {
	return func(u engine.Update) {
		if u.Plan == nil {
			s.loop(u)
			return
		}
		state, e := u.Plan.After, u.Plan.Event
		if _, ok := e.(plan.Opened); ok && a.Handoff != nil && !a.Handoff.Detached() {
			log := engine.Layout{Dir: p.Store.Plans().Dir(state.ID)}.RunLog()
			a.intoBackground(p, s.Screen, state.ID, log, func() error {
				l, err := p.Plans.Show(ctx, state.ID)
				if err != nil {
					return err
				}
				return runs.WritePlan(ctx, a.Opener, p, l)
			})
		}
		s.event(state, e)
	}
}
