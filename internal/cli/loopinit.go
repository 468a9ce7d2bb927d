package cli

import (
	"context"

	"github.com/spf13/cobra"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/config"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/view"
)

// loopFlags are what `ralph loop init` was told.
type loopFlags struct {
	gates                      []string
	threshold, most, confirm   string
	id, agent, parent, session string
	timeout, stall             string
	after, scope               []string
	task, onStuck              string
	force                      bool
	// verifies: it is an orchestrator's final verification.
	verifies bool
}

func (a *app) loopInitCommand() *cobra.Command {
	var f loopFlags
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Begin a loop that you, the agent, drive; prints what to do",
		Example: `  ralph loop init --gate tests
  ralph loop init --gate coverage --threshold 80 --max 5 --loop-id abc123
  ralph loop init --gate tests --gate lint --agent api --parent orch-001
  ralph loop init --gate types --after abc123       # begins when abc123 has passed`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := launch.NotEmpty(cmd, "threshold", "max", "confirm", "loop-id", "parent", "timeout", "stall", "session", "task", "on-stuck", "agent"); err != nil {
				return err
			}
			return a.loopInit(cmd.Context(), f)
		},
	}
	f.bind(cmd)
	return cmd
}

func (f *loopFlags) bind(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringArrayVar(&f.gates, "gate", nil, "gate `NAME[=N]` of ralph.yaml or of the project: tests, coverage, visual, lint, types (may be given again); coverage@scope counts only the files of --scope")
	fl.StringVar(&f.threshold, "threshold", "", "floor `N` of a coverage gate, in per cent")
	fl.StringVar(&f.most, "max", "", "at most `N` checks (default 5)")
	fl.StringVar(&f.id, "loop-id", "", "name the loop `ID` instead of making a name")
	fl.StringVar(&f.agent, "agent", "", "the `TYPE` of agent that works, for the record")
	fl.StringVar(&f.parent, "parent", "", "the orchestration `ID` that this loop is a part of")
	fl.StringVar(&f.timeout, "timeout", "", "at most `DURATION` in all (default 10m)")
	fl.StringVar(&f.stall, "stall", "", "at most `DURATION` without progress; 0 switches it off (default 5m)")
	fl.StringVar(&f.confirm, "confirm", "", "the gates must pass `N` times in a row, in one check (default 1)")
	fl.StringArrayVar(&f.after, "after", nil, "begin when the loop `ID` has passed (may be given again)")
	fl.StringVar(&f.session, "session", "", "`ID` of your session, so that a stop hook holds it to the gate")
	fl.StringArrayVar(&f.scope, "scope", nil, "path `GLOB` that this loop works on; other loops with such files are warned of")
	fl.StringVar(&f.task, "task", "", "what is to be done, in a `SENTENCE`")
	fl.StringVar(&f.onStuck, "on-stuck", "continue", "after the same failure three times running: continue or stop")
	fl.BoolVar(&f.force, "force", false, "begin although too many loops run")
}

func (a *app) loopInit(ctx context.Context, f loopFlags) error {
	p, l, err := a.initLoop(ctx, f)
	if err != nil {
		return err
	}
	defer p.Close()
	a.Notify(l)
	over := l.State.Status.Terminal() // it waited for what has failed already
	switch {
	case a.JSON:
		if err := a.Encode(view.Driven(l.State, project.Facts(l))); err != nil {
			return err
		}
	case !over:
		a.Print(view.Briefing(l.State, a.Palette(a.Out)))
		a.printNotes(p.Engine.Briefing(ctx, l.State.ID))
	}
	if !a.JSON && l.State.Status != loop.Running {
		a.Print(view.Check(l.State, a.Now(), a.Palette(a.Out)))
	}
	if over {
		return exit.With(view.CheckExit(l.State))
	}
	return nil
}

// initLoop begins an agent-driven loop in the repository of the working
// directory.
func (a *app) initLoop(ctx context.Context, f loopFlags) (*project.Project, engine.Loop, error) {
	p, err := a.locateFast(ctx)
	if err != nil {
		return nil, engine.Loop{}, err
	}
	settings, err := f.settings()
	if err != nil {
		return nil, engine.Loop{}, err
	}
	if err := a.Configure(p, settings...); err != nil {
		return nil, engine.Loop{}, err
	}
	spec, err := a.drivenSpec(ctx, p, f)
	if err != nil {
		return nil, engine.Loop{}, err
	}
	if err := a.Connect(ctx, p, false); err != nil {
		return nil, engine.Loop{}, err
	}
	if err := a.WarnBeside(ctx, p, spec, f.force); err != nil {
		p.Close()
		return nil, engine.Loop{}, err
	}
	l, err := p.Engine.Init(ctx, spec, engine.Options{Max: p.Settings.MaxLoops(), Force: f.force, PerParent: p.Settings.PerParent()})
	if err != nil {
		p.Close()
		return nil, engine.Loop{}, err
	}
	return p, l, nil
}

// settings are the flags that are configuration too: they are checked with it.
func (f loopFlags) settings() ([]config.Setting, error) {
	var out []config.Setting
	for _, s := range []config.Setting{
		{Key: "agent_loops.max_iterations", Flag: "--max", Value: f.most},
		{Key: "limits.confirm_passes", Flag: "--confirm", Value: f.confirm},
		{Key: "agent_loops.timeout", Flag: "--timeout", Value: f.timeout},
		{Key: "limits.stall", Flag: "--stall", Value: f.stall},
	} {
		if s.Value == "0" && s.Flag == "--stall" {
			s.Value = "off"
		}
		if s.Value != "" {
			out = append(out, s)
		}
	}
	if f.onStuck != "" && f.onStuck != "continue" && f.onStuck != "stop" {
		return nil, exit.UsageError("--on-stuck stop", "--on-stuck %s: it is continue or stop", f.onStuck)
	}
	return out, nil
}
