package loop

import "time"

// Event is something that happened. The set is closed: see Name.
type Event interface {
	// When it happened; the machine has no other clock.
	When() time.Time
	event()
}

// Stamp is the time every event carries.
type Stamp struct {
	At time.Time `json:"at"`
}

// When returns the time of the event.
func (s Stamp) When() time.Time { return s.At }
func (Stamp) event()            {}

type (
	// Created opens the record of a loop.
	Created struct {
		Stamp
	}
	// Acquired: an owner took the loop up; its session begins.
	Acquired struct {
		Stamp
		Owner string `json:"owner"`
	}
	// Prepared: worktrees stand ready.
	Prepared struct {
		Stamp
		Worktree string   `json:"worktree"`
		GateTree string   `json:"gate_tree"`
		Base     string   `json:"base,omitempty"`
		Notes    []string `json:"notes,omitempty"`
	}
	// AttemptBegan: the agent is about to be started.
	AttemptBegan struct {
		Stamp
		PromptFile   string `json:"prompt_file,omitempty"`
		PromptSHA256 string `json:"prompt_sha256,omitempty"`
		// Learned are the numbers of the patterns that stand in the prompt.
		Learned []int64 `json:"learned,omitempty"`
	}
	// Interrupted: the step under way was cut off by a crash or a stop of
	// ours, and will be done again.
	Interrupted struct {
		Stamp
		Why   string `json:"why,omitempty"`
		Usage Usage  `json:"usage,omitzero"`
		// Model that the cut-off run said it works with.
		Model string `json:"model,omitempty"`
		// Note is for people to look at: what the cut has cost.
		Note string `json:"note,omitempty"`
	}
	// AgentEnded: one run of the agent is over.
	AgentEnded struct {
		Stamp
		Outcome Outcome `json:"outcome"`
	}
	// Committed: the work stands in a commit (agent-driven: or in a tree).
	Committed struct {
		Stamp
		Commit  string   `json:"commit"`
		Tree    string   `json:"tree,omitempty"`
		Changed bool     `json:"changed"`
		Differs bool     `json:"differs"`
		Files   []string `json:"files,omitempty"`
		Notes   []string `json:"notes,omitempty"`
	}
	// GateEnded: one gate was evaluated, on the base or on the attempt.
	GateEnded struct {
		Stamp
		Result Result `json:"result"`
	}
	// WorkFailed: ralph itself could not do a step. Busy means that trying
	// again later makes sense.
	WorkFailed struct {
		Stamp
		Step    Step   `json:"step"`
		Message string `json:"message"`
		Busy    bool   `json:"busy,omitempty"`
		// Provider: what is busy is who was to review, and not a lock.
		Provider bool `json:"provider,omitempty"`
		// Until is when a usage limit that is in the way is over; such a wait is
		// not one of those that are counted.
		Until time.Time `json:"until,omitzero"`
		// Spent by the reviewers of a review that came to nothing.
		Spent []AgentSpent `json:"spent,omitempty"`
	}
	// SoftPassed: a soft deadline passed; Scope is ScopeLoop, ScopeSession or
	// a step.
	SoftPassed struct {
		Stamp
		Scope      string `json:"scope"`
		Checkpoint string `json:"checkpoint,omitempty"`
	}
	// Restored: the work was put back to a checkpoint, as a new commit; Kept is
	// the branch that has what was there.
	Restored struct {
		Stamp
		Checkpoint int    `json:"checkpoint"`
		Commit     string `json:"commit"`
		Kept       string `json:"kept,omitempty"`
	}
	// Woke: the time of a wait is over, or somebody asked not to wait.
	Woke struct {
		Stamp
		// Asked: a person wants the agent tried now, whatever is known of its limit.
		Asked bool `json:"asked,omitempty"`
		// Question, if it is named: the time for its answer is over, whatever else
		// the loop waits for.
		Question string `json:"question,omitempty"`
	}
	// Ticked: time passed while nobody ran an agent-driven loop.
	Ticked struct {
		Stamp
	}
	// PauseAsked: stop after the present step, and go on with Resumed. Why is
	// what the pause says of itself, where nobody asked for one.
	PauseAsked struct {
		Stamp
		By  string `json:"by,omitempty"`
		Why string `json:"why,omitempty"`
	}
	// Resumed: a paused loop goes on.
	Resumed struct {
		Stamp
	}
	// AbortAsked ends the loop. The reason is Manual, or Policy where a rule and
	// no person asked.
	AbortAsked struct {
		Stamp
		Why    string `json:"why,omitempty"`
		Reason Reason `json:"reason,omitempty"`
	}
	// Asked: the agent put a question while it works. An agent-driven loop waits
	// for the answer; a run of an agent goes on, and the loop waits after it.
	Asked struct {
		Stamp
		Question Question `json:"question"`
		// Spent by the reviewers who could not decide it.
		Spent []AgentSpent `json:"spent,omitempty"`
	}
	// Steered adds guidance to the next prompts.
	Steered struct {
		Stamp
		Text string `json:"text"`
	}
	// Answered: a person answered the open question.
	Answered struct {
		Stamp
		Text string `json:"text"`
		By   string `json:"by,omitempty"`
		// Question, if it is named; else the one that is open.
		Question string `json:"question,omitempty"`
	}
	// Held: the agent is not started yet, since its account's usage limit is
	// spent, or what is left of a budget is reserved by attempts under way.
	Held struct {
		Stamp
		Reason  Reason    `json:"reason"`
		Until   time.Time `json:"until"`
		Message string    `json:"message"`
	}
	// Switched: another of the loop's agents goes on.
	Switched struct {
		Stamp
		Agent Agent  `json:"agent"`
		Why   string `json:"why,omitempty"`
	}
	// BudgetWarned: most of a budget is used. Budget names it, as in
	// "plan money".
	BudgetWarned struct {
		Stamp
		Budget  string `json:"budget"`
		Message string `json:"message"`
	}
	// BudgetSpent: a budget is used up, and the loop ends, or pauses.
	BudgetSpent struct {
		Stamp
		Budget  string `json:"budget"`
		Message string `json:"message"`
		Pause   bool   `json:"pause,omitempty"`
	}
	// Kept: failed work stands on a branch; Ref is empty if there was none.
	Kept struct {
		Stamp
		Ref    string `json:"ref,omitempty"`
		Commit string `json:"commit,omitempty"`
	}
	// Accepted: a person brought what has passed home. It is the only event of a
	// loop that has ended.
	Accepted struct {
		Stamp
		Branch string `json:"branch"`
		Commit string `json:"commit"`
	}
	// Tidied: worktrees are handed back; the loop is over.
	Tidied struct {
		Stamp
	}
)

// The scopes of a soft deadline that are no step.
const (
	ScopeLoop    = "loop"
	ScopeSession = "session"
)

// Name of an event in records and on the bus.
func Name(e Event) string {
	switch e.(type) {
	case Created:
		return "created"
	case Acquired:
		return "acquired"
	case Prepared:
		return "prepared"
	case AttemptBegan:
		return "attempt_began"
	case Interrupted:
		return "interrupted"
	case AgentEnded:
		return "agent_ended"
	case Committed:
		return "committed"
	case GateEnded:
		return "gate_ended"
	case WorkFailed:
		return "work_failed"
	case SoftPassed:
		return "soft_deadline"
	case Restored:
		return "restored"
	case Woke:
		return "woke"
	case Ticked:
		return "ticked"
	case PauseAsked:
		return "pause_asked"
	case Resumed:
		return "resumed"
	case AbortAsked:
		return "abort_asked"
	case Asked:
		return "asked"
	case Steered:
		return "steered"
	case Answered:
		return "answered"
	case Held:
		return "held"
	case Switched:
		return "switched"
	case BudgetWarned:
		return "budget_warned"
	case BudgetSpent:
		return "budget_spent"
	case Kept:
		return "kept"
	case Tidied:
		return "tidied"
	case Accepted:
		return "accepted"
	}
	return ""
}
