package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/plan"
	"ralph/internal/text"
	"ralph/internal/view"
)

// planLogs prints the plan's events and, following, those to come.
func (a *app) planLogs(ctx context.Context, p *project.Project, id string, follow bool) error {
	var seen int64
	phases := plan.Phases{}
	for {
		rows, err := p.Planner.Events(ctx, id, seen)
		if err != nil {
			return err
		}
		l, err := p.Planner.Show(ctx, id)
		if err != nil {
			return err
		}
		for _, r := range rows {
			seen = r.Seq
			a.planLine(l.State, r, phases)
		}
		if !follow {
			return nil
		}
		if !l.Live && l.Seq == seen {
			a.Say("%s: %s", id, l.State.Status)
			return exit.With(exit.CodeOf(engine.PlanOutcome(l.State)))
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (a *app) planLine(s plan.State, r engine.Record, phases plan.Phases) {
	if a.JSON {
		if line, err := json.Marshal(view.EventOf(s.ID, r.Seq, r.At, r.Name, r.Data)); err == nil {
			fmt.Fprintf(a.Out, "%s\n", line)
		}
		return
	}
	e, err := plan.Decode(r.Name, r.Data)
	if err != nil {
		fmt.Fprintf(a.Out, "%d  %s  (an event of a newer version)\n", r.Seq, text.Clean(r.Name))
		return
	}
	lines := view.PlanLines(s, e, a.Palette(a.Out))
	if len(lines) == 0 {
		lines = view.PlanSteps(e)
	}
	if task, phase := phases.Enter(e); phase != "" {
		lines = append(lines, view.PlanPhase(task, phase))
	}
	for _, l := range lines {
		fmt.Fprintf(a.Out, "%4d  %s  %s\n", r.Seq, r.At.Local().Format("15:04:05"), l)
	}
}
