package cli

import (
	"context"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/view"
)

// planRun is a plan in the foreground.
type planRun struct {
	*app
	p *project.Project
}

// drivePlan runs a plan in the foreground: a line for each step, the stops of a
// person, questions in place, one summary at the end.
func (a *app) drivePlan(ctx context.Context, p *project.Project, events bool, start func(context.Context, engine.Drive) (plan.State, error)) error {
	screen := a.planScreen(events)
	return a.foreground(ctx, p, &runHandle{
		runKind: planRun{a, p}, watch: a.planUnleashed(ctx, p, screen), screen: screen.screen, asks: a.Asks(),
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
	return r.planObject(ctx, r.p, l)
}

func (r planRun) report(ctx context.Context, id string) error { return r.planEnd(ctx, r.p, id) }

// planObject writes the ralph.planrun/v1 object of a plan.
func (a *app) planObject(ctx context.Context, p *project.Project, l engine.Plan) error {
	return a.Encode(view.PlanRunOf(l.State, wholeFacts(ctx, p, l)))
}

// planEnd says how the plan stands now.
func (a *app) planEnd(ctx context.Context, p *project.Project, id string) error {
	l, err := p.Planner.Show(ctx, id)
	if err != nil {
		return err
	}
	page := a.planReport(ctx, p, l)
	if a.JSON {
		return a.planObject(ctx, p, l)
	}
	a.Say("\n%s", view.PlanEnd(l.State, wholeFacts(ctx, p, l), a.Now(), a.Palette(a.Err)))
	if page != "" {
		a.Say("report: %s", page)
	}
	return nil
}

// planReport writes the report of a plan that has ended, or of which only
// questions are left: who reads it in the morning answers them. A disk that is full
// does not make a plan fail that passed: it is said.
func (a *app) planReport(ctx context.Context, p *project.Project, l engine.Plan) string {
	if s := l.State; !s.Status.Terminal() && (s.Status != loop.Waiting || s.Reason != loop.ForHuman) {
		return ""
	}
	page, err := a.writeReports(ctx, p, l)
	if err != nil {
		a.Say("note: the plan's report is not written: %v; ralph report %s shows it", err, l.State.ID)
	}
	return page
}

func planFacts(l engine.Plan) view.PlanFacts {
	return view.PlanFacts{Plan: l.Plan, Live: l.Live, Crashed: l.Crashed, Archived: l.Archived, Recovery: l.Recovery}
}

// planUnleashed lets a background run go when its plan is recorded.
func (a *app) planUnleashed(ctx context.Context, p *project.Project, s *planScreen) func(engine.Update) {
	return func(u engine.Update) {
		if u.Plan == nil {
			s.loop(u)
			return
		}
		state, e := u.Plan.After, u.Plan.Event
		if _, ok := e.(plan.Opened); ok && a.Handoff != nil && !a.Handoff.Detached() {
			log := engine.Layout{Dir: p.Store.PlanDir(state.ID)}.RunLog()
			a.intoBackground(p, s.screen, state.ID, log, func() error {
				l, err := p.Planner.Show(ctx, state.ID)
				if err != nil {
					return err
				}
				return a.planObject(ctx, p, l)
			})
		}
		s.event(state, e)
	}
}
