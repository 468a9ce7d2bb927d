package plan

import (
	"strings"

	"ralph/internal/loop"
)

// A person may want to agree to how a task is done before it begins
// (Rules.Approve, seed 002's phases UNDERSTAND to APPROVE): a loop of its own
// writes the task's plan, a person approves it, edits its file, or says what is
// wrong, and then it is written anew.

// approvalQuestion begins what is asked about the plan of a task.
const approvalQuestion = "the plan of "

// takePlanning: a loop is about to write the plan of a task.
func (s *State) takePlanning(e Planning) string {
	t := s.Task(e.Task)
	switch {
	case t == nil || t.Status != Pending || t.Gone || t.Agreed:
		return "the task is not to be planned"
	case e.Loop == "" || e.From == "":
		return "a loop and its base are missing"
	}
	t.Status, t.Loop, t.From, t.Most, t.Rests, t.Turns = Approving, e.Loop, e.From, e.Most, "", 1
	t.Tries++
	return ""
}

// planned asks a person about the plan that was written.
func (s *State) planned(t *TaskState, e Stopped) {
	if !t.Passed {
		s.fail(t, e.Reason, "its plan was not written: "+e.Message)
		return
	}
	t.Rests, t.Commit = ForApproval, ""
	s.question(Asked{e.Stamp, loop.Question{
		Text:    approvalQuestion + t.ID + ": approve it, or say what is wrong; " + e.Output,
		Options: []string{"approve"},
	}})
}

// ForApproval: the plan of a task waits for a person.
const ForApproval loop.Reason = "approval"

// agree takes the answer to such a question.
func (s *State) agree(q *loop.Question) {
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if t.Status != Approving || !strings.HasPrefix(q.Text, approvalQuestion+t.ID+":") {
			continue
		}
		t.Status, t.Rests = Pending, ""
		if strings.EqualFold(strings.TrimSpace(q.Answer), "approve") {
			t.Agreed, t.Why = true, ""
			return
		}
		t.Fails++
		s.again(t, "a person did not agree to the plan: "+q.Answer)
		return
	}
}
