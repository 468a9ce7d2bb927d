package loop

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
	// Name is the configured name; Use the driver: command, script, human.
	Name string `json:"name"`
	Use  string `json:"use"`
	// Argv is the program; a single element is a command line for sh -c when
	// Shell is set.
	Argv  []string `json:"argv,omitempty"`
	Shell bool     `json:"shell,omitempty"`
}
