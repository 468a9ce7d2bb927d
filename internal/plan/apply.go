package plan

import (
	"fmt"
	"slices"
	"time"

	"ralph/internal/loop"
)

// RefusedError says that an event cannot happen in a state.
type RefusedError struct {
	Event, Why string
}

func (e *RefusedError) Error() string { return fmt.Sprintf("plan: %s: %s", e.Event, e.Why) }

// Begin is the state of a plan that nobody has run yet.
func Begin(id, file, title, branch, base string, r Rules) State {
	return State{
		ID: id, File: file, Title: title, Branch: branch, Base: base, Tip: base,
		Rules: r, Status: loop.Pending, Stage: Working,
	}
}

// Apply is the state after an event. What cannot happen is refused with a
// *RefusedError, and changes nothing.
func Apply(s State, e Event) (State, error) {
	s.Tasks = slices.Clone(s.Tasks)
	s.Findings = slices.Clone(s.Findings)
	s.Questions = slices.Clone(s.Questions)
	if why := s.take(e); why != "" {
		return State{}, &RefusedError{Name(e), why}
	}
	if at := e.When(); at.After(s.LastAt) {
		s.LastAt = at
	}
	s.advance(e.When())
	return s, nil
}

func (s *State) take(e Event) string {
	switch e := e.(type) {
	case Read:
		return s.takeRead(e)
	case Opened:
		return s.takeOpened(e)
	case Resumed:
		return s.takeResumed(e)
	case Resolved:
		return s.resolve(e.Text, e.By)
	case Noted:
		s.Note = e.Text
		return ""
	case Accepted:
		s.Accepted = e.Commit
		return ""
	}
	if s.Status.Terminal() {
		return "the run has ended"
	}
	switch e := e.(type) {
	case Started:
		return s.takeStarted(e)
	case Planning:
		return s.takePlanning(e)
	case Taken:
		return s.takeTaken(e)
	case Stopped:
		return s.takeStopped(e)
	case LandBegan:
		return s.takeLandBegan(e)
	case Repairing:
		return s.takeRepairing(e)
	case Landed:
		return s.takeLanded(e)
	case NotLanded:
		return s.takeNotLanded(e)
	case Judged:
		return s.takeJudged(e)
	case ProofBegan:
		return s.takeProofBegan(e)
	case Proof:
		return s.takeProof(e)
	case Asked:
		s.question(e)
		return ""
	case Answered:
		return s.takeAnswered(e)
	case Found:
		s.find(e.Findings)
		return ""
	case PauseAsked:
		s.PauseAsked = true
		return ""
	case AbortAsked:
		return s.takeAbort(e)
	case Broken:
		return s.takeBroken(e)
	case Rested:
		return s.takeRested(e)
	}
	return "unknown event"
}

func (s *State) takeOpened(e Opened) string {
	if s.Status.Terminal() {
		return "the run has ended"
	}
	if s.StartedAt.IsZero() {
		s.StartedAt = e.At
	}
	if s.Status != loop.Paused {
		s.stand(loop.Running, "", "")
	}
	return ""
}

func (s *State) stand(status loop.Status, reason loop.Reason, message string) {
	s.Status, s.Reason, s.Message = status, reason, message
}

// takeResumed goes on with a paused run; one that has ended begins anew with
// what is left of it.
func (s *State) takeResumed(e Resumed) string {
	s.PauseAsked = false
	if s.Status.Terminal() {
		s.Stage, s.EndedAt, s.Attempts = Working, time.Time{}, 0
	}
	if e.Retry {
		for i := range s.Tasks {
			if t := &s.Tasks[i]; t.Status == Failed {
				*t = TaskState{ID: t.ID, Digest: t.Digest, Status: Pending, Tries: t.Tries, Gone: t.Gone}
			}
		}
	}
	for i := range s.Tasks {
		if t := &s.Tasks[i]; (t.Status == Running || t.Status == Approving) && t.Rests != "" && t.Rests != loop.ForHuman && t.Rests != ForApproval {
			t.Rests = ""
			t.Turns++
		}
	}
	s.stand(loop.Running, "", "")
	return ""
}

func (s *State) takeStarted(e Started) string {
	t := s.Task(e.Task)
	switch {
	case t == nil:
		return "no such task: " + e.Task
	case t.Status != Pending || t.Gone:
		return "the task is " + string(t.Status)
	case e.Loop == "" || e.From == "":
		return "a loop and its base are missing"
	}
	t.Before = t.Loop
	t.Status, t.Loop, t.From, t.Most = Running, e.Loop, e.From, e.Most
	t.Reason, t.Message, t.Rests, t.Passed = "", "", "", false
	t.Tries++
	t.Turns = 1
	return ""
}

func (s *State) takeTaken(e Taken) string {
	t := s.Task(e.Task)
	if t == nil || t.Status != Running && t.Status != Approving {
		return "no loop of " + e.Task + " is under way"
	}
	t.Rests = ""
	t.Turns++
	if s.Status == loop.Waiting {
		s.stand(loop.Running, "", "")
	}
	return ""
}

func (s *State) takeStopped(e Stopped) string {
	t := s.Task(e.Task)
	if t == nil || t.Status != Running && t.Status != Approving || t.Loop != e.Loop {
		return "this loop of " + e.Task + " is not under way"
	}
	t.Message = e.Message
	if !e.Status.Terminal() {
		t.Rests = loop.Reason(e.Status)
		if e.Reason != "" {
			t.Rests = e.Reason
		}
		return ""
	}
	t.Rests, t.Passed, t.Commit, t.Reason = "", e.Status == loop.StatusPassed, e.Commit, e.Reason
	t.Attempts += e.Attempts
	s.Attempts += e.Attempts
	if !t.Passed && !e.Progress {
		t.Fails++
	}
	switch {
	case t.Status == Approving:
		s.planned(t, e)
	case s.Rules.Chunks && e.Reason != loop.Budget && e.Reason != loop.AgentError && e.Reason != loop.SetupError && e.Reason != loop.GitError && e.Reason != loop.Manual:
		t.Status = Reviewed
	case t.Passed:
		s.queue(t)
	default:
		s.fail(t, e.Reason, e.Message)
	}
	return ""
}

// queue puts a task's commits up for landing; without any there is nothing to
// land.
func (s *State) queue(t *TaskState) {
	if t.Commit == "" || t.Commit == t.From && t.Commit == s.Tip {
		t.Status, t.Landed = Done, s.Tip
		return
	}
	t.Status, t.Onto, t.Repair = Landing, "", ""
	for i := range s.Tasks {
		t.Queue = max(t.Queue, s.Tasks[i].Queue+1)
	}
}

func (s *State) fail(t *TaskState, reason loop.Reason, message string) {
	t.Status, t.Reason, t.Message = Failed, reason, message
}

func (s *State) takeBroken(e Broken) string {
	t := s.Task(e.Task)
	if t == nil {
		s.end(e.At, loop.StatusFailed, loop.GitError, e.Message)
		return ""
	}
	switch t.Status {
	case Done, Failed, Skipped:
		return "the task is " + string(t.Status)
	}
	s.fail(t, loop.SetupError, e.Message)
	return ""
}

// takeAbort ends the run. Loops under way are ended by whoever runs them.
func (s *State) takeAbort(e AbortAsked) string {
	reason := e.Reason
	if reason == "" {
		reason = loop.Manual
	}
	for i := range s.Tasks {
		if t := &s.Tasks[i]; t.Status == Running || t.Status == Landing || t.Status == Reviewed || t.Status == Approving {
			t.Rests, t.Onto = "", ""
			s.fail(t, reason, "the plan was aborted")
		}
	}
	s.end(e.At, loop.Aborted, reason, e.Why)
	return ""
}

// Name of an event in records.
func Name(e Event) string {
	switch e.(type) {
	case Opened:
		return "plan_opened"
	case Read:
		return "plan_read"
	case Started:
		return "task_started"
	case Planning:
		return "planning_began"
	case Accepted:
		return "plan_accepted"
	case Noted:
		return "plan_noted"
	case Taken:
		return "task_taken_up"
	case Stopped:
		return "task_stopped"
	case LandBegan:
		return "land_began"
	case Repairing:
		return "land_repairing"
	case Landed:
		return "landed"
	case NotLanded:
		return "not_landed"
	case Judged:
		return "reviewed"
	case ProofBegan:
		return "proof_began"
	case Proof:
		return "proved"
	case Asked:
		return "plan_asked"
	case Answered:
		return "plan_answered"
	case Resolved:
		return "resolved"
	case Found:
		return "found"
	case PauseAsked:
		return "plan_pause_asked"
	case Resumed:
		return "plan_resumed"
	case AbortAsked:
		return "plan_abort_asked"
	case Broken:
		return "broken"
	case Rested:
		return "plan_rested"
	}
	return ""
}
