package plan

import (
	"time"

	"ralph/internal/loop"
)

// State of the run of a plan. It is a value: Apply returns a new one. The tasks
// and their dependencies stand in the plan's file, not here.
type State struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// File is the plan's, absolute.
	File  string `json:"file"`
	Rules Rules  `json:"rules"`

	Status  loop.Status `json:"status"`
	Reason  loop.Reason `json:"reason,omitempty"`
	Message string      `json:"message,omitempty"`
	Stage   Stage       `json:"stage"`

	// Branch is the integration branch, Base the commit it began at, Tip the
	// newest on it.
	Branch string `json:"branch"`
	Base   string `json:"base"`
	Tip    string `json:"tip"`
	// Proved is the tip on which the plan's gates passed last. Final is the loop
	// that looks whether they do, FinalRests why it does not get on, FinalTurns how
	// often it was resumed.
	Proved     string      `json:"proved,omitempty"`
	Final      string      `json:"final,omitempty"`
	FinalRests loop.Reason `json:"final_rests,omitempty"`
	FinalTurns int         `json:"final_turns,omitempty"`
	// Ends are the loops that repaired the result of all tasks together, EndConcerns the codes of
	// the concerns about their work, with commas between them.
	Ends        []string `json:"ends,omitempty"`
	EndConcerns string   `json:"end_look,omitempty"`
	// Review is the newest of the whole plan.
	Review *Review `json:"review,omitempty"`
	// Held is the review of the whole that waits for its reviewers.
	Held Held `json:"held,omitzero"`
	// ReviewedAt is when reviewers last looked, at the whole or at a task.
	ReviewedAt time.Time `json:"reviewed_at,omitzero"`

	// Attempts of the loops that have ended; those of loops in progress are
	// reserved, not counted.
	Attempts int `json:"attempts"`
	// Aside are those of them that no task pays for with its own (see Budget).
	Aside    int       `json:"aside,omitempty"`
	Findings []Finding `json:"findings,omitempty"`
	// GapRounds are the rounds of work on findings that have begun.
	GapRounds int        `json:"gap_rounds,omitempty"`
	Questions []Question `json:"questions,omitempty"`
	// LoopsUnanswered are questions of loops that were not answered in time.
	LoopsUnanswered []Unanswered `json:"settled,omitempty"`
	// Accepted is the commit with which the work was accepted.
	Accepted string `json:"accepted,omitempty"`
	// AcceptedAt is when; zero also in records of older versions.
	AcceptedAt time.Time `json:"accepted_at,omitzero"`
	// Clash is the newest conflict that kept the work from being accepted; Conflict
	// returns it while it stands.
	Clash *loop.Clash `json:"clash,omitempty"`
	// Note is a remark for users, such as why the file lags behind this
	// record; it may be empty.
	Note string `json:"note,omitempty"`
	// Place is where the newest owner ran.
	Place loop.Place `json:"place,omitempty"`
	// PauseAsked: nothing new is begun.
	PauseAsked bool `json:"pause_asked,omitempty"`

	StartedAt time.Time `json:"started_at,omitzero"`
	EndedAt   time.Time `json:"ended_at,omitzero"`
	LastAt    time.Time `json:"last_at,omitzero"`

	// Checks are commands of the file that a person approved by answering a question.
	Checks []string `json:"checks,omitempty"`

	// Move is one to another engine that began and has not arrived, or in a store that the
	// plan left the move with which it left. Partial: the record is not complete yet. Origin
	// is where it came from.
	Move    *loop.Move `json:"move,omitempty"`
	Partial *loop.Move `json:"partial,omitempty"`
	Origin  *loop.Home `json:"origin,omitempty"`

	// Tasks are in the order of the file.
	Tasks []TaskState `json:"tasks,omitempty"`
}

// Rules of a run, frozen when it began.
type Rules struct {
	// Parallel tasks at once; at least 1.
	Parallel int `json:"parallel"`
	// Attempts of all tasks together; 0 is three for each task (seed 002).
	Attempts int `json:"attempts,omitempty"`
	// PerTask attempts of the loop of one task; at least 1.
	PerTask   int    `json:"per_task"`
	OnFailure Policy `json:"on_failure"`
	// Only these tasks are worked on, and what they need; empty is all.
	Only []string `json:"only,omitempty"`
	// Chunks: each loop is one run of an agent, and is reviewed whatever became
	// of it (seed 003).
	Chunks bool `json:"chunks,omitempty"`
	// Gaps bound the work on open findings; nil, as in older records: a plan may end
	// with findings open.
	Gaps *GapRules `json:"gaps,omitempty"`
	// Review the whole plan at its end.
	Review bool `json:"review,omitempty"`
	// Approve: a person approves the approach of a task before it begins, or a
	// reviewer where ByReview is set.
	Approve  bool `json:"approve,omitempty"`
	ByReview bool `json:"by_review,omitempty"`
	// Flags are the words of the flags with which a person started it, to be typed again;
	// older records have none.
	Flags []string `json:"flags,omitempty"`
}

// Policy decides about the other tasks when one has failed.
type Policy string

// Skip leaves out the dependents of the failed task, Stop begins nothing more and
// finishes what is under way (a task that asks, too), Ask asks a person.
const (
	Skip Policy = "skip"
	Stop Policy = "stop"
	Ask  Policy = "ask"
)

// Stage of a run.
type Stage string

// The stages. Proving runs the plan's gates on the integration branch.
const (
	Working   Stage = "working"
	Proving   Stage = "proving"
	Reviewing Stage = "reviewing"
	Over      Stage = "over"
)

// The ends of a plan, besides those of a loop.
const (
	AllDone    loop.Reason = "all_done"
	SomeFailed loop.Reason = "some_failed"
	Stranded   loop.Reason = "blocked"
	Unproved   loop.Reason = "unproved"
	Rejected   loop.Reason = "rejected"
	// PartDone: the tasks that were asked for are done; the plan has more.
	PartDone loop.Reason = "part_done"
)

// Task finds one by its id.
func (s *State) Task(id string) *TaskState {
	for i := range s.Tasks {
		if s.Tasks[i].ID == id {
			return &s.Tasks[i]
		}
	}
	return nil
}
