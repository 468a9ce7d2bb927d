package loop

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"ralph/internal/journal"
)

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
	// BaseAgain are second results of gates that failed on the base, without their output: a
	// verdict was about to rest on them.
	BaseAgain []Result `json:"base_again,omitempty"`

	// Iteration is the number of the attempt under way or last made.
	Iteration int `json:"iteration"`
	// Recent are the newest attempts, the oldest first. The state does not promise
	// older ones: a reader of the history asks the store for it.
	Recent []Attempt `json:"attempts,omitempty"`
	// Tally of all judged attempts; nil where none was judged by this version.
	Tally *Tally `json:"tally,omitempty"`
	// Began: the agent of the present attempt has been started.
	Began bool `json:"began,omitempty"`
	// TryNow: a person wants the agent started, or the reviewers asked, in spite of
	// their usage limits; it holds until that is done.
	TryNow bool `json:"try_now,omitempty"`
	// Retries counts transient errors and busy locks running.
	Retries int `json:"retries,omitempty"`
	// Crashes are interruptions outside of an attempt (set-up, gates on the base,
	// closing) since the last step that was done.
	Crashes int `json:"crashes,omitempty"`

	// ForcedOver: so many loops held a place, as many as allowed or more, when
	// this one was made to run all the same (--force).
	ForcedOver int `json:"forced_over,omitempty"`

	PauseAsked bool   `json:"pause_asked,omitempty"`
	PauseWhy   string `json:"pause_why,omitempty"`
	// Unowned: it is paused only because no process ran it when a command was carried
	// out. Place is where the newest owner ran.
	Unowned bool      `json:"unowned,omitempty"`
	Place   Place     `json:"place,omitempty"`
	Wake    time.Time `json:"wake,omitzero"`
	// Questions and Guidance are the newest; Asked counts all questions where some
	// were dropped.
	Questions []Question `json:"questions,omitempty"`
	Asked     int        `json:"asked,omitempty"`
	Guidance  []string   `json:"guidance,omitempty"`
	// NewGuidance counts the newest guidance, which no prompt of an attempt has had.
	NewGuidance int `json:"new_guidance,omitempty"`
	// Disputes are all that the agents raised, at most MaxDisputes.
	Disputes []Dispute `json:"disputes,omitempty"`

	// Ending is the decided end while the loop is being closed.
	Ending *Ending `json:"ending,omitempty"`
	// FailureRef is the branch that keeps failed work.
	FailureRef string `json:"failure_ref,omitempty"`

	// Accepted is the commit with which the work was accepted.
	Accepted string `json:"accepted,omitempty"`
	// Clash is the newest conflict that kept the work from being accepted; Conflict
	// returns it while it stands.
	Clash *Clash `json:"clash,omitempty"`
	// RetriedBy is the loop that was started to do the task again.
	RetriedBy string `json:"retried_by,omitempty"`

	// Move is one that began here and is not over, or with which the loop left; Partial is
	// set while its record is incomplete here; Origin is where it came from last.
	Move    *Move `json:"move,omitempty"`
	Partial *Move `json:"partial,omitempty"`
	Origin  *Home `json:"origin,omitempty"`

	StartedAt time.Time `json:"started_at,omitzero"`
	EndedAt   time.Time `json:"ended_at,omitzero"`
	LastAt    time.Time `json:"last_at,omitzero"`
	// LastUp is the uptime at LastAt.
	LastUp     journal.Uptime `json:"last_up,omitzero"`
	ProgressAt time.Time      `json:"progress_at,omitzero"`
	// Active is the time a process ran the loop; SessionActive since the last
	// owner acquired it. Other time does not count.
	Active        time.Duration `json:"active_ns"`
	SessionActive time.Duration `json:"session_active_ns"`
	// ProgressActive is Active at the last progress.
	ProgressActive time.Duration `json:"progress_active_ns,omitempty"`
	// SoftWarned: the loop's soft deadline has passed; SessionWarned: the
	// session's.
	SoftWarned    bool `json:"soft_warned,omitempty"`
	SessionWarned bool `json:"session_warned,omitempty"`

	// Usage of all runs of agents, Spent the same by agent and model;
	// CostUnknown counts the runs whose cost was not reported.
	Usage       Usage        `json:"usage"`
	Spent       []AgentSpent `json:"spent,omitempty"`
	CostUnknown int          `json:"cost_unknown,omitempty"`
	// LimitWait is the time lost to the agent's provider: usage limits, throttling,
	// outages and refused logins.
	LimitWait time.Duration `json:"limit_wait_ns,omitempty"`
	// ProviderSince is when the present wait for the provider began, all tries in
	// vain included; zero where it serves.
	ProviderSince time.Time `json:"provider_since,omitzero"`
	// LimitAgreed: a person decided that the loop continues after the usage limit that
	// it waits for now.
	LimitAgreed bool `json:"limit_agreed,omitempty"`
	// Warned are the budgets of which it was said that most is used.
	Warned []string `json:"warned,omitempty"`
	// SpentLevel is the level of the exhausted budget, if that stopped the
	// loop.
	SpentLevel BudgetLevel `json:"spent_level,omitempty"`
}

// Whole is a loop with all of its attempts, the oldest first; Recent are the newest
// of them.
type Whole struct {
	State
	Attempts []Attempt
}

// Ending is a verdict that still has to be carried out.
type Ending struct {
	Status  Status `json:"status"`
	Reason  Reason `json:"reason"`
	Message string `json:"message"`
	// At is when it was decided; the failure branch is named after it.
	At time.Time `json:"at"`
}

// New is the state of a loop that has not run yet.
func New(spec Spec, at time.Time) State {
	if spec.Mode == "" {
		spec.Mode = Supervised
	}
	s := State{Spec: spec, Status: Pending, Step: StepSetup, StartedAt: at, LastAt: at, ProgressAt: at}
	s.Guidance, s.NewGuidance = slices.Clone(spec.Guided), len(spec.Guided)
	if spec.Mode == AgentDriven {
		s.Status, s.Step = Running, StepAgent
	}
	if len(spec.After) > 0 {
		s.wait(ForLoop, time.Time{}, "waits until these have passed: "+strings.Join(spec.After, ", "))
	}
	return s
}

// Tip returns the newest commit of the work, or where it starts from.
func (s *State) Tip() string { return cmp.Or(s.Commit, s.Start()) }

// Last is the newest attempt, or nil.
func (s *State) Last() *Attempt {
	if len(s.Recent) == 0 {
		return nil
	}
	return &s.Recent[len(s.Recent)-1]
}

// Made is the number of attempts that count. One in which the agent could not work, so
// that the loop ended, is none, and one whose dispute is open is none yet.
func (s *State) Made() int {
	if a := s.Last(); a != nil && a.Verdict == "" && s.Status.Terminal() && s.Reason == AgentError || s.Disputing() {
		return s.Iteration - 1
	}
	return s.Iteration
}

// Disputing reports whether the agent of the newest attempt raised a dispute that is open: it
// uses no attempt, and the same one is made again after the ruling.
func (s *State) Disputing() bool {
	a, q := s.Last(), s.Open()
	return a != nil && a.Verdict == "" && q != nil && q.Dispute != nil && s.Mode != AgentDriven
}

// Open is the question that waits for a person, or nil. An ending loop waits
// for no answer, and one that moves is answered where it is.
func (s *State) Open() *Question {
	if n := len(s.Questions); n > 0 && !s.Questions[n-1].Answered && s.Ending == nil && s.Move == nil && s.Partial == nil {
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

// SoftFailures names the soft gates that did not pass on the last attempt.
func (s *State) SoftFailures() []string {
	var names []string
	if a := s.Last(); a != nil {
		for _, r := range a.Results {
			if r.Level == Soft && r.Gate != JudgesGate && (r.Verdict == Failed || r.Verdict == Error) {
				names = append(names, r.Gate)
			}
		}
	}
	return names
}
