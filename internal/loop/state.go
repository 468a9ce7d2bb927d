package loop

import (
	"slices"
	"time"
)

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
	Base   string `json:"base"`
	Branch string `json:"branch"`

	// Until: gates came from --until, so being green already is being done,
	// unless Force.
	Until bool `json:"until,omitempty"`
	Force bool `json:"force,omitempty"`
	// InPlace: the agent works in Root instead of a worktree of its own.
	InPlace bool `json:"in_place,omitempty"`
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
}

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

// State of one loop. It is a value: Apply returns a new one.
type State struct {
	Spec

	Status  Status `json:"status"`
	Reason  Reason `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
	Step    Step   `json:"step"`

	// Worktree is the agent's tree, GateTree the one where gates run.
	Worktree string `json:"worktree,omitempty"`
	GateTree string `json:"gate_tree,omitempty"`
	// Commit is the newest commit of the work; empty before the first.
	Commit string `json:"commit,omitempty"`
	// Differs: the work differs from Base.
	Differs bool `json:"differs,omitempty"`

	// BaseResults are the hard gates on the base; BaseGreen: all passed there.
	BaseResults []Result `json:"base_results,omitempty"`
	BaseGreen   bool     `json:"base_green,omitempty"`

	// Iteration is the number of the attempt under way or last made.
	Iteration int       `json:"iteration"`
	Attempts  []Attempt `json:"attempts,omitempty"`
	// Began: the agent of the present attempt has been started.
	Began bool `json:"began,omitempty"`
	// Retries counts transient errors and busy locks since the last progress.
	Retries int `json:"retries,omitempty"`

	PauseAsked bool       `json:"pause_asked,omitempty"`
	Wake       time.Time  `json:"wake,omitzero"`
	Questions  []Question `json:"questions,omitempty"`
	Guidance   []string   `json:"guidance,omitempty"`

	// Ending is the decided end while the loop is being closed.
	Ending *Ending `json:"ending,omitempty"`
	// FailureRef is the branch that keeps failed work.
	FailureRef string `json:"failure_ref,omitempty"`

	StartedAt  time.Time `json:"started_at,omitzero"`
	EndedAt    time.Time `json:"ended_at,omitzero"`
	LastAt     time.Time `json:"last_at,omitzero"`
	ProgressAt time.Time `json:"progress_at,omitzero"`
	// Active is the time somebody ran the loop; SessionActive since the last
	// owner took it. Time while nobody runs it does not count.
	Active        time.Duration `json:"active_ns"`
	SessionActive time.Duration `json:"session_active_ns"`
	// SoftWarned: the loop's soft deadline has passed.
	SoftWarned bool  `json:"soft_warned,omitempty"`
	Usage      Usage `json:"usage"`
}

// Ending is a verdict that still has to be carried out.
type Ending struct {
	Status  Status `json:"status"`
	Reason  Reason `json:"reason"`
	Message string `json:"message"`
}

// Attempt is one run of the agent and one evaluation of the gates.
type Attempt struct {
	N         int       `json:"n"`
	Approach  Approach  `json:"approach"`
	StartedAt time.Time `json:"started_at,omitzero"`
	EndedAt   time.Time `json:"ended_at,omitzero"`
	// Interruptions by crashes, pauses or limits; Questions put to a person.
	Interruptions int `json:"interruptions,omitempty"`
	Questions     int `json:"questions,omitempty"`

	Agent   Outcome  `json:"agent"`
	Commit  string   `json:"commit,omitempty"`
	Tree    string   `json:"tree,omitempty"`
	Changed bool     `json:"changed"`
	Files   []string `json:"files,omitempty"`
	// Notes are facts for people: a rewritten branch, changed tests.
	Notes []string `json:"notes,omitempty"`

	Results []Result `json:"results,omitempty"`
	// Passes counts evaluations in a row that passed, for confirmation.
	Passes  int     `json:"passes,omitempty"`
	Verdict Verdict `json:"verdict,omitempty"`
	// FailedGate, Fingerprint and Error describe the failure in one line.
	FailedGate  string `json:"failed_gate,omitempty"`
	Fingerprint string `json:"fingerprint,omitempty"`
	Error       string `json:"error,omitempty"`
}

// Approach is what the prompt of an attempt asks for.
type Approach struct {
	// Shift: the last approach failed StuckAfter times alike and is forbidden.
	Shift bool `json:"shift,omitempty"`
	// Expand: the named files and symbols go into the prompt.
	Expand bool `json:"expand,omitempty"`
}

// New is the state of a loop nobody has run yet.
func New(spec Spec, at time.Time) State {
	if spec.Mode == "" {
		spec.Mode = Supervised
	}
	s := State{Spec: spec, Status: Pending, Step: StepSetup, StartedAt: at, LastAt: at, ProgressAt: at}
	if spec.Mode == AgentDriven {
		s.Status, s.Step = Running, StepAgent
	}
	return s
}

// Last is the newest attempt, or nil.
func (s *State) Last() *Attempt {
	if len(s.Attempts) == 0 {
		return nil
	}
	return &s.Attempts[len(s.Attempts)-1]
}

// Open is the question that waits for a person, or nil.
func (s *State) Open() *Question {
	if n := len(s.Questions); n > 0 && !s.Questions[n-1].Answered {
		return &s.Questions[n-1]
	}
	return nil
}

// Gate finds a frozen gate by name.
func (s *State) Gate(name string) (Gate, bool) {
	i := slices.IndexFunc(s.Gates, func(g Gate) bool { return g.Name == name })
	if i < 0 {
		return Gate{}, false
	}
	return s.Gates[i], true
}

// QualityWarnings counts soft gates that did not pass on the last attempt.
func (s *State) QualityWarnings() int {
	n := 0
	if a := s.Last(); a != nil {
		for _, r := range a.Results {
			if r.Level == Soft && (r.Verdict == Failed || r.Verdict == Error) {
				n++
			}
		}
	}
	return n
}

// clone copies what Apply writes to.
func (s State) clone() State {
	s.Attempts = slices.Clone(s.Attempts)
	if a := s.Last(); a != nil {
		a.Results, a.Notes = slices.Clone(a.Results), slices.Clone(a.Notes)
	}
	s.BaseResults = slices.Clone(s.BaseResults)
	s.Questions = slices.Clone(s.Questions)
	s.Guidance = slices.Clone(s.Guidance)
	if s.Ending != nil {
		s.Ending = new(*s.Ending)
	}
	return s
}
