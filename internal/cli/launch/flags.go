package launch

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ralph/internal/agent/registry"
	"ralph/internal/cli/exit"
	"ralph/internal/config"
	"ralph/internal/loop"
)

// Flags are the flags of `ralph run`.
type Flags struct {
	Until      []string
	Gates      []string
	Agent      string
	sandbox    string
	AgentCmd   string
	Iterations string
	fixes      string
	Timeout    string
	Multiplier float64
	LoopID     string
	Scope      []string
	MayChange  []string
	Refuse     []string
	criteria   []string
	runsOn     []string
	OfPlan     bool // what is asked for all tasks of a plan
	TasksProve bool // each of them has gates of its own
	budget     []string
	// BudgetOf is the level that --budget means where it names none.
	BudgetOf loop.BudgetLevel

	kind, proof, ifGreen string
	judges               string

	inPlace, withChanges bool
	Resume, Fresh        bool
	Abandon              bool
	Force, DryRun        bool
	Events               bool
	Plan                 PlanFlags
}

// ProofFlags defines the flags about what a verdict needs.
func (f *Flags) ProofFlags(fl *pflag.FlagSet) {
	fl.StringVar(&f.kind, "kind", "", "what the work is: `KIND` feature, fix, docs, refactor or chore; the last three need no proof")
	fl.StringVar(&f.proof, "proof", "", "`POLICY` required: something must fail without the work; review: a spec review may replace that; none: green gates are enough (default required)")
	fl.StringArrayVar(&f.MayChange, "may-change", nil, "let the work change the judge files `GLOB`: tests, runner and build configuration, scripts of gates (may be given again)")
	RefuseFlag(fl, &f.Refuse, takesBack)
	fl.StringVar(&f.judges, "judges", "", "`WHO` may allow changes of judge files: base (only people) or reviewed (reviewers too) (default base)")
}

// Add defines the flags, those of a plan too.
func (f *Flags) Add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringArrayVar(&f.Until, "until", nil, "done when `COMMAND` exits 0 (may be given again); replaces the configured gates")
	fl.StringArrayVar(&f.Until, "completion", nil, "the same as --until")
	_ = fl.MarkHidden("completion")
	fl.StringArrayVar(&f.Gates, "gate", nil, "require the gate `NAME[=N]` of ralph.yaml or of the project, with floor N; coverage@scope counts only the files of --scope, mutation=80 tries errors in the changed lines")
	fl.StringVar(&f.Agent, "agent", "", "`NAME` of the agent: one of ralph.yaml, "+strings.Join(registry.Names(), ", ")+", human, or script:FILE")
	fl.StringVar(&f.AgentCmd, "agent-cmd", "", "`COMMAND` line of an agent that reads the prompt from standard input")
	fl.StringVar(&f.Iterations, "max-iterations", "", "at most `N` attempts (default 5)")
	fl.StringVar(&f.fixes, "auto-test-fix", "", "at most `N` attempts after red hard gates, each from the evidence of the one before (3 if no N is given)")
	fl.Lookup("auto-test-fix").NoOptDefVal = "3"
	fl.StringVar(&f.Timeout, "timeout", "", "at most `DURATION` of active time for the whole loop (default 60m)")
	f.BudgetFlag(fl)
	fl.Float64Var(&f.Multiplier, "timeout-multiplier", 1, "multiply all timeouts by `F`")
	fl.StringVar(&f.LoopID, "loop-id", "", "name the loop `ID` instead of making a name")
	fl.StringVar(&f.sandbox, "sandbox", "", "what confines agent and gates: `NAME` is auto, require, bubblewrap, landlock or off (default auto)")
	fl.StringArrayVar(&f.criteria, "criterion", nil, "an acceptance criterion, as `TEXT` (may be given again)")
	fl.StringArrayVar(&f.Scope, "scope", nil, "files of the task, as `GLOB`: they may change although protected, and ralph warns of other loops with the same files")
	fl.StringArrayVar(&f.runsOn, "runs-on", nil, "with --engine: only for workers that were started with --label `NAME` (may be given again)")
	f.ProofFlags(fl)
	fl.StringVar(&f.ifGreen, "if-green", "", "what to do if the gates pass already: `ACTION` is work (start anyway) or stop (it is done) (default work)")
	fl.BoolVar(&f.inPlace, "in-place", false, "let the agent work in this tree instead of a worktree of its own")
	fl.BoolVar(&f.withChanges, "with-changes", false, "start from your uncommitted changes too")
	fl.BoolVar(&f.Resume, "resume", false, "resume the unfinished loop of the same task, or start from the work of its failed one")
	fl.BoolVar(&f.Fresh, "fresh", false, "start anew; the unfinished loop of the same task is kept aside, the work of its failed one stays on its branch")
	fl.BoolVar(&f.Abandon, "abandon-moved", false, "of a plan that was moved to a server, with --fresh: start anew here because the server is lost; the work done there is not here")
	fl.BoolVar(&f.Force, "force", false, "start even if the gates pass already or too many loops run")
	fl.BoolVar(&f.DryRun, "dry-run", false, "show every command, worktree, branch and the prompt; start nothing")
	fl.BoolVar(&f.Events, "json-events", false, "write every event as a line of JSON to standard output")
	f.Plan.add(cmd)
	cmd.MarkFlagsMutuallyExclusive("resume", "fresh")
	cmd.MarkFlagsMutuallyExclusive("until", "gate")
	cmd.MarkFlagsMutuallyExclusive("agent", "agent-cmd")
}

// BudgetFlag is the flag of every command that starts a loop.
func (f *Flags) BudgetFlag(fl *pflag.FlagSet) {
	fl.StringArrayVar(&f.budget, "budget", nil, "spend at most `AMOUNT`: 5USD, tokens=2M, attempts=20, wall=2h (may be given again)")
}

// NotEmpty refuses flags that were given without a value, as by an unset
// variable of a shell: taken for "not given" they would start another agent
// than the one that was meant.
func NotEmpty(cmd *cobra.Command, names ...string) error {
	for _, n := range names {
		if f := cmd.Flags().Lookup(n); f.Changed && slices.Contains([]string{"", "[]"}, strings.TrimSpace(f.Value.String())) {
			return exit.UsageError("leave the flag out, or give it a value", "--%s is empty", n)
		}
	}
	return nil
}

// OfOneLoop is a flag that was given and means nothing to a plan, if any.
func (f Flags) OfOneLoop() string {
	switch {
	case f.inPlace:
		return "--in-place"
	case f.withChanges:
		return "--with-changes"
	case f.LoopID != "":
		return "--loop-id"
	}
	return ""
}

// PlanFlags are what `ralph run FILE` was told besides the flags of its loops.
type PlanFlags struct {
	Tasks    []string
	Attempts int
	Bounded  bool // attempts were given
	Trust    bool
	// Given are the flags of the call as words to type again.
	Given []string

	Parallel, onFailure, Unattended, approve string
}

// Settings are the flags that are configuration too.
func (f PlanFlags) Settings() []config.Setting {
	var out []config.Setting
	add := func(key, flag, value string) {
		if value != "" {
			out = append(out, config.Setting{Key: key, Flag: flag, Value: value})
		}
	}
	add("plans.parallel", "--parallel", f.Parallel)
	add("plans.on_failure", "--on-failure", f.onFailure)
	add("plans.unattended", "--unattended", f.Unattended)
	add("plans.approve", "--approve-plan", f.approve)
	return out
}

func (f *PlanFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringArrayVar(&f.Tasks, "task", nil, "of a plan: work on task `ID` and what it needs (may be given again)")
	fl.StringVar(&f.Parallel, "parallel", "", "of a plan: at most `N` tasks at once (default 4)")
	fl.IntVar(&f.Attempts, "max-attempts", 0, "of a plan: at most `N` attempts of all its tasks together, with those of inner plans (default: only the limit of each task)")
	fl.StringVar(&f.onFailure, "on-failure", "", "of a plan: when a task fails, `POLICY` skip (what needs it), stop, or ask (default skip)")
	fl.StringVar(&f.Unattended, "unattended", "", "of a plan: while a question is unanswered, `POLICY` wait, default, or fail (default wait)")
	fl.StringVar(&f.approve, "approve-plan", "", "of a plan: an agent writes how it will do each task, and waits until `WHO` approves it: person (you, if no WHO is given), review (a reviewer), or off")
	fl.Lookup("approve-plan").NoOptDefVal = "person"
	fl.BoolVar(&f.Trust, "trust-plan", false, "of a plan: its commands become gates without asking")
}

// ByTask says that an unfinished loop of the same task is meant: another
// --loop-id asks for one more.
func (f Flags) ByTask() bool { return f.LoopID == "" || f.Resume || f.Fresh }
