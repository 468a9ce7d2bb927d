package plan

import (
	"time"

	"ralph/internal/loop"
)

// Event is something that happened to a run. The set is closed: see Name.
type Event = loop.Event

type (
	// Opened: an owner took the run up.
	Opened struct {
		loop.Stamp
		Owner string `json:"owner"`
	}
	// Read: the file was read, and these are its tasks now.
	Read struct {
		loop.Stamp
		SHA256   string     `json:"sha256"`
		Title    string     `json:"title,omitempty"`
		Tasks    []ReadTask `json:"tasks"`
		Findings []Finding  `json:"findings,omitempty"`
		// During: agents were at work meanwhile, so that nobody can say who ticked
		// a box.
		During bool `json:"during,omitempty"`
		// Moved are the ids that tasks have now, by those that they had: for people.
		Moved map[string]string `json:"moved,omitempty"`
	}
	// Started: a loop is about to work on a task.
	Started struct {
		loop.Stamp
		Task string `json:"task"`
		Loop string `json:"loop"`
		From string `json:"from"`
		// Most attempts of the loop, so that the budget holds.
		Most int `json:"most,omitempty"`
		// Child: Loop is a plan of its own, which had made so many attempts when
		// the task Began, and stood at the event Mark.
		Child bool  `json:"child,omitempty"`
		Began int   `json:"began,omitempty"`
		Mark  int64 `json:"mark,omitempty"`
	}
	// Planning: a loop is about to write how a task is to be done.
	Planning struct {
		loop.Stamp
		Task string `json:"task"`
		Loop string `json:"loop"`
		From string `json:"from"`
		Most int    `json:"most,omitempty"`
	}
	// Taken: the loop of a task is taken up again, after a crash or an answer.
	Taken struct {
		loop.Stamp
		Task string `json:"task"`
		// Settled is its question, where nobody answered that in time.
		Settled *loop.Question `json:"settled,omitempty"`
	}
	// Stopped: a loop stopped by itself: that of a task, the one that mends its
	// landing, or with no Task the one that proves the plan.
	Stopped struct {
		loop.Stamp
		Task     string      `json:"task"`
		Loop     string      `json:"loop"`
		Status   loop.Status `json:"status"`
		Reason   loop.Reason `json:"reason,omitempty"`
		Message  string      `json:"message,omitempty"`
		Commit   string      `json:"commit,omitempty"`
		Attempts int         `json:"attempts,omitempty"`
		// Progress: its work differs from what it started from.
		Progress bool `json:"progress,omitempty"`
		// Output says where what it wrote can be read, Opinion what a reviewer thinks
		// of it: nil where a person is to say.
		Output  string   `json:"output,omitempty"`
		Opinion *Opinion `json:"opinion,omitempty"`
		// Until is when the default of what its loop asks is taken; zero is never.
		Until time.Time `json:"until,omitzero"`
	}
	// TaskWaits: the loop of a task waits for the end of a usage limit, and goes on
	// by itself; without a time it has gone on. No Task is the loop that proves the
	// plan.
	TaskWaits struct {
		loop.Stamp
		Task  string    `json:"task,omitempty"`
		Until time.Time `json:"until,omitzero"`
		Why   string    `json:"why,omitempty"`
	}
	// LandBegan: a task's commits are to be brought onto the tip.
	LandBegan struct {
		loop.Stamp
		Task string `json:"task"`
		Onto string `json:"onto"`
	}
	// Repairing: a loop mends what kept a task from landing.
	Repairing struct {
		loop.Stamp
		Task  string   `json:"task"`
		Loop  string   `json:"loop"`
		Why   string   `json:"why"`
		Files []string `json:"files,omitempty"`
	}
	// Landed: the integration branch is about to hold the task's work. It is
	// recorded before the branch moves.
	Landed struct {
		loop.Stamp
		Task   string `json:"task"`
		Commit string `json:"commit"`
		Output string `json:"output,omitempty"`
	}
	// Repaired: the loop that mended a landing passed. Where the tip has moved
	// meanwhile, what it left is landed anew.
	Repaired struct {
		loop.Stamp
		Task     string `json:"task"`
		Loop     string `json:"loop"`
		Commit   string `json:"commit"`
		Output   string `json:"output,omitempty"`
		Attempts int    `json:"attempts,omitempty"`
	}
	// NotLanded: the work of a task is kept, and does not fit.
	NotLanded struct {
		loop.Stamp
		Task     string `json:"task"`
		Message  string `json:"message"`
		Attempts int    `json:"attempts,omitempty"`
		// Reason loop.Budget: the repair could not be paid to its end. The work is
		// landed when there is more.
		Reason loop.Reason `json:"reason,omitempty"`
	}
	// Judged: a review of a task, or of the plan, has ended.
	Judged struct {
		loop.Stamp
		Review   Review    `json:"review"`
		Findings []Finding `json:"findings,omitempty"`
		// Settled are findings that it saw done.
		Settled []string `json:"settled,omitempty"`
	}
	// ReviewHeld: reviewers of a task, or of the plan, cannot be had before Until.
	ReviewHeld struct {
		loop.Stamp
		Task  string    `json:"task,omitempty"`
		Until time.Time `json:"until"`
		Why   string    `json:"why,omitempty"`
	}
	// Woken: a person wants tried now what waits for a time.
	Woken struct {
		loop.Stamp
		By string `json:"by,omitempty"`
	}
	// ProofBegan: a loop runs the plan's gates on the tip.
	ProofBegan struct {
		loop.Stamp
		Loop string `json:"loop"`
	}
	// Proof: what came of it. Commit is the new tip where it was mended.
	Proof struct {
		loop.Stamp
		// Loop that looked; empty: none had to.
		Loop     string `json:"loop,omitempty"`
		Passed   bool   `json:"passed"`
		Commit   string `json:"commit,omitempty"`
		Message  string `json:"message,omitempty"`
		Attempts int    `json:"attempts,omitempty"`
	}
	// Asked and Answered are about a question of the plan itself; Task is what
	// it is about.
	Asked struct {
		loop.Stamp
		Question Question `json:"question"`
	}
	Answered struct {
		loop.Stamp
		Text string `json:"text"`
		By   string `json:"by,omitempty"`
		// Question, if it is named; else the one that is open.
		Question string `json:"question,omitempty"`
	}
	// Resolved: somebody says that a finding is dealt with.
	Resolved struct {
		loop.Stamp
		Text string `json:"text"`
		By   string `json:"by"`
	}
	// Found: an agent or a person noted a gap or an edge case.
	Found struct {
		loop.Stamp
		Findings []Finding `json:"findings"`
	}
	// PauseAsked, Resumed and AbortAsked come from people.
	PauseAsked struct {
		loop.Stamp
		By string `json:"by,omitempty"`
	}
	Resumed struct {
		loop.Stamp
		// Retry what has failed.
		Retry bool `json:"retry,omitempty"`
	}
	AbortAsked struct {
		loop.Stamp
		Why    string      `json:"why,omitempty"`
		Reason loop.Reason `json:"reason,omitempty"`
	}
	// Accepted: a person brought the integration branch home.
	Accepted struct {
		loop.Stamp
		Branch string `json:"branch"`
		Commit string `json:"commit"`
	}
	// Rested: nothing goes on by itself, or ever again.
	Rested struct {
		loop.Stamp
		Status  loop.Status `json:"status"`
		Reason  loop.Reason `json:"reason"`
		Message string      `json:"message"`
	}
	// Noted is for people to know; nothing follows from it.
	Noted struct {
		loop.Stamp
		Text string `json:"text"`
	}
	// Broken: ralph itself could not do something for a task.
	Broken struct {
		loop.Stamp
		Task string `json:"task,omitempty"`
		// Reason is Budget where there is no money to go on with; empty is an error.
		Reason  loop.Reason `json:"reason,omitempty"`
		Message string      `json:"message"`
	}
)

// ReadTask is what a run must know of a task of the file.
type ReadTask struct {
	ID     string `json:"id"`
	Title  string `json:"title,omitempty"`
	Digest string `json:"digest"`
	Status Status `json:"status"`
	// More: the plan that is run in the task's place has work left.
	More bool `json:"more,omitempty"`
}
