package loop

import (
	"cmp"
	"strings"
	"time"
)

// Spec is the request, frozen when the loop started.
type Spec struct {
	ID     string `json:"id"`
	Mode   Mode   `json:"mode"`
	Task   Task   `json:"task"`
	Agent  Agent  `json:"agent"`
	Gates  []Gate `json:"gates"`
	Limits Limits `json:"limits"`

	// Project names the repository in reports.
	Project string `json:"project,omitempty"`
	// Root is the tree the loop was started from; Prefix the directory in it.
	Root   string `json:"root"`
	Prefix string `json:"prefix,omitempty"`
	// Base is the commit that the work is judged against.
	Base string `json:"base"`
	// Leftover is a commit on Base with what an earlier loop of the task left: the work
	// starts from it, and it is judged as a part of the work. Empty is none.
	Leftover string `json:"leftover,omitempty"`
	// PartsBase is the commit on which the first part began of which this loop checks the
	// whole: what changed since then is told to people. Empty is none.
	PartsBase string `json:"parts_base,omitempty"`
	// BaseTree is the tree that an agent-driven loop began with.
	BaseTree string `json:"base_tree,omitempty"`
	Branch   string `json:"branch"`
	// RetryOf is the loop that has ended whose task this one does again; empty is none.
	RetryOf string `json:"retry_of,omitempty"`
	// Guided is a person's guidance that reached no attempt of that loop.
	Guided []string `json:"guided,omitempty"`

	// StopIfGreen: gates that are green on the base are being done (--if-green stop),
	// unless Force.
	StopIfGreen bool `json:"until,omitempty"`
	Force       bool `json:"force,omitempty"`
	// Proof is asked of the verdict; empty in loops of older versions is ProofNone.
	Proof ProofPolicy `json:"proof,omitempty"`
	// Verify: an agent-driven loop passes only after a final verification; false in
	// loops of older versions.
	Verify bool `json:"verify,omitempty"`
	// InPlace: the agent works in Root instead of a worktree of its own.
	InPlace bool `json:"in_place,omitempty"`
	// WithChanges makes the uncommitted changes of Root the first commit.
	WithChanges bool `json:"with_changes,omitempty"`
	// GatesInAgentTree judges in the agent's tree (gates_in: agent).
	GatesInAgentTree bool `json:"gates_in_agent_tree,omitempty"`
	// StopOnStuck lets repeated failure end an agent-driven loop too.
	StopOnStuck bool `json:"stop_on_stuck,omitempty"`

	// Sandbox selects the sandbox of the agent and the gates; empty, as in
	// loops of older versions, is SandboxOff. SandboxWrite lists additional
	// writable paths. SandboxAsked: they are from the repository's own file, so that they
	// stay hidden where SandboxHide covers them; false in loops of older versions.
	Sandbox      Sandbox  `json:"sandbox,omitempty"`
	SandboxWrite []string `json:"sandbox_write,omitempty"`
	SandboxAsked bool     `json:"sandbox_asked,omitempty"`
	// SandboxHide lists what a sandbox hides from agents and gates: paths, absolute or
	// from ~/ on, globs, $NAME for what a variable names; an entry that begins with !
	// is an exception. Empty, as in loops of older versions, hides nothing.
	SandboxHide []string `json:"sandbox_hide,omitempty"`

	// RunsOn are labels that a worker of a team must have to take the loop; on one machine
	// they decide nothing.
	RunsOn []string `json:"runs_on,omitempty"`

	Setup []string `json:"setup,omitempty"`
	// Teardown undoes Setup once the loop has ended; with it Setup runs for each loop.
	Teardown []string `json:"teardown,omitempty"`
	Copy     []string `json:"copy,omitempty"`
	Protect  []string `json:"protect,omitempty"`
	// OtherGates are the command lines of gates that judge other work, in the repository or in
	// the plan: what they run is no judge here, and a person looks at changes of it.
	OtherGates []string `json:"other_gates,omitempty"`
	// MayChange lists path globs of judge files that a person allows the work to
	// change: --may-change, a task's may_change, an upheld dispute.
	MayChange []string `json:"may_change,omitempty"`
	// DisputePolicy is what becomes of a dispute; empty is DisputesWait.
	DisputePolicy DisputePolicy `json:"dispute_policy,omitempty"`
	// Secrets is what becomes of work whose commits add secrets; empty is SecretsWarn.
	Secrets SecretPolicy `json:"secrets,omitempty"`
	// Refuse are the concerns for which an attempt fails that passed all else, of
	// RefusalCodes. An upheld dispute takes one away.
	Refuse []ConcernCode `json:"refuse,omitempty"`
	// ConfigSHA256 is the digest of the configuration file that was read.
	ConfigSHA256 string `json:"config_sha256,omitempty"`
	// Parent groups loops; it is a name, and no run needs to have it: the plan of a
	// task's loop; of a loop that its agent drives the orchestration (--parent), else
	// Inside.
	Parent string `json:"parent,omitempty"`
	// Inside is the loop whose agent began this one, which it drives in the worktree of
	// that loop: it ends with that loop. Empty: it began outside of every loop, or in an
	// older version.
	Inside string `json:"inside,omitempty"`
	// Learn reports whether the loop learns from others and they from it; empty
	// means LearnOn.
	Learn Learning `json:"learn,omitempty"`
	// After are loops that must pass before this one, which an agent drives,
	// begins.
	After []string `json:"after,omitempty"`
	// Agents may take turns when the limit of one is spent, the first one before
	// the others; empty: only Agent.
	Agents []Agent `json:"agents,omitempty"`
	// Budget of the loop; BudgetPauses: it pauses when a budget is used up,
	// instead of ending.
	Budget       Amounts `json:"budget,omitzero"`
	BudgetPauses bool    `json:"budget_pauses,omitempty"`
	// Session is the agent's own session that started this loop, if it has one:
	// a stop hook holds that session, and no other, to the gates.
	Session string `json:"session,omitempty"`
}

// Start returns the commit that the branch of the loop starts at.
func (s Spec) Start() string { return cmp.Or(s.Leftover, s.Base) }

// Learning selects the part of a loop in the learning between loops.
type Learning string

// LearnReviewed shares its patterns, and uses only those of others that a
// person has promoted.
const (
	LearnOn       Learning = "on"
	LearnReviewed Learning = "reviewed"
	LearnOff      Learning = "off"
)

// Agent selects the driver and its settings.
type Agent struct {
	// Name is the configured name; Use the driver: claude, codex, gemini,
	// opencode, copilot, qwen, acp, api, command, script, human.
	Name string `json:"name"`
	Use  string `json:"use"`
	// Argv is the program; a single element is a command line for sh -c when
	// Shell is set. Where the driver knows its program, Argv replaces its name.
	Argv  []string `json:"argv,omitempty"`
	Shell bool     `json:"shell,omitempty"`
	// Args and Env are added to the driver's own.
	Args []string          `json:"args,omitempty"`
	Env  map[string]string `json:"env,omitempty"`
	// Model to work with; empty is the program's own choice.
	Model string `json:"model,omitempty"`
	// Permissions are PermissionsSkip where the program's own checks are off.
	Permissions Permissions `json:"permissions,omitempty"`
	// Account names the account that its provider counts, where a person has
	// said which; else it is found by how the agent is logged in.
	Account string `json:"account,omitempty"`
	// OnLimit is the behavior while its usage limit is spent; empty is
	// LimitWait.
	OnLimit OnLimit `json:"on_limit,omitempty"`
	// MaxTurns calls of the model and MaxSameCalls equal calls of a tool in a
	// row end a run; zero is the driver's own number.
	MaxTurns     int `json:"max_turns,omitempty"`
	MaxSameCalls int `json:"max_same_calls,omitempty"`
	// Stall is how long the program may print nothing; zero is the driver's own
	// number.
	Stall time.Duration `json:"stall_ns,omitempty"`

	// Of an agent that is asked through a provider's interface (api): whose it
	// is, its address where it is not the provider's own, the variable that has
	// the key, and the most tokens of an answer.
	Provider  string `json:"provider,omitempty"`
	BaseURL   string `json:"base_url,omitempty"`
	KeyEnv    string `json:"key_env,omitempty"`
	MaxTokens int    `json:"max_tokens,omitempty"`
}

// OnlyAnswers reports whether the agent is a model that ralph asks: it has no tools to work
// in a tree with, and no process.
func (a Agent) OnlyAnswers() bool { return a.Use == "api" }

// Permissions select how far the agent's own program asks before it acts.
type Permissions string

// By default an agent edits files and runs commands inside its tree, by its own
// program's allow-list; skip switches that program's checks off; read lets it
// look and change nothing, as far as its program supports that (reviewers).
const (
	PermissionsDefault Permissions = "default"
	PermissionsSkip    Permissions = "skip"
	PermissionsRead    Permissions = "read"
)

// Task is one unit of work, as a person or a plan stated it.
type Task struct {
	// ID names the task in branches, refs and reports. For a single task it
	// is the slug of its text.
	ID string `json:"id"`
	// Kind of the work; empty is treated as a feature.
	Kind TaskKind `json:"kind,omitempty"`
	// Text is the task, verbatim.
	Text string `json:"text"`
	// Criteria are the acceptance criteria, one sentence each.
	Criteria []string `json:"criteria,omitempty"`
	// Scope lists path globs that the task may change although they would
	// otherwise be protected (a task whose job is to change the tests).
	Scope []string `json:"scope,omitempty"`
	// Plan is the context from the plan that the task belongs to.
	Plan *InPlan `json:"plan,omitempty"`
	// Merges: the task is to merge work of which each part has passed. What Text asks for is done.
	Merges bool `json:"merges,omitempty"`
}

// Asks is what the work of the task is compared with: its text and its criteria, each once.
func (t Task) Asks() string {
	all := t.Text
	for _, c := range t.Criteria {
		if !strings.Contains(all, c) {
			all += "\n- " + c
		}
	}
	return all
}

// InPlan is the context of a task in a plan, for its agent: untrusted text.
type InPlan struct {
	Title string `json:"title,omitempty"`
	// File is the plan's own, from the repository's root; "" where it lies outside.
	// Only ralph and people write it.
	File string `json:"file,omitempty"`
	// Constraints hold for every task of the plan.
	Constraints string `json:"constraints,omitempty"`
	// Page is the whole plan, where the task is a section of it.
	Page string `json:"page,omitempty"`
	// Steps are those that the plan lists for the task.
	Steps []string `json:"steps,omitempty"`
	// Large: the plan lists none, and the agent begins with a list of its own.
	Large bool `json:"large,omitempty"`
	// Done are the tasks that this one builds on.
	Done []Output `json:"done,omitempty"`
	// Before describes the previous loop of the same task.
	Before *Output `json:"before,omitempty"`
	// Open are gaps and edge cases that were found.
	Open []string `json:"open,omitempty"`
	// Why the task is worked on again.
	Why string `json:"why,omitempty"`
	// Told is a person's decision about the task, where its reviewers asked.
	Told string `json:"told,omitempty"`
	// Turns after which the agent looks for a natural point to stop; 0 is none.
	Turns int `json:"turns,omitempty"`
	// Agreed is the approved approach to the task. Reviewed: a reviewer approved it, not
	// a person.
	Agreed   string `json:"agreed,omitempty"`
	Reviewed bool   `json:"agreed_by_review,omitempty"`
	// Start is the commit on which the plan began.
	Start string `json:"start,omitempty"`
	// Unchecked are commands that the plan proposes as checks of the task, and that do not
	// run: a person has not approved them.
	Unchecked []string `json:"unchecked,omitempty"`
	// OutputFile holds the answer of a text task.
	OutputFile string `json:"output_file,omitempty"`
}

// Output is the result of a task of a plan.
type Output struct {
	Task  string `json:"task"`
	Title string `json:"title,omitempty"`
	// Changed describes the changes, Words is its agent's final message.
	Changed string `json:"changed,omitempty"`
	Words   string `json:"words,omitempty"`
}

// Sandbox selects the sandbox of an agent and its gates.
type Sandbox string

// The kinds of wish. Auto takes what this machine offers, also nothing; require
// and the two names refuse to start without.
const (
	SandboxAuto       Sandbox = "auto"
	SandboxRequire    Sandbox = "require"
	SandboxOff        Sandbox = "off"
	SandboxBubblewrap Sandbox = "bubblewrap"
	SandboxLandlock   Sandbox = "landlock"
)

// Holder is the sandbox that a process ran in; empty is not recorded.
type Holder string

// Kinds of sandboxes.
const (
	HeldBubblewrap Holder = "bubblewrap"
	HeldLandlock   Holder = "landlock"
	HeldNone       Holder = "none"
)
