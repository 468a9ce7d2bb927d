package loop

import "time"

// Spec is what was asked for, frozen when the loop started.
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
	// Base is the commit the work starts from.
	Base string `json:"base"`
	// BaseTree is the tree that an agent-driven loop began with.
	BaseTree string `json:"base_tree,omitempty"`
	Branch   string `json:"branch"`

	// Until: gates came from --until, so being green already is being done,
	// unless Force.
	Until bool `json:"until,omitempty"`
	Force bool `json:"force,omitempty"`
	// InPlace: the agent works in Root instead of a worktree of its own.
	InPlace bool `json:"in_place,omitempty"`
	// WithChanges makes the uncommitted changes of Root the first commit.
	WithChanges bool `json:"with_changes,omitempty"`
	// GatesInAgentTree judges in the agent's tree (gates_in: agent).
	GatesInAgentTree bool `json:"gates_in_agent_tree,omitempty"`
	// StopOnStuck lets repeated failure end an agent-driven loop too.
	StopOnStuck bool `json:"stop_on_stuck,omitempty"`

	// Sandbox is what is to hold the agent and the gates; empty, as in loops of
	// older versions, is SandboxOff. SandboxWrite may be written besides.
	Sandbox      Sandbox  `json:"sandbox,omitempty"`
	SandboxWrite []string `json:"sandbox_write,omitempty"`

	Setup   []string `json:"setup,omitempty"`
	Copy    []string `json:"copy,omitempty"`
	Protect []string `json:"protect,omitempty"`
	// ConfigSHA256 is the digest of the configuration file that was read.
	ConfigSHA256 string `json:"config_sha256,omitempty"`
	// Parent is the orchestration the loop belongs to.
	Parent string `json:"parent,omitempty"`
	// Learn says whether the loop learns from others and they from it; empty
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

// Learning is how a loop takes part in what loops learn from each other.
type Learning string

// LearnReviewed teaches others, and takes from them only what a person has
// promoted.
const (
	LearnOn       Learning = "on"
	LearnReviewed Learning = "reviewed"
	LearnOff      Learning = "off"
)

// Agent says which driver runs, and how.
type Agent struct {
	// Name is the configured name; Use the driver: claude, codex, gemini,
	// opencode, acp, api, command, script, human.
	Name string `json:"name"`
	Use  string `json:"use"`
	// Argv is the program; a single element is a command line for sh -c when
	// Shell is set. Where the driver knows its program, Argv replaces its name.
	Argv  []string `json:"argv,omitempty"`
	Shell bool     `json:"shell,omitempty"`
	// Args and Env are added to what the driver gives its program.
	Args []string          `json:"args,omitempty"`
	Env  map[string]string `json:"env,omitempty"`
	// Model to work with; empty is the program's own choice.
	Model string `json:"model,omitempty"`
	// Permissions are PermissionsSkip where the program's own checks are off.
	Permissions Permissions `json:"permissions,omitempty"`
	// Account names the account that its provider counts, where a person has
	// said which; else it is found by how the agent is logged in.
	Account string `json:"account,omitempty"`
	// OnLimit is what happens while its usage limit is spent; empty is
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

// Permissions say how far the agent's own program asks before it acts.
type Permissions string

// By default an agent edits files and runs commands inside its tree, by its own
// program's allow-list; skip switches that program's checks off; read lets it
// look and change nothing, as far as its program can be told so (reviewers).
const (
	PermissionsDefault Permissions = "default"
	PermissionsSkip    Permissions = "skip"
	PermissionsRead    Permissions = "read"
)
