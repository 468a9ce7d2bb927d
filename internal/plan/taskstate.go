package plan

import (
	"cmp"

	"ralph/internal/loop"
)

// TaskState is the state of one task in the run. It is comparable: an unchanged
// one is not written again.
type TaskState struct {
	ID    string `json:"id"`
	Title string `json:"title,omitempty"`
	// Digest of the task's text in the file: another one is another task.
	Digest string `json:"digest"`
	// Changed is the digest of the present text of the file, while the loop
	// works on the earlier one.
	Changed string `json:"changed,omitempty"`
	// Insist: a person did not accept its tick in the file as done.
	Insist bool `json:"insist,omitempty"`
	// Claimed: its box was ticked while agents ran; a person decides whether
	// that counts.
	Claimed bool `json:"claimed,omitempty"`
	// Proposes are checks, with NUL between them, that a person has to approve before it is
	// worked on. Without are those that a person decided to leave out.
	Proposes string      `json:"proposes,omitempty"`
	Without  string      `json:"without,omitempty"`
	Status   Status      `json:"status"`
	Reason   loop.Reason `json:"reason,omitempty"`
	Message  string      `json:"message,omitempty"`
	// Loop is the newest of the task, which starts from From; Tries counts them.
	Loop  string `json:"loop,omitempty"`
	From  string `json:"from,omitempty"`
	Tries int    `json:"tries,omitempty"`
	// Child: Loop is the id of a plan that is run in place of the task.
	Child bool `json:"child,omitempty"`
	// Began is how many attempts the child had made before. Own are those that
	// its budget adds to the plan's, where no number was given for all: while it
	// runs those that it may make, then those that it made.
	Began int `json:"began,omitempty"`
	// Mark is the child's newest event then: its result came after it.
	Mark int64 `json:"mark,omitempty"`
	Own  int   `json:"own,omitempty"`
	// Why it is worked on again.
	Why string `json:"why,omitempty"`
	// Upheld is what people permitted by upholding disputes of its loops.
	Upheld Upheld `json:"upheld,omitzero"`
	// Told is a person's decision about it when reviewers asked.
	Told string `json:"told,omitempty"`
	// Before is the loop of the try before.
	Before string `json:"before,omitempty"`
	// Most attempts that the loop may make.
	Most int `json:"most,omitempty"`
	// Fails counts tries without progress.
	Fails int `json:"fails,omitempty"`
	// Turns counts how often the loop was resumed.
	Turns int `json:"turns,omitempty"`
	// Passed: the newest loop passed. Commit is its work.
	Passed bool   `json:"passed,omitempty"`
	Commit string `json:"commit,omitempty"`
	// Concerns are the codes of the concerns about that work, with commas between them.
	Concerns string `json:"look,omitempty"`
	// Proof says in few words how that work was proved; empty where it has none of its own.
	Proof string `json:"proof,omitempty"`
	// Past is the work of a loop from before the task was begun anew.
	Past string `json:"past,omitempty"`
	// Onto is the tip on which the landing in progress began; Repair the loop
	// that repairs a conflict; Landed the commit of the integration branch.
	// Repaired: one loop has repaired it already.
	Onto     string `json:"onto,omitempty"`
	Repair   string `json:"repair,omitempty"`
	Repaired bool   `json:"mended,omitempty"`
	Landed   string `json:"landed,omitempty"`
	// Output is the file that describes the task's work.
	Output string `json:"output,omitempty"`
	// Rests is why the loop in progress, or the review, does not continue: it
	// waits for a person or is paused, and blocks no other task.
	Rests loop.Reason `json:"rests,omitempty"`
	// Held is its review where that waits for reviewers.
	Held Held `json:"held,omitzero"`
	// Agreed is the loop that wrote the approach, where it was approved
	// (Rules.Approve). Reviewed: a reviewer approved it, not a person.
	Agreed   string `json:"agreed,omitempty"`
	Reviewed bool   `json:"agreed_by_review,omitempty"`
	Attempts int    `json:"attempts,omitempty"`
	// Spent are those of them that loops made which the budget had cut short: the
	// rest of the task's attempts continues (see cutShort).
	Spent int `json:"spent,omitempty"`
	// AtStart are those that it had when the newest run began.
	AtStart int `json:"at_start,omitempty"`
	// Earlier are those that the file recorded when it was read first.
	Earlier int `json:"earlier,omitempty"`
	// Granted are those that it had when a person began it again.
	Granted int `json:"granted,omitempty"`
	// Queue is the order in which tasks came to be landed; from 1.
	Queue int `json:"queue,omitempty"`
	// Gap is the text of the finding that the task is to close. Such a task stands
	// in the record only (see GapTasks).
	Gap string `json:"gap,omitempty"`
	// Blocked is what stopped the newest agent of the task, by its own report.
	Blocked string `json:"blocked,omitempty"`
	// Gone: the file does not have the task any more.
	Gone bool `json:"gone,omitempty"`
}

// The statuses of a run only: a file calls them running. InReview is under
// review, Approving is a task whose plan is written and agreed to.
const (
	Landing   Status = "landing"
	InReview  Status = "reviewing"
	Approving Status = "approving"
)

// busy: an agent is at work on the task, or is asked about the work.
func (t TaskState) busy() bool {
	switch t.Status {
	case Running, Landing, InReview, Approving:
		return true
	}
	return false
}

// Recorded is the number of attempts for the plan's file: its own and ours.
func (t TaskState) Recorded() int { return t.Earlier + t.Attempts }

// Left is the newest commit that a loop of the task left, landed or not; "" is
// none.
func (t TaskState) Left() string { return cmp.Or(t.Commit, t.Past) }

// byHand: the file called it done; no loop of ours did it.
func (t TaskState) byHand() bool { return t.Status == Done && t.Loop == "" }

// Proved: a loop of ours did it, and it stays done whatever the file has.
func (t TaskState) Proved() bool { return t.Status == Done && t.Loop != "" }

// Now is the loop in progress, or "".
func (t TaskState) Now() string {
	switch t.Status {
	case Running, Approving:
		return t.Loop
	case Landing:
		return t.Repair
	}
	return ""
}

// anew returns the task with its history, ready to begin again.
func (t TaskState) anew() TaskState {
	return TaskState{
		ID: t.ID, Title: t.Title, Digest: t.Digest, Status: Pending,
		Tries: t.Tries, Attempts: t.Attempts, AtStart: t.AtStart, Earlier: t.Earlier, Granted: t.Attempts, Own: t.Own, Gap: t.Gap, Gone: t.Gone, Insist: t.Insist, Past: t.Left(), Told: t.Told, Upheld: t.Upheld, Proposes: t.Proposes, Without: t.Without,
	}
}
