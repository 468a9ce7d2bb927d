package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/report"
)

// runFlags are what `ralph run` was told.
type runFlags struct {
	until      []string
	gates      []string
	agent      string
	sandbox    string
	agentCmd   string
	iterations string
	fixes      string
	timeout    string
	multiplier float64
	loopID     string
	scope      []string
	criteria   []string
	ofPlan     bool // what is asked for all tasks of a plan
	tasksProve bool // each of them has gates of its own
	budget     []string
	// budgetOf is the level that --budget means where it names none.
	budgetOf loop.BudgetLevel

	inPlace, withChanges bool
	resume, fresh        bool
	force, dryRun        bool
	// driven: the gates are for a loop that its agent drives, without --until.
	driven bool
	events bool
	plan   planFlags
}

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:     "run \"TASK\" | FILE",
		GroupID: groupRun,
		Short:   "Let an agent work on a task, or on a plan of tasks, until the gates pass",
		Example: `  ralph run "fix the failing tests" --until "npm test"       # until the command exits 0
  ralph run "raise the coverage" --gate tests --gate coverage=80
  ralph run "port the parser" --agent codex --max-iterations 8
  ralph run "fix it" --until "make test" --agent-cmd "my-agent --stdin"
  ralph run "fix it" --until "make test" --budget 5USD --budget tokens=2M
  ralph run "fix it" --until "make test" -d                  # go on when this terminal is closed
  ralph run "fix it" --until "make test" --dry-run           # show everything, start nothing
  ralph run plan.md                    # a plan: task by task, in parallel, landed on one branch
  ralph run prd.json --until "npm test" --parallel 2 --on-failure ask`,
		Args: oneTask,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("ralph run \"fix the failing tests\" --until \"go test ./...\"", "what is the task?")
			}
			if err := notEmpty(cmd, "agent", "agent-cmd", "sandbox", "auto-test-fix", "approve-plan"); err != nil {
				return err
			}
			path, err := a.planPath(args[0])
			if err != nil {
				return err
			}
			if path != "" {
				f.plan.bounded = cmd.Flags().Changed("max-attempts")
				return a.runPlan(cmd.Context(), path, f)
			}
			return a.run(cmd.Context(), args[0], f)
		},
	}
	fl := cmd.Flags()
	fl.StringArrayVar(&f.until, "until", nil, "done when `COMMAND` exits 0 (may be given again); replaces the configured gates")
	fl.StringArrayVar(&f.until, "completion", nil, "the same as --until")
	_ = fl.MarkHidden("completion")
	fl.StringArrayVar(&f.gates, "gate", nil, "use the gate `NAME[=N]` of ralph.yaml or of the project, with floor N; coverage@scope counts only the files of --scope")
	fl.StringVar(&f.agent, "agent", "", "`NAME` of the agent: one of ralph.yaml, claude, codex, gemini, opencode, human, or script:FILE")
	fl.StringVar(&f.agentCmd, "agent-cmd", "", "`COMMAND` line of an agent that reads the prompt from standard input")
	fl.StringVar(&f.iterations, "max-iterations", "", "at most `N` attempts (default 5)")
	fl.StringVar(&f.fixes, "auto-test-fix", "", "at most `N` attempts after red hard gates, each from the evidence of the one before (3 if no N is given)")
	fl.Lookup("auto-test-fix").NoOptDefVal = "3"
	fl.StringVar(&f.timeout, "timeout", "", "at most `DURATION` of active time for the whole loop (default 60m)")
	f.budgetFlag(fl)
	fl.Float64Var(&f.multiplier, "timeout-multiplier", 1, "multiply all timeouts by `F`")
	fl.StringVar(&f.loopID, "loop-id", "", "name the loop `ID` instead of making a name")
	fl.StringVar(&f.sandbox, "sandbox", "", "what holds agent and gates: `auto`, require, bubblewrap, landlock or off (default auto)")
	fl.StringArrayVar(&f.criteria, "criterion", nil, "an acceptance criterion (may be given again)")
	fl.StringArrayVar(&f.scope, "scope", nil, "path `GLOB` that is the task's own: it may be changed although protected, and other loops with such files are warned of")
	fl.BoolVar(&f.inPlace, "in-place", false, "let the agent work in this tree instead of a worktree of its own")
	fl.BoolVar(&f.withChanges, "with-changes", false, "start from your uncommitted changes too")
	fl.BoolVar(&f.resume, "resume", false, "go on with the unfinished loop of the same task")
	fl.BoolVar(&f.fresh, "fresh", false, "start anew; the unfinished loop of the same task is kept aside")
	fl.BoolVar(&f.force, "force", false, "go on although the gates pass already, or too many loops run")
	fl.BoolVar(&f.dryRun, "dry-run", false, "show every command, worktree, branch and the prompt; start nothing")
	fl.BoolVar(&f.events, "json-events", false, "write every event as a line of JSON to standard output")
	f.plan.add(cmd)
	cmd.MarkFlagsMutuallyExclusive("resume", "fresh")
	cmd.MarkFlagsMutuallyExclusive("until", "gate")
	cmd.MarkFlagsMutuallyExclusive("agent", "agent-cmd")
	a.detachFlag(cmd)
	return cmd
}

// budgetFlag is the flag of every command that starts a loop.
func (f *runFlags) budgetFlag(fl *pflag.FlagSet) {
	fl.StringArrayVar(&f.budget, "budget", nil, "spend at most `AMOUNT`: 5USD, tokens=2M, attempts=20, wall=2h (may be given again)")
}

// notEmpty refuses flags that were given without a value, as by an unset
// variable of a shell: taken for "not given" they would start another agent
// than the one that was meant.
func notEmpty(cmd *cobra.Command, names ...string) error {
	for _, n := range names {
		if f := cmd.Flags().Lookup(n); f.Changed && strings.TrimSpace(f.Value.String()) == "" {
			return usage("leave the flag out, or give it a value", "--%s is empty", n)
		}
	}
	return nil
}

func (a *app) run(ctx context.Context, task string, f runFlags) error {
	p, err := a.locate(ctx)
	if err != nil {
		return err
	}
	flags, err := f.settings()
	if err != nil {
		return err
	}
	if err := a.configure(p, flags...); err != nil {
		return err
	}
	spec, err := a.spec(ctx, p, task, f)
	if err != nil {
		return err
	}
	if p.prompt, err = p.template(); err != nil {
		return err
	}
	if _, err := p.firstPrompt(loop.New(spec, a.now())); err != nil {
		return err
	}
	holds, err := a.sandboxLine(ctx, spec)
	if err != nil {
		return err
	}
	if f.dryRun {
		return a.dryRun(ctx, p, spec)
	}
	if err := a.connect(ctx, p, false); err != nil {
		return err
	}
	defer p.close()
	id, err := a.sameTask(ctx, p, spec, f)
	if err != nil {
		return err
	}
	if id != "" {
		return a.takeUp(ctx, p, id, f)
	}
	if err := treeInUse(ctx, p, spec); err != nil {
		return err
	}
	if err := a.sayBeside(ctx, p, spec, f.force); err != nil {
		return err
	}
	a.sayUncommitted(ctx, p, spec)
	if !f.events {
		for _, line := range report.Opening(loop.New(spec, a.now()), a.palette(a.Err)) {
			a.say("%s", line)
		}
		a.say("%s", holds)
	}
	err = a.drive(ctx, p, f.events, func(ctx context.Context, d engine.Drive) (loop.State, error) {
		return p.engine.Start(ctx, spec, engine.StartOptions{Max: p.settings.MaxLoops(), Force: f.force, Alone: f.byTask()}, d)
	})
	if !errors.Is(err, engine.ErrTwin) && !errors.Is(err, engine.ErrExists) {
		return err
	}
	// Another start of it was faster by an instant: as if ours came later.
	id, again := a.sameTask(ctx, p, spec, f)
	if again != nil {
		return again
	}
	if id == "" {
		return err
	}
	return a.takeUp(ctx, p, id, f)
}

// takeUp resumes the unfinished loop of a task.
func (a *app) takeUp(ctx context.Context, p *project, id string, f runFlags) error {
	return a.drive(ctx, p, f.events, func(ctx context.Context, d engine.Drive) (loop.State, error) {
		return p.engine.Resume(ctx, id, engine.ResumeOptions{Max: p.settings.MaxLoops(), Force: f.force}, d)
	})
}

// byTask says that an unfinished loop of the same task is meant: another
// --loop-id asks for one more.
func (f runFlags) byTask() bool { return f.loopID == "" || f.resume || f.fresh }

// treeInUse refuses a second loop in a tree where one is at work.
func treeInUse(ctx context.Context, p *project, spec loop.Spec) error {
	if !spec.InPlace {
		return nil
	}
	active, err := p.engine.List(ctx, engine.Filter{Active: true})
	for _, l := range active {
		if l.Live && l.State.InPlace && l.State.Root == spec.Root {
			return &failure{
				code: exitBusy, err: fmt.Errorf("loop %s is at work in this tree", l.State.ID),
				hint: "wait for it: ralph wait " + l.State.ID + "; or leave out --in-place",
			}
		}
	}
	return err
}

// sayUncommitted tells that a loop starts from the commit at HEAD.
func (a *app) sayUncommitted(ctx context.Context, p *project, spec loop.Spec) {
	if spec.WithChanges || spec.InPlace || p.repo.Root == "" {
		return
	}
	if d, err := p.repo.Dirty(ctx, ""); err == nil && d.Any() {
		n := d.Staged + d.Unstaged + d.Untracked
		a.say("note: %d uncommitted changes (%s) are left alone and are not part of the work; --with-changes includes them",
			n, strings.Join(d.Sample, ", "))
	}
}

// sameTask looks for an unfinished loop of the same task. It answers its id to
// resume, or "" to start anew.
func (a *app) sameTask(ctx context.Context, p *project, spec loop.Spec, f runFlags) (string, error) {
	old, err := a.unfinished(ctx, p, spec, f)
	if err != nil || old == nil {
		if err == nil && f.resume {
			err = usage("leave out --resume", "there is no unfinished loop of this task")
		}
		return "", err
	}
	if old.Live {
		return "", &failure{
			code: exitBusy, err: fmt.Errorf("this task is being worked on by loop %s", old.State.ID),
			hint: "ralph logs " + old.State.ID + " -f, or end it first: ralph abort " + old.State.ID,
		}
	}
	resume, err := a.resumeOrFresh(ctx, old, f)
	if err != nil || resume {
		return old.State.ID, err
	}
	return "", a.setAside(ctx, p, old)
}

// unfinished is the loop that runs under the asked-for id, or has the same task.
func (a *app) unfinished(ctx context.Context, p *project, spec loop.Spec, f runFlags) (*engine.Loop, error) {
	list, err := p.engine.List(ctx, engine.Filter{Active: true})
	if err != nil {
		return nil, err
	}
	for i, l := range list {
		s := l.State
		if s.ID == f.loopID || f.byTask() && s.Task.Text == spec.Task.Text {
			return &list[i], nil
		}
	}
	return nil, nil
}

func (a *app) resumeOrFresh(ctx context.Context, old *engine.Loop, f runFlags) (bool, error) {
	if f.resume || f.fresh {
		return f.resume, nil
	}
	question := fmt.Sprintf("loop %s of this task is unfinished (%s, iteration %d of %d)", old.State.ID, standing(*old), old.State.Iteration, old.State.Limits.MaxIterations)
	if !a.asks() {
		return false, usage("add --resume to go on with it, or --fresh to start anew", "%s", question)
	}
	answer, err := a.ask(ctx, question+".\nResume it, or start fresh? [r/f] ")
	switch {
	case err != nil:
		return false, err
	case strings.HasPrefix(strings.ToLower(answer), "r"):
		return true, nil
	case strings.HasPrefix(strings.ToLower(answer), "f"):
		return false, nil
	}
	return false, usage("answer r or f", "neither resume nor fresh")
}

// setAside ends the old loop of a task that is started fresh. Its branch is
// kept under an archive name.
func (a *app) setAside(ctx context.Context, p *project, old *engine.Loop) error {
	s, err := p.engine.Send(ctx, old.State.ID, engine.Command{Kind: engine.Abort, Text: "set aside for a fresh start", By: owner(a)})
	if err != nil {
		return err
	}
	if old.Live {
		if s, err = a.untilEnded(ctx, p, old.State.ID); err != nil {
			return err
		}
	}
	archived := "archive/" + old.State.Branch + "-" + a.now().UTC().Format("20060102-150405")
	err = p.repo.ArchiveBranch(ctx, old.State.Branch, archived)
	switch _, none := errors.AsType[git.ErrUnknownRevision](err); {
	case err == nil:
		a.say("the old branch is kept as %s", archived)
	case s.FailureRef != "":
		a.say("the old work is kept on %s", s.FailureRef)
	case !none: // A loop without changes has left no branch.
		return err
	}
	return nil
}
