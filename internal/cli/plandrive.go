package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/report"
)

// drivePlan runs a plan in the foreground: a line for each step, the stops of a
// person, questions in place, one summary at the end.
func (a *app) drivePlan(ctx context.Context, p *project, events bool, start func(context.Context, engine.PlanDrive) (plan.State, error)) error {
	if err := a.held(); err != nil {
		return err
	}
	ctx, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	stops, signalled := a.listen(leave)
	defer signalled.forget()
	screen := a.planScreen(events)
	drive := engine.PlanDrive{Watch: a.planUnleashed(p, screen.event), Loop: screen.loop, Stops: stops}
	state, err := start(ctx, drive)
	for err == nil && state.Status == loop.Waiting && a.asks() && !signalled.any() {
		if err = a.answerPlan(ctx, p, state); err == nil {
			state, err = p.planner.ResumePlan(ctx, state.ID, engine.PlanOptions{}, drive)
		}
	}
	if errors.Is(err, errLeft) {
		a.say("%s: %v; go on with ralph resume %s", state.ID, err, state.ID)
		return ends(exitTerminated)
	}
	if err != nil {
		f := *classify(err)
		if state.ID != "" && (f.hint == "" || f.code == exitInternal) {
			f.hint = "what was recorded is safe; go on with ralph resume " + state.ID
		}
		return &f
	}
	if err := a.planEnd(ctx, p, state.ID); err != nil {
		return err
	}
	switch {
	case signalled.terminated && !state.Status.Terminal():
		return ends(exitTerminated)
	case signalled.any() && !state.Status.Terminal():
		return ends(exitInterrupted)
	}
	return ends(planCode(state))
}

// planCode is the exit code of how a plan stands.
func planCode(s plan.State) int {
	return codeOf(loop.State{Status: s.Status, Reason: s.Reason})
}

// planEnd says how the plan stands now.
func (a *app) planEnd(ctx context.Context, p *project, id string) error {
	l, err := p.planner.ShowPlan(ctx, id)
	if err != nil {
		return err
	}
	page := a.planReport(ctx, p, l)
	if a.json {
		return a.encode(report.PlanRunOf(l.State, p.wholeFacts(ctx, l)))
	}
	a.say("\n%s", report.PlanShow(l.State, p.wholeFacts(ctx, l), a.palette(a.Err)))
	if page != "" {
		a.say("report: %s", page)
	}
	return nil
}

// planReport writes the report of a plan that has ended. A disk that is full
// does not make a plan fail that passed: it is said.
func (a *app) planReport(ctx context.Context, p *project, l engine.Plan) string {
	if !l.State.Status.Terminal() {
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
func (a *app) planUnleashed(p *project, watch func(plan.State, plan.Event)) func(plan.State, plan.Event) {
	return func(s plan.State, e plan.Event) {
		if _, ok := e.(plan.Opened); ok && a.leash != nil && !a.leash.Free() {
			a.planIntoBackground(p, s.ID)
		}
		watch(s, e)
	}
}

// planIntoBackground tells the person what runs now, and leaves the terminal.
func (a *app) planIntoBackground(p *project, id string) {
	a.print(id)
	for _, next := range []string{"status", "logs -f", "wait", "abort"} {
		a.say("  ralph %s %s", next, id)
	}
	a.noteRepository(p)
	a.quiet, a.json = false, false
	if err := a.leash.LetGo(filepath.Join(p.store.PlanDir(id), "run.log")); err != nil {
		a.say("go on in the background: %v", err)
	}
}

// answerPlan asks the open questions at the terminal.
func (a *app) answerPlan(ctx context.Context, p *project, s plan.State) error {
	if q := s.OpenQuestion(); q != nil {
		text, err := a.putQuestion(ctx, s.ID, q.Question)
		if err != nil {
			return err
		}
		_, err = p.planner.SendPlan(ctx, s.ID, engine.Command{Kind: engine.Answer, Text: text, By: owner(a)})
		return err
	}
	for _, t := range s.Tasks {
		if t.Rests != loop.ForHuman {
			continue
		}
		l, err := p.engine.Show(ctx, t.Loop)
		if err != nil {
			return err
		}
		q := l.State.Open()
		if q == nil {
			continue
		}
		text, err := a.putQuestion(ctx, t.ID, *q)
		if err != nil {
			return err
		}
		if _, err := p.engine.Send(ctx, t.Loop, engine.Command{Kind: engine.Answer, Text: text, By: owner(a)}); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) putQuestion(ctx context.Context, who string, q loop.Question) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "\n? %s: %s\n", who, report.Clean(q.Text))
	for i, o := range q.Options {
		fmt.Fprintf(&b, "  %d  %s\n", i+1, report.Clean(o))
	}
	if q.Default != "" {
		fmt.Fprintf(&b, "  (enter: %s)\n", report.Clean(q.Default))
	}
	answer, err := a.ask(ctx, b.String()+"answer: ")
	return q.Choose(answer), err
}

// planScreen shows a plan's run line by line.
type planScreen struct {
	*screen
}

func (a *app) planScreen(events bool) *planScreen { return &planScreen{a.screen(events)} }

func (s *planScreen) event(state plan.State, e plan.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wipe()
	s.last = s.now()
	if s.events {
		name, data, err := plan.Encode(e)
		if err != nil {
			return
		}
		if line, err := json.Marshal(report.EventOf(state.ID, 0, e.When(), name, data)); err == nil {
			fmt.Fprintf(s.Out, "%s\n", line)
		}
		return
	}
	if s.quiet {
		return
	}
	for _, l := range report.PlanLines(state, e, s.paint) {
		fmt.Fprintln(s.Err, l)
	}
}

// loop is a step of a task's loop: shown where all events are, or as a sign of
// life.
func (s *planScreen) loop(task string, u engine.Update) {
	if s.events && u.Event != nil {
		s.update(u)
	}
}
