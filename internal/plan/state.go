package plan

import (
	"time"

	"ralph/internal/loop"
)

// State of the run of a plan. It is a value: Apply returns a new one. What is to
// be done, and what waits for what, stands in the plan's file, not here.
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
	// Proved is the tip on which the plan's gates passed last; Final the loop
	// that looked, FinalTries how many did.
	Proved     string `json:"proved,omitempty"`
	Final      string `json:"final,omitempty"`
	FinalTries int    `json:"final_tries,omitempty"`
	// Review is the newest of the whole plan.
	Review *Review `json:"review,omitempty"`

	// Attempts of the loops that have ended; those of loops under way are
	// reserved, not counted.
	Attempts  int             `json:"attempts"`
	Findings  []Finding       `json:"findings,omitempty"`
	Questions []loop.Question `json:"questions,omitempty"`
	// Accepted is the commit with which the work was brought home.
	Accepted string `json:"accepted,omitempty"`
	// Note is what people should know, such as why the file is not as true as
	// this record; empty is nothing.
	Note string `json:"note,omitempty"`
	// PauseAsked: nothing new is begun.
	PauseAsked bool `json:"pause_asked,omitempty"`

	StartedAt time.Time `json:"started_at,omitzero"`
	EndedAt   time.Time `json:"ended_at,omitzero"`
	LastAt    time.Time `json:"last_at,omitzero"`

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
	// Review the whole plan at its end.
	Review bool `json:"review,omitempty"`
	// Approve: a person agrees to how a task is to be done before it begins.
	Approve bool `json:"approve,omitempty"`
}

// Policy says what a failed task means for the others.
type Policy string

// Skip leaves out what depends on the failed task, Stop begins nothing more, Ask
// puts the question to a person.
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

// TaskState is where one task stands in the run. It is comparable: what did not
// change is not written again.
type TaskState struct {
	ID    string `json:"id"`
	Title string `json:"title,omitempty"`
	// Digest of what the file says of the task: another one is another task.
	Digest string `json:"digest"`
	// Changed is the digest of what the file says now, while the loop works on
	// what it said before.
	Changed string `json:"changed,omitempty"`
	// Insist: a person did not take its tick in the file as done.
	Insist bool `json:"insist,omitempty"`
	// Claimed: its box was ticked while agents were at work; a person says whether
	// that counts.
	Claimed bool        `json:"claimed,omitempty"`
	Status  Status      `json:"status"`
	Reason  loop.Reason `json:"reason,omitempty"`
	Message string      `json:"message,omitempty"`
	// Loop is the newest of the task, which starts from From; Tries counts them.
	Loop  string `json:"loop,omitempty"`
	From  string `json:"from,omitempty"`
	Tries int    `json:"tries,omitempty"`
	// Why it is worked on again.
	Why string `json:"why,omitempty"`
	// Before is the loop of the try before.
	Before string `json:"before,omitempty"`
	// Most attempts that the loop may make.
	Most int `json:"most,omitempty"`
	// Fails counts tries without progress.
	Fails int `json:"fails,omitempty"`
	// Turns counts how often the loop was taken up.
	Turns int `json:"turns,omitempty"`
	// Passed: the newest loop passed. Commit is what it left.
	Passed bool   `json:"passed,omitempty"`
	Commit string `json:"commit,omitempty"`
	// Onto is the tip on which the landing under way began; Repair the loop that
	// mends a conflict; Landed the commit of the integration branch.
	Onto   string `json:"onto,omitempty"`
	Repair string `json:"repair,omitempty"`
	Landed string `json:"landed,omitempty"`
	// Output is the file that tells what the task left.
	Output string `json:"output,omitempty"`
	// Rests: the loop waits for a person or is paused, and holds nobody up.
	Rests loop.Reason `json:"rests,omitempty"`
	// Agreed: a person approved how it is to be done (Rules.Approve).
	Agreed   bool `json:"agreed,omitempty"`
	Attempts int  `json:"attempts,omitempty"`
	// Order in which tasks came to be landed; from 1.
	Queue int `json:"queue,omitempty"`
	// Gone: the file does not have the task any more.
	Gone bool `json:"gone,omitempty"`
}

// Finding is a gap or an edge case that somebody found.
type Finding struct {
	Kind FindingKind `json:"kind"`
	Text string      `json:"text"`
	// From is who found it: a review, an agent, a person, the file.
	From     string `json:"from,omitempty"`
	Resolved string `json:"resolved,omitempty"` // by whom; empty is open
}

// FindingKind names the kinds of seed 003.
type FindingKind string

// The kinds of finding.
const (
	Gap      FindingKind = "gap"
	EdgeCase FindingKind = "edge_case"
)

// Review is what a review of the whole plan, or of a task, said.
type Review struct {
	Task           string    `json:"task,omitempty"`
	Commit         string    `json:"commit,omitempty"`
	Pass           bool      `json:"pass"`
	Recommendation string    `json:"recommendation,omitempty"`
	Reason         string    `json:"reason,omitempty"`
	Degraded       bool      `json:"degraded,omitempty"`
	Unreviewed     bool      `json:"unreviewed,omitempty"`
	File           string    `json:"file,omitempty"`
	At             time.Time `json:"at,omitzero"`
}

// Recommendations of a review (seed 003).
const (
	Continue   = "continue"
	NeedsHuman = "needs_human_input"
	Archive    = "archive"
)

// Landing and Review are statuses of a run only: a file calls both running.
const (
	Landing   Status = "landing"
	Reviewed  Status = "reviewing"
	Approving Status = "approving"
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

// OpenQuestion is the plan's own that waits for a person, or nil.
func (s *State) OpenQuestion() *loop.Question {
	for i := range s.Questions {
		if !s.Questions[i].Answered {
			return &s.Questions[i]
		}
	}
	return nil
}

// Budget is how many attempts all tasks may have together.
func (s *State) Budget() int {
	if s.Rules.Attempts > 0 {
		return s.Rules.Attempts
	}
	return 3 * len(s.Tasks)
}

// Left of the budget, when what runs takes all it may.
func (s *State) Left() int {
	left := s.Budget() - s.Attempts
	for i := range s.Tasks {
		if t := &s.Tasks[i]; t.Status == Running || t.Status == Approving && t.Rests != ForApproval {
			left -= t.Most
		}
	}
	return left
}

// most attempts of one loop.
func (s *State) most() int {
	if s.Rules.Chunks {
		return 1
	}
	return s.Rules.PerTask
}

// mostPlanning attempts of a loop that writes a task's plan.
const mostPlanning = 2

// Open findings, of both kinds.
func (s *State) Open() []Finding {
	var out []Finding
	for _, f := range s.Findings {
		if f.Resolved == "" {
			out = append(out, f)
		}
	}
	return out
}
