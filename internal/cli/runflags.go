package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ralph/internal/cli/exit"
	"ralph/internal/loop"
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

// add defines the flags, those of a plan too.
func (f *runFlags) add(cmd *cobra.Command) {
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
			return exit.UsageError("leave the flag out, or give it a value", "--%s is empty", n)
		}
	}
	return nil
}

// ofOneLoop is a flag that was given and means nothing to a plan, if any.
func (f runFlags) ofOneLoop() string {
	switch {
	case f.inPlace:
		return "--in-place"
	case f.withChanges:
		return "--with-changes"
	case f.loopID != "":
		return "--loop-id"
	}
	return ""
}
