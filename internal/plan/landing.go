package plan

import (
	"slices"

	"ralph/internal/loop"
)

// What happens to passed work on its way to the integration branch: one task
// lands at a time, onto the tip that stands.

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

// takeLandBegan: a landing whose repair rests lets others go first.
func (s *State) takeLandBegan(e LandBegan) string {
	t := s.Task(e.Task)
	switch {
	case t == nil || t.Status != Landing:
		return e.Task + " is not to be landed"
	case e.Onto != s.Tip:
		return "the tip is " + s.Tip
	}
	for i := range s.Tasks {
		if o := &s.Tasks[i]; o.Status == Landing && o.Onto != "" && o.Rests == "" && o.ID != t.ID {
			return o.ID + " is being landed"
		}
	}
	t.Onto = e.Onto
	return ""
}

func (s *State) takeRepairing(e Repairing) string {
	t := s.Task(e.Task)
	switch {
	case t == nil || t.Status != Landing || t.Onto == "":
		return e.Task + " is not being landed"
	case t.Repair != "" || t.Mended:
		return "one repair is all that a landing gets"
	case s.Left() < 1:
		t.awaitBudget(e.Why)
		return ""
	}
	t.Repair, t.Message, t.Turns = e.Loop, e.Why, 1
	return ""
}

func (s *State) takeLanded(e Landed) string {
	t := s.Task(e.Task)
	switch {
	case t == nil || t.Status != Landing || t.Onto == "":
		return e.Task + " is not being landed"
	case e.Commit == "":
		return "the commit is missing"
	case t.Onto != s.Tip: // a repair that rested was faster: it is landed anew
		t.Onto = ""
		return ""
	}
	s.landed(t, e.Commit, e.Output)
	return ""
}

func (s *State) landed(t *TaskState, commit, output string) {
	t.Status, t.Landed, t.Output, t.Message, t.Reason = Done, commit, output, "", ""
	s.Tip, s.Accepted = commit, "" // what was brought home is not all any more
}

// takeRepaired: what was mended stands on the tip of then. Where others have
// landed meanwhile, it is landed anew, as the work of the loop that mended it.
func (s *State) takeRepaired(e Repaired) string {
	t := s.Task(e.Task)
	switch {
	case t == nil || t.Status != Landing || t.Repair == "" || t.Repair != e.Loop:
		return e.Task + " is not being mended"
	case e.Commit == "":
		return "the commit is missing"
	}
	s.spend(t, e.Attempts)
	t.Rests = ""
	if t.Onto == s.Tip {
		s.landed(t, e.Commit, e.Output)
		return ""
	}
	t.Loop, t.Child, t.Commit, t.Mended = e.Loop, false, e.Commit, true
	s.queue(t)
	return ""
}

func (s *State) takeNotLanded(e NotLanded) string {
	t := s.Task(e.Task)
	if t == nil || t.Status != Landing {
		return e.Task + " is not to be landed"
	}
	s.spend(t, e.Attempts)
	if e.Reason == loop.Budget {
		t.awaitBudget(e.Message)
		return ""
	}
	t.Onto = ""
	s.fail(t, loop.Conflict, e.Message)
	return ""
}

// awaitBudget leaves proved work where it is until a run has budget for the
// repair that its landing needs.
func (t *TaskState) awaitBudget(why string) {
	t.Onto, t.Repair, t.Rests, t.Message = "", "", loop.Budget, why
}

// unpaid: work waits for budget to be landed. A repair that its budget has paused
// goes on where it is.
func (s *State) unpaid() bool {
	return slices.ContainsFunc(s.Tasks, func(t TaskState) bool { return t.awaitsBudget() })
}

func (t *TaskState) awaitsBudget() bool {
	return t.Status == Landing && t.Repair == "" && t.Rests == loop.Budget
}
