package engine

import (
	"time"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// PlanSpec is the request for the run of a plan, frozen when it began. The
// tasks stand in the file, which is read again and again.
type PlanSpec struct {
	ID   string `json:"id"`
	File string `json:"file"`
	// Text is the content of the file, for machines that do not have it; empty where the
	// run reads the file itself.
	Text []byte `json:"text,omitempty"`
	// Inner are the plans in the places of tasks, by the path that the task names, for the
	// same machines.
	Inner map[string]InnerPlan `json:"inner,omitempty"`
	// Base is the commit from which the work starts.
	Base  string     `json:"base"`
	Rules plan.Rules `json:"rules"`
	// Task is the spec of every task's loop, except for the plan's text of the
	// task.
	Task loop.Spec `json:"task"`
	// ProofAsked: Task.Proof was asked for by --proof or RALPH_PROOF; it holds for every
	// task, whatever the plan says.
	ProofAsked bool `json:"proof_asked,omitempty"`
	// Agents are those that tasks may name; Turns who may take over from each while
	// its usage limit is spent, itself first, for those that switch then.
	Agents map[string]loop.Agent   `json:"agents,omitempty"`
	Turns  map[string][]loop.Agent `json:"turns,omitempty"`
	// Commands are the checks of the plan that a person has accepted, by their
	// text: no other command of a plan becomes a gate.
	Commands map[string]loop.Gate `json:"commands,omitempty"`
	// Reviewers look at each chunk of a plan of sections, and at every plan as a
	// whole; without any it is unreviewed. ReviewSelf lets the author's own agent
	// stand in for them.
	Reviewers     []loop.Agent  `json:"reviewers,omitempty"`
	ReviewSelf    bool          `json:"review_self,omitempty"`
	ReviewTimeout loop.Deadline `json:"review_timeout,omitzero"`
	// Council votes on the whole plan in place of the reviewers; nil is none.
	Council *loop.Review `json:"council,omitempty"`
	// Unattended is the policy for questions while no person is there.
	Unattended Unattended `json:"unattended,omitzero"`
	// Trust: commands of plans become gates without a person.
	Trust bool `json:"trust,omitempty"`
	// Shown are the commands of the plan, and of plans in tasks' places, that a person was
	// shown before it began: of those that are not approved, trust takes no others, and
	// tasks are worked on without them. Others hold their task until a person decides.
	Shown []string `json:"shown,omitempty"`
	// Ancestors are the plans that this one is a task of, the outermost first.
	Ancestors []string `json:"ancestors,omitempty"`
	// MaxLoops of the repository.
	MaxLoops int `json:"max_loops"`
	// MoveFile: the file of a plan that is complete goes into archived/ beside it.
	MoveFile bool `json:"move,omitempty"`
}

// Parent is the plan in whose task's place this one is run; empty: in none.
func (s PlanSpec) Parent() string {
	if n := len(s.Ancestors); n > 0 {
		return s.Ancestors[n-1]
	}
	return ""
}

// InnerPlan is a plan in the place of a task, as it was when the plan around it was started.
// Where that moved to a machine which reads the files itself, only what its file does not
// tell is left: the id, which names the file of another machine, and accepted commands.
type InnerPlan struct {
	ID string `json:"id"`
	// File is its path from the root of the tree.
	File string `json:"file"`
	Text []byte `json:"text,omitempty"`
	// Wrong is why it cannot be run; Text is empty then.
	Wrong string `json:"wrong,omitempty"`
	// Commands are its checks that a person has accepted.
	Commands map[string]loop.Gate `json:"commands,omitempty"`
	Inner    map[string]InnerPlan `json:"inner,omitempty"`
}

// Unattended is the policy for a question without an answer.
type Unattended struct {
	// Policy is wait, default or fail; empty is wait.
	Policy string `json:"policy,omitempty"`
	// After is how long a question waits before the policy applies.
	After time.Duration `json:"after_ns,omitempty"`
}

// Plan is everything about the run of one plan.
type Plan struct {
	State plan.State
	// Plan is the file as it was read last; its tasks stand in its order.
	Plan plan.Plan
	Spec PlanSpec
	RunFacts
	Dir string
	Seq int64
}
