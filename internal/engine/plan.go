package engine

import (
	"context"
	"errors"
	"time"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// Planner runs plans of tasks and tells about them.
type Planner interface {
	// RunPlan takes up the plan of a file and works on it until it stops by
	// itself: it has ended, is paused, or waits for a person. One that was run
	// before goes on where it was.
	RunPlan(ctx context.Context, spec PlanSpec, o PlanOptions, d PlanDrive) (plan.State, error)
	// ResumePlan goes on with a plan as it was asked for when it was begun.
	ResumePlan(ctx context.Context, id string, o PlanOptions, d PlanDrive) (plan.State, error)
	// SendPlan hands a command to a plan: pause, abort, answer, resolve, wake. Where
	// nobody runs it, it is carried out at once.
	SendPlan(ctx context.Context, id string, c Command) (plan.State, error)
	// FindPlan resolves an id, a unique prefix of one, or the path of its file.
	FindPlan(ctx context.Context, name string) (string, error)
	ShowPlan(ctx context.Context, id string) (Plan, error)
	// Plans are those that go on, then those that have ended, the newest first.
	Plans(ctx context.Context, f PlanFilter) ([]Plan, error)
	// PlanEvents are those after a sequence number, oldest first.
	PlanEvents(ctx context.Context, id string, after int64) ([]PlanRecord, error)
	// AcceptPlan brings the integration branch of a plan that is complete to the
	// branch that is checked out; partly: also of one that ended otherwise.
	AcceptPlan(ctx context.Context, id string, partly bool) (Accepted, error)
	// ArchivePlan takes a plan that has ended out of sight.
	ArchivePlan(ctx context.Context, id string) error
}

// PlanSpec is what the run of a plan was asked for, frozen when it began. What
// is to be done stands in the file, which is read again and again.
type PlanSpec struct {
	ID   string `json:"id"`
	File string `json:"file"`
	// Base is the commit from which the work starts.
	Base  string     `json:"base"`
	Rules plan.Rules `json:"rules"`
	// Task is the spec of every task's loop, but for what the plan says of it.
	Task loop.Spec `json:"task"`
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
	// Unattended is what becomes of questions while nobody is there.
	Unattended Unattended `json:"unattended,omitzero"`
	// Trust: commands of plans become gates without a person.
	Trust bool `json:"trust,omitempty"`
	// Shown are the commands of plans in tasks' places that a person was shown before
	// it began: of those that nobody has accepted, trust takes no others.
	Shown []string `json:"shown,omitempty"`
	// Ancestors are the plans that this one is a task of, the outermost first.
	Ancestors []string `json:"ancestors,omitempty"`
	// MaxLoops of the repository.
	MaxLoops int `json:"max_loops"`
	// Move the file of a plan that is complete into archived/ beside it.
	Move bool `json:"move,omitempty"`
}

// Unattended says what becomes of a question that nobody answers.
type Unattended struct {
	// Policy is wait, default or fail; empty is wait.
	Policy string `json:"policy,omitempty"`
	// After is how long a question waits before the policy applies.
	After time.Duration `json:"after_ns,omitempty"`
}

// PlanOptions are about one run of it.
type PlanOptions struct {
	TakeOver bool
	// Retry what has failed; Fresh forgets what was done before, but for Kept: the
	// base has it.
	Retry, Fresh, Kept bool
	// Force loops beyond the limit. Now ends waits for usage limits and reviewers.
	Force, Now bool
	// TaskBudget is what each loop that begins from now on may spend of a plan that
	// is resumed; nothing is as it was.
	TaskBudget loop.Amounts
}

// PlanFilter of a list. The zero value is the plans that have not ended.
type PlanFilter struct {
	// Ended is how many of the newest that have ended are added; below zero all.
	Ended int
	// Archived adds those that were put away.
	Archived bool
}

// PlanDrive is how a face takes part.
type PlanDrive struct {
	// Watch is told each event of the plan, Loop each of a task's loop. They
	// must return quickly and may be called by several goroutines.
	Watch func(plan.State, plan.Event)
	Loop  func(task string, u Update)
	Stops <-chan Stop
	// Asks: who drives it puts open questions to a person once the run rests. It
	// rests for that too when all that is under way waits for a time.
	Asks bool
}

// Plan is everything about the run of one plan.
type Plan struct {
	State plan.State
	// Plan is the file as it was read last; its tasks stand in its order.
	Plan    plan.Plan
	Spec    PlanSpec
	Live    bool
	Crashed bool
	// Archived plans are out of sight.
	Archived bool
	Owner    string
	Dir      string
	Seq      int64
}

// PlanRecord is an event of a plan as it was recorded.
type PlanRecord struct {
	Seq, Epoch int64
	At         time.Time
	Name       string
	Data       []byte
}

// Resolve says that a gap or an edge case is dealt with; Text is what it says.
const Resolve CommandKind = "resolve"

// The situations of plans.
var (
	ErrNoPlan       = errors.New("no such plan")
	ErrPlanRunning  = errors.New("the plan is run by somebody else")
	ErrPlanArchived = errors.New("the plan is archived")
	ErrNotComplete  = errors.New("only a plan that is complete can be accepted")
)

// Brought is a passed loop's work on top of another commit.
type Brought struct {
	Commit string
	// FastForward: no new commit was needed, so what was proved is what is there.
	FastForward bool
	Results     []loop.Result
}
