package cli

import (
	"context"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/report"
)

// drivePlan runs a plan in the foreground: a line for each step, the stops of a
// person, questions in place, one summary at the end.
func (a *app) drivePlan(ctx context.Context, p *project, events bool, start func(context.Context, engine.Drive) (plan.State, error)) error {
	screen := a.planScreen(events)
	asks := a.asks()
	drive := func(ctx context.Context, stops <-chan engine.Stop) engine.Drive {
		return engine.Drive{Watch: a.planUnleashed(ctx, p, screen), Stops: stops, Rests: asks}
	}
	return a.foreground(ctx, p, screen.screen, course{
		what: "plan",
		begin: func(ctx context.Context, stops <-chan engine.Stop) (loop.State, error) {
			s, err := start(ctx, drive(ctx, stops))
			return asLoop(s), err
		},
		stands: func(ctx context.Context, id string) (outlook, error) { return p.planStands(ctx, id) },
		goOn: func(ctx context.Context, id string, stops <-chan engine.Stop) (loop.State, error) {
			s, err := p.planner.Resume(ctx, id, engine.Options{}, drive(ctx, stops))
			return asLoop(s), err
		},
		alone: func(o outlook) bool {
			asks = false // what was left open once is put again at the end
			return !o.due.IsZero()
		},
		known: func(ctx context.Context, id string) error {
			_, err := p.planner.Show(ctx, id)
			return err
		},
		object: func(ctx context.Context, id string) error {
			l, err := p.planner.Show(ctx, id)
			if err != nil {
				return err
			}
			return a.planRun(ctx, p, l)
		},
		tell: func(ctx context.Context, id string) error { return a.planEnd(ctx, p, id) },
	})
}

// asLoop is what a plan's state has in common with a loop's. A plan is paused for
// a usage limit only where its rule is to pause: one that a person paused has no
// reason.
func asLoop(s plan.State) loop.State {
	l := loop.State{Spec: loop.Spec{ID: s.ID, Branch: s.Branch}, Status: s.Status, Reason: s.Reason}
	l.Agent.OnLimit = loop.LimitPause
	return l
}

// planCode is the exit code of how a plan stands.
func planCode(s plan.State) int { return codeOf(asLoop(s)) }

// planRun writes the ralph.planrun/v1 object of a plan.
func (a *app) planRun(ctx context.Context, p *project, l engine.Plan) error {
	return a.encode(report.PlanRunOf(l.State, p.wholeFacts(ctx, l)))
}

// planEnd says how the plan stands now.
func (a *app) planEnd(ctx context.Context, p *project, id string) error {
	l, err := p.planner.Show(ctx, id)
	if err != nil {
		return err
	}
	page := a.planReport(ctx, p, l)
	if a.json {
		return a.planRun(ctx, p, l)
	}
	a.say("\n%s", report.PlanEnd(l.State, p.wholeFacts(ctx, l), a.now(), a.palette(a.Err)))
	if page != "" {
		a.say("report: %s", page)
	}
	return nil
}

// planReport writes the report of a plan that has ended, or of which only
// questions are left: who reads it in the morning answers them. A disk that is full
// does not make a plan fail that passed: it is said.
func (a *app) planReport(ctx context.Context, p *project, l engine.Plan) string {
	if s := l.State; !s.Status.Terminal() && (s.Status != loop.Waiting || s.Reason != loop.ForHuman) {
		return ""
	}
	page, err := a.writeReports(ctx, p, l)
	if err != nil {
		a.say("note: the plan's report is not written: %v; ralph report %s shows it", err, l.State.ID)
	}
	return page
}

func planFacts(l engine.Plan) report.PlanFacts {
	return report.PlanFacts{Plan: l.Plan, Live: l.Live, Crashed: l.Crashed, Archived: l.Archived}
}

// planUnleashed lets a background run go when its plan is recorded.
func (a *app) planUnleashed(ctx context.Context, p *project, s *planScreen) func(engine.Update) {
	return func(u engine.Update) {
		if u.Plan == nil {
			s.loop(u)
			return
		}
		state, e := u.Plan.After, u.Plan.Event
		if _, ok := e.(plan.Opened); ok && a.leash != nil && !a.leash.Free() {
			log := engine.Layout{Dir: p.store.PlanDir(state.ID)}.RunLog()
			a.intoBackground(p, s.screen, state.ID, log, func() error {
				l, err := p.planner.Show(ctx, state.ID)
				if err != nil {
					return err
				}
				return a.planRun(ctx, p, l)
			})
		}
		s.event(state, e)
	}
}
