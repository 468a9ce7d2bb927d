package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/report"
)

// loopCommand groups what agents call for loops that they drive themselves
// (seed 000).
func (a *app) loopCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "loop",
		GroupID: groupAgents,
		Short:   "Loops that an agent drives itself: init, work, check, until the gate passes",
		Example: `  ralph loop init --gate coverage --threshold 80 --max 5 --loop-id abc123
  ralph loop check --loop-id abc123     # exit code 0 done, 2 keep iterating, 1 failed
  ralph loop status --loop-id abc123
  ralph loop abort --loop-id abc123 --reason manual
  ralph loop list
  ralph loop cleanup                    # archive the loops that have ended`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usage("ralph loop --help", "say what to do: init, check, status, abort, list, cleanup, publish, artifacts or take")
		},
	}
	cmd.AddCommand(a.loopInitCommand(), a.loopCheckCommand(), a.loopStatusCommand(), a.loopAbortCommand(), a.loopListCommand(), a.loopCleanupCommand(),
		a.publishCommand(), a.artifactsCommand(), a.takeCommand())
	return cmd
}

// drivenLoop finds the loop that an agent means: the one it names, else its
// session's, else the only one that is active.
func (a *app) drivenLoop(ctx context.Context, p *project, name string) (engine.Loop, error) {
	if name != "" {
		id, err := p.engine.Find(ctx, name)
		if err != nil {
			return engine.Loop{}, err
		}
		l, err := p.engine.Show(ctx, id)
		if err == nil && l.State.Mode != loop.AgentDriven {
			err = usage("ralph status "+id, "loop %s is run by ralph, not driven by an agent", id)
		}
		return l, err
	}
	active, err := p.engine.List(ctx, engine.Filter{Active: true, Mode: loop.AgentDriven})
	if err != nil {
		return engine.Loop{}, err
	}
	if session := a.session(""); session != "" {
		own := slices.DeleteFunc(slices.Clone(active), func(l engine.Loop) bool { return l.State.Session != session })
		if len(own) == 1 {
			return own[0], nil
		}
	}
	switch len(active) {
	case 0:
		return engine.Loop{}, usage("ralph loop list; begin one with ralph loop init --gate NAME", "no agent-driven loop is active here")
	case 1:
		return active[0], nil
	}
	return a.choose(ctx, active)
}

// session is the id of the agent's own session: what was said, or what the
// agent's environment tells.
func (a *app) session(said string) string {
	for _, v := range []string{said, a.getenv("RALPH_SESSION"), a.getenv("CLAUDE_CODE_SESSION_ID")} {
		if v = strings.TrimSpace(v); v != "" {
			return v
		}
	}
	return ""
}

func (a *app) loopStatusCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "status [ID]",
		Short:   "How a loop stands; runs nothing",
		Example: "  ralph loop status --loop-id abc123\n  ralph loop status abc123 --json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.loopStatus(cmd.Context(), first(args))
		},
	}
	a.loopIDFlag(cmd)
	return cmd
}

// loopStatus tells how a loop stands. Its exit code is 0 whatever that is, as
// nothing was asked of the gate.
func (a *app) loopStatus(ctx context.Context, name string) error {
	p, err := a.open(ctx, true)
	if err != nil {
		return err
	}
	defer p.close()
	l, err := a.drivenLoop(ctx, p, name)
	if err != nil {
		return err
	}
	if err := a.settleDue(ctx, p, l); err != nil {
		return err
	}
	if a.json {
		return a.tellDriven(l)
	}
	a.remember(l)
	a.print(report.Stands(l.State, a.now(), a.palette(a.Out)))
	return nil
}

// tellDriven prints how an agent-driven loop stands.
func (a *app) tellDriven(l engine.Loop) error {
	a.remember(l)
	if a.json {
		return a.encode(report.Driven(l.State, facts(l)))
	}
	a.print(report.Check(l.State, a.now(), a.palette(a.Out)))
	return nil
}

// settleDue records ends that are due, where a look found any. Looking itself
// opens the memory for reading only, which is faster.
func (a *app) settleDue(ctx context.Context, p *project, loops ...engine.Loop) error {
	if !slices.ContainsFunc(loops, func(l engine.Loop) bool { return l.Due }) {
		return nil
	}
	w := at(p.place)
	if err := a.connect(ctx, w, false); err != nil {
		return err
	}
	defer w.close()
	return w.engine.Settle(ctx)
}

// continueDriven ends the pause of a loop that its agent drives, and says so.
func (a *app) continueDriven(ctx context.Context, p *project, l engine.Loop, o engine.ResumeOptions) error {
	if err := a.unpause(ctx, p, l, o); err != nil {
		return err
	}
	a.say("%s: goes on when its agent checks it", l.State.ID)
	return nil
}

// unpause is all that can be resumed about a loop that its agent drives.
func (a *app) unpause(ctx context.Context, p *project, l engine.Loop, o engine.ResumeOptions) error {
	if l.State.Status != loop.Paused {
		return fmt.Errorf("%w: %s is %s", engine.ErrDriven, l.State.ID, standing(l))
	}
	_, err := p.engine.Send(ctx, l.State.ID, engine.Command{
		Kind: engine.Continue, By: owner(a), Max: p.settings.MaxLoops(), Force: o.Force, PerParent: p.settings.PerParent(),
	})
	return err
}

func (a *app) loopListCommand() *cobra.Command {
	var all bool
	var parent string
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "The agent-driven loops of this repository",
		Example: "  ralph loop list\n  ralph loop list --parent orch-001 --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.loopList(cmd.Context(), parent, all)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "all that ended, archived ones too, not only the newest 50")
	cmd.Flags().StringVar(&parent, "parent", "", "only those of the orchestration `ID`")
	return cmd
}

func (a *app) loopList(ctx context.Context, parent string, all bool) error {
	p, err := a.open(ctx, true)
	if err != nil {
		return err
	}
	defer p.close()
	f := engine.Filter{Active: true, Mode: loop.AgentDriven, Parent: parent}
	loops, err := p.engine.List(ctx, f)
	if err != nil {
		return err
	}
	f.Active, f.Ended, f.Archived = false, true, all
	if f.Limit = mostAll; all {
		f.Limit = 0
	}
	over, err := p.engine.List(ctx, f)
	if err != nil {
		return err
	}
	loops = append(loops, over...)
	if err := a.settleDue(ctx, p, loops...); err != nil {
		return err
	}
	if a.json {
		list := make([]report.DrivenObject, len(loops))
		for i, l := range loops {
			list[i] = report.Driven(l.State, facts(l))
		}
		return a.object(map[string]any{"schema": "ralph.checks/v1", "loops": list})
	}
	items := make([]report.Item, len(loops))
	for i, l := range loops {
		items[i] = report.Item{State: l.State, Facts: facts(l)}
	}
	look := a.palette(a.Out)
	if !a.isTerminal(a.Out) {
		look.Width = 1 << 12 // nothing is cut for a program
	}
	a.print(report.DrivenList(items, a.now(), look))
	return nil
}

func (a *app) loopAbortCommand() *cobra.Command {
	var reason, parent string
	cmd := &cobra.Command{
		Use:     "abort [ID]",
		Short:   "End an agent-driven loop without passing",
		Example: "  ralph loop abort --loop-id abc123 --reason \"not needed any more\"\n  ralph loop abort --parent orch-001",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.loopAbort(cmd.Context(), first(args), parent, reason)
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why, for the record")
	cmd.Flags().StringVar(&parent, "parent", "", "every agent-driven loop of the orchestration `ID`")
	a.loopIDFlag(cmd)
	return cmd
}

func (a *app) loopAbort(ctx context.Context, name, parent, reason string) error {
	p, err := a.open(ctx, false)
	if err != nil {
		return err
	}
	defer p.close()
	if parent != "" {
		return a.abortChildren(ctx, p, parent, reason)
	}
	l, err := a.drivenLoop(ctx, p, name)
	if err != nil {
		return err
	}
	if l, err = a.abortDriven(ctx, p, l.State.ID, reason); err != nil {
		return err
	}
	return a.tellDriven(l)
}

func (a *app) abortDriven(ctx context.Context, p *project, id, reason string) (engine.Loop, error) {
	_, err := p.engine.Send(ctx, id, engine.Command{Kind: engine.Abort, Text: reason, By: owner(a)})
	if err != nil {
		return engine.Loop{}, fmt.Errorf("abort %s: %w", id, err)
	}
	return p.engine.Show(ctx, id)
}

// abortChildren ends the active loops of an orchestration. One that has ended
// meanwhile is as good.
func (a *app) abortChildren(ctx context.Context, p *project, parent, reason string) error {
	all, err := a.children(ctx, p, parent, false)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return usage("ralph loop list", "no loop has the parent %q", parent)
	}
	objects := []report.DrivenObject{}
	for _, l := range all {
		if l.State.Status.Terminal() {
			continue
		}
		l, err := a.abortDriven(ctx, p, l.State.ID, reason)
		if err != nil && !errors.Is(err, engine.ErrEnded) {
			return err
		}
		objects = append(objects, report.Driven(l.State, facts(l)))
		if !a.json {
			a.print(report.Stands(l.State, a.now(), a.palette(a.Out)))
		}
	}
	if a.json {
		return a.object(map[string]any{"schema": "ralph.checks/v1", "loops": objects})
	}
	if len(objects) == 0 {
		a.say("every loop of %s has ended", parent)
	}
	return nil
}

// children are the agent-driven loops of an orchestration.
func (a *app) children(ctx context.Context, p *project, parent string, active bool) ([]engine.Loop, error) {
	return p.engine.List(ctx, engine.Filter{Active: active, Archived: !active, Mode: loop.AgentDriven, Parent: parent})
}

func (a *app) loopCleanupCommand() *cobra.Command {
	var dry bool
	cmd := &cobra.Command{
		Use:     "cleanup",
		Short:   "Archive the agent-driven loops that have ended",
		Example: "  ralph loop cleanup --dry-run\n  ralph loop cleanup",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.loopCleanup(cmd.Context(), dry)
		},
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only say which")
	return cmd
}

func (a *app) loopCleanup(ctx context.Context, dry bool) error {
	p, err := a.open(ctx, false)
	if err != nil {
		return err
	}
	defer p.close()
	if err := p.engine.Settle(ctx); err != nil {
		return err
	}
	loops, err := p.engine.List(ctx, engine.Filter{Ended: true, Mode: loop.AgentDriven})
	if err != nil {
		return err
	}
	archived := []string{}
	for _, l := range loops {
		if !dry {
			if err := p.engine.Archive(ctx, l.State.ID); err != nil {
				return fmt.Errorf("archive %s: %w", l.State.ID, err)
			}
		}
		archived = append(archived, l.State.ID)
	}
	if a.json {
		return a.object(map[string]any{"schema": "ralph.archive/v1", "archived": archived, "dry_run": dry})
	}
	for _, id := range archived {
		a.say("%s %s", map[bool]string{true: "would archive", false: "archived"}[dry], id)
	}
	if len(archived) == 0 {
		a.say("nothing to clean up")
	}
	return nil
}
