package status

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/text"
	"ralph/internal/view"
)

// logFlags select the records of a loop to show.
type logFlags struct {
	follow    bool
	iteration int
	gate      string
	agent     bool
}

func (a *Commands) LogsCommand() *cobra.Command {
	var f logFlags
	cmd := &cobra.Command{
		Use:     "logs [ID]",
		GroupID: command.GroupWatch,
		Short:   "What happened, event by event; or the output of an agent or a gate",
		Example: `  ralph logs ID                       # every event
  ralph logs ID -f                    # and those to come
  ralph logs ID --agent               # what the agent printed on the last attempt
  ralph logs ID --gate tests --iteration 2`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.logs(cmd.Context(), command.First(args), f)
		},
	}
	cmd.Flags().BoolVarP(&f.follow, "follow", "f", false, "go on until the loop stops")
	cmd.Flags().IntVar(&f.iteration, "iteration", 0, "of attempt `N` (0: the newest)")
	cmd.Flags().StringVar(&f.gate, "gate", "", "the output of gate `NAME`")
	cmd.Flags().BoolVar(&f.agent, "agent", false, "the output of the agent")
	a.LoopIDFlag(cmd)
	return cmd
}

func (a *Commands) logs(ctx context.Context, name string, f logFlags) error {
	p, err := a.Open(ctx, true)
	if err != nil {
		return err
	}
	defer p.Close()
	if !f.agent && f.gate == "" {
		if name, err = a.Meant(ctx, p, name); err != nil {
			return err
		}
	}
	if is, err := a.AsPlan(ctx, p, name, func(id string) error { return a.planLogs(ctx, p, id, f.follow) }); is {
		return err
	}
	l, err := a.PickOrNewest(ctx, p, name)
	if err != nil {
		return err
	}
	if f.agent || f.gate != "" {
		return a.output(l, f)
	}
	return a.events(ctx, p, l, f.follow)
}

// output copies the kept output of an agent or a gate.
func (a *Commands) output(l engine.Loop, f logFlags) error {
	if f.iteration == 0 {
		f.iteration = l.State.Iteration
	}
	files := engine.Layout{Dir: l.Dir}
	path := files.Output(f.iteration)
	if f.gate != "" {
		path = files.GateLog(f.iteration, f.gate, 0)
	}
	file, err := os.Open(path)
	if os.IsNotExist(err) {
		return exit.UsageError(next.Show(l.State.ID)+" lists attempts and gates", "there is no such output of attempt %d", f.iteration)
	}
	if err != nil {
		return err
	}
	defer file.Close()
	if !a.IsTerminal(a.Out) {
		_, err = io.Copy(a.Out, file)
		return err
	}
	words, err := io.ReadAll(file)
	a.Print(text.Clean(string(words)))
	return err
}

// events prints the records and, following, those to come.
func (a *Commands) events(ctx context.Context, p *project.Project, l engine.Loop, follow bool) error {
	var seen int64
	for {
		rows, err := p.Engine.Events(ctx, l.State.ID, seen)
		if err != nil {
			return err
		}
		for _, r := range rows {
			seen = r.Seq
			a.line(l.State.ID, r)
		}
		if !follow {
			return nil
		}
		now, err := p.Engine.Show(ctx, l.State.ID)
		if err != nil {
			return err
		}
		if !now.Live && now.Seq == seen {
			a.Say("%s: %s", now.State.ID, project.Standing(now))
			return exit.With(exit.CodeOf(engine.LoopOutcome(now.State)))
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (a *Commands) line(id string, r engine.Record) {
	if a.JSON {
		line, err := json.Marshal(view.EventOf(id, r.Seq, r.At, r.Name, r.Data))
		if err == nil {
			fmt.Fprintf(a.Out, "%s\n", line)
		}
		return
	}
	if r.Event == nil {
		fmt.Fprintf(a.Out, "%d  %s  (an event of a newer version)\n", r.Seq, text.Clean(r.Name))
		return
	}
	fmt.Fprint(a.Out, view.History([]view.Record{{Seq: r.Seq, Event: r.Event}}, a.Now(), a.Palette(a.Out)))
}

// planLogs prints the plan's events and, following, those to come.
func (a *Commands) planLogs(ctx context.Context, p *project.Project, id string, follow bool) error {
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

func (a *Commands) planLine(s plan.State, r engine.Record, phases plan.Phases) {
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
