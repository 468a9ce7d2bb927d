package plan

import (
	"fmt"

	"ralph/internal/loop"
)

// A person may want to approve the approach of a task before it begins
// (Rules.Approve, seed 002's phases UNDERSTAND to APPROVE): a loop of its own
// writes the task's plan; a person approves it, edits its file first, rejects
// the task, or explains what is wrong, and then it is written anew. A reviewer
// may stand in for the person (Opinion); one that is unavailable never
// approves.

// The answers; any other text explains what is wrong.
const (
	sayApprove = "approve"
	sayNever   = "reject"
)

// Planning: a loop is about to write how a task is to be done.
type Planning struct {
	Stamp
	Task string `json:"task"`
	Loop string `json:"loop"`
	From string `json:"from"`
	Most int    `json:"most,omitempty"`
}

func (Planning) Name() string { return "planning_began" }

func (e Planning) Describe() string {
	return fmt.Sprintf("%s  writes its plan: loop %s", e.Task, e.Loop)
}

// apply: a loop is about to write the plan of a task.
func (e Planning) apply(s *State) string {
	t := s.Task(e.Task)
	switch {
	case t == nil || t.Status != Pending || t.Gone || t.Agreed != "":
		return "the task is not to be planned"
	case e.Loop == "" || e.From == "":
		return "a loop and its base are missing"
	}
	t.take(Approving, e.Loop, e.From, e.Most)
	return ""
}

// Opinion is a reviewer's opinion of the approach of a task.
type Opinion struct {
	Approve bool   `json:"approve"`
	Why     string `json:"why,omitempty"`
	// Degraded: substitutes voted for missing reviewers.
	Degraded bool `json:"degraded,omitempty"`
}

// planned has the written plan approved: by the verdict of a reviewer, or by
// asking a person.
func (s *State) planned(t *TaskState, e Stopped) {
	switch {
	case !t.Passed:
		s.fail(t, e.Reason, "its plan was not written: "+e.Message)
		return
	case e.Opinion != nil && (e.Opinion.Approve || !s.wornOut(t, t.Fails+1)):
		s.followOpinion(t, *e.Opinion)
		return
	case e.Opinion != nil: // its authors and its reviewers do not agree
		t.Fails++
		e.Output = "a reviewer did not agree again: " + e.Opinion.Why + "; " + e.Output
	}
	t.Rests, t.Commit = ForPerson, ""
	s.question(e.At, Question{
		About: AboutApproach, Task: t.ID, No: sayNever,
		Question: loop.Question{
			Text:    "the plan of " + t.ID + ": approve it, or say what is wrong; " + e.Output,
			Options: []string{sayApprove, sayNever},
		},
	})
}

func (s *State) decideApproach(q Question) {
	t := s.Task(q.Task)
	if t == nil || t.Status != Approving {
		return
	}
	t.Status, t.Rests = Pending, ""
	switch {
	case q.is(sayApprove):
		t.agree(false)
	case q.is(sayNever):
		s.fail(t, loop.Manual, "its plan was rejected")
	default:
		t.Fails = 0 // as whatever a person wants done again
		s.again(t, "a person did not agree to the plan: "+q.Answer)
	}
}

// agree records the approval of the approach: a reviewer's, or a person's.
func (t *TaskState) agree(reviewed bool) {
	t.Agreed, t.Reviewed, t.Why = t.Loop, reviewed, ""
}

// followOpinion has an approach that a reviewer rejects written anew, as often
// as a task may fail.
func (s *State) followOpinion(t *TaskState, o Opinion) {
	t.Status, t.Rests, t.Commit = Pending, "", ""
	if o.Approve {
		t.agree(true)
		return
	}
	t.Fails++
	s.again(t, "a reviewer did not agree to the plan: "+o.Why)
}
