package plan

import "ralph/internal/loop"

// What happens to the loop that works on a task.

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
	t.Reason, t.Message, t.Rests, t.Passed, t.Mended = "", "", "", false, false
	t.Tries++
	t.Turns = 1
}

// takeTaken: a loop that rested goes on.
func (s *State) takeTaken(e Taken) string {
	switch t := s.Task(e.Task); {
	case e.Task == "" && s.Stage == Proving && s.Final != "":
		s.FinalRests = ""
		s.FinalTurns++
	case t == nil || t.Now() == "":
		return "no loop of " + e.Task + " is under way"
	default:
		t.goOn()
	}
	s.settled(e)
	if s.Status == loop.Waiting {
		s.stand(loop.Running, "", "")
	}
	return ""
}

func (s *State) takeStopped(e Stopped) string {
	t := s.Task(e.Task)
	switch {
	case e.Task == "" && e.Loop == s.Final && s.Stage == Proving && !e.Status.Terminal():
		s.FinalRests = e.rests()
		return ""
	case t == nil || t.Now() == "" || t.Now() != e.Loop:
		return "this loop of " + e.Task + " is not under way"
	case !e.Status.Terminal():
		t.Message, t.Rests = e.Message, e.rests()
		return ""
	case t.Status == Landing:
		return "a landing ends by its own events"
	}
	t.Message, t.Rests, t.Passed, t.Commit, t.Reason = e.Message, "", e.Status == loop.StatusPassed, e.Commit, e.Reason
	s.spend(t, e.Attempts)
	if s.ownBudget(t) {
		t.Own = max(t.Own+e.Attempts-t.Most, 0)
	}
	if !t.Passed && !e.Progress {
		t.Fails++
	}
	switch {
	case t.Status == Approving:
		s.planned(t, e)
	case s.Rules.Chunks && !t.Child && !hopeless(e.Reason):
		t.Status = Reviewed
	case t.Passed:
		s.queue(t)
	case s.cutShort(t, e):
		t.Status, t.Why = Pending, "the loop before had no more of the plan's budget: "+e.Message
	default:
		s.fail(t, e.Reason, e.Message)
	}
	return ""
}

// cutShort: the loop has used all that the budget could spare when it began, and
// that was less than a task may have. It goes on as soon as others have given
// back what they did not need.
func (s *State) cutShort(t *TaskState, e Stopped) bool {
	switch {
	case e.Reason != loop.MaxAttempts, e.Attempts < t.Most:
		return false
	case t.Child: // it has tasks left; only a number given for all cuts it short
		return s.Rules.Attempts > 0
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

// hopeless ends of a chunk leave nothing to review, or say that nobody should go
// on.
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
