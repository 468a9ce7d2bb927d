package agentloop

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/config"
	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/view"
)

// InitFlags are the flags of ralph loop init.
type InitFlags struct {
	Gates, Until               []string
	Threshold, Max, Confirm    string
	ID, Agent, Parent, Session string
	Timeout, Stall             string
	After, Scope, MayChange    []string
	Refuse                     []string
	Task, Kind, OnStuck        string
	Force                      bool
	// whole is set for the check of an orchestration.
	whole bool
	// parts are the gates of its parts: they judge where none is configured. since is
	// the commit on which the first of them began.
	parts []loop.Gate
	since string
}

func (c *Commands) initCommand() *cobra.Command {
	var f InitFlags
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Begin a loop that you, the agent, drive; prints what to do",
		Example: `  ralph loop init --gate tests
  ralph loop init --gate coverage --threshold 80 --max 5 --loop-id abc123
  ralph loop init --until 'npm test'                # a command instead of gates
  ralph loop init --gate tests --gate lint --agent api --parent orch-001
  ralph loop init --gate types --after abc123       # begins when abc123 has passed`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := launch.NotEmpty(cmd, "refuse", "threshold", "max", "confirm", "loop-id", "parent", "timeout", "stall", "session", "task", "kind", "on-stuck", "agent"); err != nil {
				return err
			}
			return c.Init(cmd.Context(), f)
		},
	}
	f.bind(cmd)
	return cmd
}

func (f *InitFlags) bind(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringArrayVar(&f.Until, "until", nil, "done when `COMMAND` exits 0 (may be given again); replaces the configured gates")
	fl.StringArrayVar(&f.Until, "completion", nil, "the same as --until")
	_ = fl.MarkHidden("completion")
	fl.StringArrayVar(&f.Gates, "gate", nil, "gate `NAME[=N]` of ralph.yaml or of the project: tests, coverage, visual, lint, types, mutation (may be given again); coverage@scope counts only the files of --scope")
	fl.StringVar(&f.Threshold, "threshold", "", "floor `N` of a coverage gate, in per cent")
	fl.StringVar(&f.Max, "max", "", "at most `N` checks, up to agent_loops.max_iterations (default 5)")
	fl.StringVar(&f.ID, "loop-id", "", "name the loop `ID` instead of making a name")
	fl.StringVar(&f.Agent, "agent", "", "the `TYPE` of agent that works, for the record")
	fl.StringVar(&f.Parent, "parent", "", "the orchestration `ID` that this loop is a part of")
	fl.StringVar(&f.Timeout, "timeout", "", "at most `DURATION` in all, up to agent_loops.timeout (default 10m)")
	fl.StringVar(&f.Stall, "stall", "", "at most `DURATION` without progress, up to limits.stall; 0: no limit, where that has none (default 5m)")
	fl.StringVar(&f.Confirm, "confirm", "", "the gates must pass `N` times in a row, in one check (default 1)")
	fl.StringArrayVar(&f.After, "after", nil, "begin when the loop `ID` has passed (may be given again)")
	fl.StringVar(&f.Session, "session", "", "`ID` of your session, so that a stop hook holds it to the gate")
	fl.StringArrayVar(&f.Scope, "scope", nil, "path `GLOB` that this loop works on; other loops with such files are warned of")
	fl.StringArrayVar(&f.MayChange, "may-change", nil, "let the work change the judge files `GLOB`: tests, runner and build configuration, scripts of gates (may be given again)")
	launch.RefuseFlag(fl, &f.Refuse, "")
	fl.StringVar(&f.Task, "task", "", "what is to be done, in a `SENTENCE`")
	fl.StringVar(&f.Kind, "kind", "", "what the work of --task is: `KIND` feature, fix, docs, refactor or chore; the last three need no proof")
	fl.StringVar(&f.OnStuck, "on-stuck", "continue", "`ACTION` after the same failure three times in a row: continue or stop")
	fl.BoolVar(&f.Force, "force", false, "begin although too many loops run; typed by a person at a terminal: also beyond the limits of agent_loops")
	for _, also := range []string{"until", "completion"} {
		cmd.MarkFlagsMutuallyExclusive(also, "gate")
		cmd.MarkFlagsMutuallyExclusive(also, "threshold")
	}
}

// Init is ralph loop init.
func (c *Commands) Init(ctx context.Context, f InitFlags) error {
	p, l, err := c.begin(ctx, f)
	if err != nil {
		return err
	}
	defer p.Close()
	c.Reported(l)
	over := l.State.Status.Terminal() // it waited for what has failed already
	switch {
	case c.JSON:
		if err := c.Encode(view.Driven(l.State, project.Facts(l))); err != nil {
			return err
		}
	case !over:
		c.Print(view.Briefing(l.State, c.Palette(c.Out)))
		c.printNotes(p.Loops.Briefing(ctx, l.State.ID))
	}
	if !c.JSON && l.State.Status != loop.Running {
		c.Print(view.Check(l.State, c.Now(), c.Palette(c.Out)))
	}
	if over {
		return exit.With(view.CheckExit(l.State))
	}
	return nil
}

// begin creates an agent-driven loop in the repository of the working directory.
func (c *Commands) begin(ctx context.Context, f InitFlags) (*project.Project, engine.Loop, error) {
	p, err := c.locateFast(ctx)
	if err != nil {
		return nil, engine.Loop{}, err
	}
	settings, err := f.settings()
	if err != nil {
		return nil, engine.Loop{}, err
	}
	p.Repo.ReadAhead(ctx)
	if err := c.Configure(p, settings...); err != nil {
		return nil, engine.Loop{}, err
	}
	if err := c.withinCeilings(p, f); err != nil {
		return nil, engine.Loop{}, err
	}
	spec, err := c.spec(ctx, p, f)
	if err != nil {
		return nil, engine.Loop{}, err
	}
	if err := c.Allow(ctx, p); err != nil {
		return nil, engine.Loop{}, err
	}
	if err := c.Connect(ctx, p, false); err != nil {
		return nil, engine.Loop{}, err
	}
	if err := errors.Join(MayJoin(ctx, p.Loops, spec), launch.SayUnmatched(ctx, c.Opener, p, spec), c.WarnBeside(ctx, p, spec, f.Force)); err != nil {
		p.Close()
		return nil, engine.Loop{}, err
	}
	l, err := p.Loops.Init(ctx, spec, engine.Options{Max: p.Settings.MaxLoops(), Force: f.Force, PerParent: p.Settings.PerParent()})
	if err != nil {
		p.Close()
		return nil, engine.Loop{}, err
	}
	return p, l, nil
}

// settings are the flags that are configuration too: they are checked with it.
func (f InitFlags) settings() ([]config.Setting, error) {
	var out []config.Setting
	for _, s := range []config.Setting{
		{Key: "agent_loops.max_iterations", Flag: "--max", Value: f.Max},
		{Key: "limits.confirm_passes", Flag: "--confirm", Value: f.Confirm},
		{Key: "agent_loops.timeout", Flag: "--timeout", Value: f.Timeout},
		{Key: "limits.stall", Flag: "--stall", Value: f.Stall},
	} {
		if s.Value == "0" && s.Flag == "--stall" {
			s.Value = "off"
		}
		if s.Value != "" {
			out = append(out, s)
		}
	}
	if f.OnStuck != "" && f.OnStuck != "continue" && f.OnStuck != "stop" {
		return nil, exit.UsageError("--on-stuck stop", "--on-stuck %s: it is continue or stop", f.OnStuck)
	}
	return out, nil
}

// spec builds the specification of a loop. It makes no worktree: gates run in the
// tree that a check is called from.
func (c *Commands) spec(ctx context.Context, p *project.Project, f InitFlags) (loop.Spec, error) {
	if p.Repo.Root == "" {
		return loop.Spec{}, exit.UsageError("call it in a tree", "a bare repository has no tree to check")
	}
	if err := f.checkNames(); err != nil {
		return loop.Spec{}, err
	}
	if err := errors.Join(launch.CheckFiles(f.Scope, f.MayChange), launch.CheckRefuse(f.Refuse, true)); err != nil {
		return loop.Spec{}, err
	}
	began, err := p.Repo.SnapshotTree(ctx, "")
	if err != nil {
		return loop.Spec{}, err
	}
	branch, err := p.Repo.BranchOf(ctx, "")
	if err != nil {
		return loop.Spec{}, err
	}
	if began.Commit == "" {
		return loop.Spec{}, fmt.Errorf("%s: %w", branch, git.ErrUnborn)
	}
	gates := f.parts
	if len(gates) == 0 || len(p.Settings.Gates()) > 0 {
		if gates, err = launch.DrivenGates(c.Opener, p, launch.Flags{Until: f.Until, Gates: f.Gates, Scope: f.Scope}, f.Threshold); err != nil {
			return loop.Spec{}, err
		}
	}
	task := cmp.Or(strings.TrimSpace(f.Task), goal(gates))
	id, err := launch.LoopID(p, cmp.Or(strings.TrimSpace(f.Task), gateNames(gates)), f.ID)
	if err != nil {
		return loop.Spec{}, err
	}
	inside := c.Getenv("RALPH_LOOP_ID")
	s := launch.Frozen(p, launch.Flags{MayChange: f.MayChange, Refuse: f.Refuse})
	s.ID, s.Mode, s.Gates = id, loop.AgentDriven, gates
	s.Task = loop.Task{ID: launch.TaskID(task), Kind: loop.TaskKind(f.Kind), Text: task, Scope: f.Scope}
	s.Agent = loop.Agent{Name: cmp.Or(f.Agent, "agent"), Use: "session"}
	s.Limits, s.Root, s.Base, s.BaseTree, s.Branch = p.Settings.DrivenLimits(), p.Repo.Root, began.Commit, began.Tree, branch
	s.PartsBase = f.since
	s.Parent, s.Inside, s.After, s.Session = cmp.Or(f.Parent, inside), inside, f.After, c.sessionID(f.Session)
	s.Verify, s.Proof, s.StopOnStuck = true, f.proof(p.Settings.Settings.Proof), f.OnStuck == "stop"
	if err := s.Validate(); err != nil {
		return s, exit.UsageError("ralph loop init --help", "%v", err)
	}
	return s, nil
}

// proof is what the verdict needs besides gates. The task of a loop that was given
// none is its gates: green ones fulfil it. No reviewer judges such a loop, so that
// none can stand for a proof.
func (f InitFlags) proof(set config.Proof) loop.ProofPolicy {
	if strings.TrimSpace(f.Task) == "" || f.whole || set == config.Proof(loop.ProofNone) {
		return loop.ProofNone
	}
	return loop.ProofRequired
}

// checkNames keeps the names of orchestration checks for them.
func (f InitFlags) checkNames() error {
	const mostParent = 50 // there must be room for "-final-99"
	switch {
	case len(f.Parent) > mostParent:
		return exit.UsageError("--parent orch-001", "--parent: use at most %d characters", mostParent)
	case reserved.MatchString(f.ID) && !f.whole:
		return exit.UsageError("choose another --loop-id", "--loop-id %s: names that end in -final belong to orchestration checks (ralph loop check --parent)", f.ID)
	}
	return nil
}

// gateNames is what the id of a loop without a task is made of.
func gateNames(gates []loop.Gate) string {
	var names []string
	for _, g := range gates {
		names = append(names, g.Name)
	}
	return strings.Join(names, " ")
}

// goal is the task of a loop that was given none.
func goal(gates []loop.Gate) string {
	var parts []string
	for _, g := range gates {
		words := g.Name
		if g.Threshold != nil {
			words = fmt.Sprintf("%s of %g%%", g.Name, *g.Threshold)
		}
		parts = append(parts, words)
	}
	return "make these gates pass: " + strings.Join(parts, ", ")
}
