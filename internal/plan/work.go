package plan

import (
	"fmt"
	"time"

	"ralph/internal/loop"
)

// The loop that works on a task.

// Started: a loop is about to work on a task.
type Started struct {
	Stamp
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

func (Started) Name() string { return "task_started" }

func (e Started) Describe() string { return fmt.Sprintf("%s begins: loop %s", e.Task, e.Loop) }

func (e Started) apply(s *State) string {
	t := s.Task(e.Task)
	switch {
	case t == nil:
		return "no such task: " + e.Task
	case t.Status != Pending || t.Gone:
		return "the task is " + string(t.Status)
	case e.Loop == "" || e.From == "":
		return "a loop and its base are missing"
	}
	t.take(Running, e.Loop, e.From, e.Most)
	t.Child, t.Began, t.Mark = e.Child, e.Began, e.Mark
	if s.ownBudget(t) {
		t.Own += e.Most
	}
	return ""
}

// take notes the loop that is about to begin.
func (t *TaskState) take(status Status, id, from string, most int) {
	t.Before = t.Loop
	t.Status, t.Loop, t.From, t.Most = status, id, from, most
	t.Reason, t.Message, t.Rests, t.Passed, t.Repaired = "", "", "", false, false
	t.Tries++
	t.Turns = 1
}

// Taken: the loop of a task is resumed, after a crash or an answer.
type Taken struct {
	Stamp
	Task string `json:"task"`
	// Unanswered is its question, where no answer came in time.
	Unanswered *loop.Question `json:"settled,omitempty"`
}

func (Taken) Name() string { return "task_taken_up" }

func (e Taken) Describe() string { return subject(e.Task) + " is resumed" }

// apply resumes a loop that rested.
func (e Taken) apply(s *State) string {
	switch t := s.Task(e.Task); {
	case e.Task == "" && s.Stage == Proving && s.Final != "":
		s.FinalRests = ""
		s.FinalTurns++
	case t == nil || t.Now() == "":
		return "no loop of " + e.Task + " is in progress"
	default:
		t.resume()
	}
	s.noteUnanswered(e)
	if s.Status == loop.Waiting {
		s.stand(loop.Running, "", "")
	}
	return ""
}

// Stopped: a loop stopped by itself: that of a task, the one that repairs its
// landing, or with no Task the one that proves the plan.
type Stopped struct {
	Stamp
	Task     string      `json:"task"`
	Loop     string      `json:"loop"`
	Status   loop.Status `json:"status"`
	Reason   loop.Reason `json:"reason,omitempty"`
	Message  string      `json:"message,omitempty"`
	Commit   string      `json:"commit,omitempty"`
	Attempts int         `json:"attempts,omitempty"`
	// Progress: its work differs from what it started from.
	Progress bool `json:"progress,omitempty"`
	// Unchanged: its gates were green before, and it changed nothing.
	Unchanged bool `json:"unchanged,omitempty"`
	// Output is the path of its text, Opinion a reviewer's opinion of it: nil
	// where a person decides.
	Output  string   `json:"output,omitempty"`
	Opinion *Opinion `json:"opinion,omitempty"`
	// Concerns are the codes of the concerns about its work, with commas between them.
	Concerns string `json:"look,omitempty"`
	// Proof says in few words how its work was proved: loop.State.ProofLabel.
	Proof string `json:"proof,omitempty"`
	// Until is when the default of its loop's question is taken; zero is never.
	Until time.Time `json:"until,omitzero"`
	// Granted is what people permitted its loop.
	Granted loop.Granted `json:"granted,omitzero"`
}

func (Stopped) Name() string { return "task_stopped" }

func (e Stopped) Describe() string {
	return subject(e.Task) + " stopped: " + because(string(e.Status), e.Message)
}

func (e Stopped) apply(s *State) string {
	t := s.Task(e.Task)
	switch {
	case e.Task == "" && e.Loop == s.Final && s.Stage == Proving && !e.Status.Terminal():
		s.FinalRests = e.rests()
		return ""
	case t == nil || t.Now() == "" || t.Now() != e.Loop:
		return "this loop of " + e.Task + " is not in progress"
	case !e.Status.Terminal():
		t.Message, t.Rests = e.Message, e.rests()
		return ""
	case t.Status == Landing:
		return "a landing ends by its own events"
	}
	t.Message, t.Rests, t.Passed, t.Commit, t.Reason = e.Message, "", e.Status == loop.StatusPassed, e.Commit, e.Reason
	t.Concerns, t.Proof, t.Upheld = e.Concerns, e.Proof, t.Upheld.with(e.Granted)
	s.spend(t, e.Attempts)
	if t.Status == Approving {
		s.beside(e.Attempts)
		t.Granted += e.Attempts
	}
	if s.ownBudget(t) {
		t.Own = max(t.Own+e.Attempts-t.Most, 0)
	}
	if !t.Passed && !e.Progress {
		t.Fails++
	}
	switch {
	case t.Status == Approving:
		s.planned(t, e)
	case s.Rules.Chunks && !t.Child && t.Gap == "" && e.Unchanged && t.Tries > 1: // what a gap needs is asked about all gaps
		s.askUnchanged(t, e)
	case s.Rules.Chunks && !t.Child && !hopeless(e.Reason):
		t.Status = InReview
	case t.Passed:
		s.queue(t)
	case s.cutShort(t, e):
		t.Status, t.Why = Pending, "the loop before had no more of the plan's budget: "+e.Message
	default:
		s.fail(t, e.Reason, e.Message)
	}
	return ""
}

// cutShort: the loop has used all that the budget could spare when it began,
// and that was less than a task may have. It continues as soon as others have
// returned their unused attempts.
func (s *State) cutShort(t *TaskState, e Stopped) bool {
	switch {
	case e.Reason != loop.MaxAttempts, e.Attempts < t.Most:
		return false
	case t.Child: // it has tasks left; only a number given for all cuts it short
		return s.bounded()
	case t.Most >= s.most()-t.Spent:
		return false
	}
	t.Spent += e.Attempts
	return true
}

// rests is why a loop that has not ended stopped.
func (e Stopped) rests() loop.Reason {
	if e.Reason != "" {
		return e.Reason
	}
	return loop.Reason(e.Status)
}

// hopeless reports whether the end of a chunk leaves nothing to review or to
// continue.
func hopeless(r loop.Reason) bool {
	switch r {
	case loop.Budget, loop.AgentError, loop.SetupError, loop.GitError, loop.Manual:
		return true
	}
	return false
}

// spend counts attempts that were made for a task.
func (s *State) spend(t *TaskState, attempts int) {
	t.Attempts += attempts
	s.Attempts += attempts
}

func (s *State) fail(t *TaskState, reason loop.Reason, message string) {
	t.Status, t.Reason, t.Message, t.Rests = Failed, reason, message, ""
}

// TaskWaits: the loop of a task waits for the end of a usage limit, and
// continues by itself; without a time it has continued. No Task is the loop
// that proves the plan.
type TaskWaits struct {
	Stamp
	Task  string    `json:"task,omitempty"`
	Until time.Time `json:"until,omitzero"`
	Why   string    `json:"why,omitempty"`
}

func (TaskWaits) Name() string { return "task_waits" }

// Describe reports until when the loop waits.
func (e TaskWaits) Describe() string {
	if e.Until.IsZero() {
		return subject(e.Task) + " continues"
	}
	return because(subject(e.Task)+" waits until "+e.Until.UTC().Format(time.RFC3339), e.Why)
}

func (TaskWaits) apply(*State) string { return "" } // the loop has it
