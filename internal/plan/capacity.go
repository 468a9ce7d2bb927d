package plan

import "ralph/internal/loop"

// Budget returns how many attempts all tasks may have together. A given number
// also holds for plans in place of tasks; otherwise each of those has a budget
// of its own.
func (s *State) Budget() int {
	if s.Rules.Attempts > 0 {
		return s.Rules.Attempts
	}
	own := 0
	for i := range s.Tasks {
		own += s.Tasks[i].Own
	}
	return UsualBudget(len(s.Tasks)) + own
}

// UsualBudget returns the attempts that a plan of so many tasks may make,
// where no number is given (seed 002).
func UsualBudget(tasks int) int { return 3 * tasks }

// ownBudget: attempts of a child are not taken from the others.
func (s *State) ownBudget(t *TaskState) bool { return t.Child && s.Rules.Attempts == 0 }

// Left returns the rest of the budget if running tasks use their whole share.
func (s *State) Left() int {
	left := s.Budget() - s.Attempts
	for i := range s.Tasks {
		switch t := &s.Tasks[i]; {
		case t.Rests == ForPerson:
		case t.Status == Running, t.Status == Approving:
			left -= t.Most
		case t.Status == Landing && t.Repair != "":
			left-- // a repair is one attempt
		}
	}
	return left
}

// shareOfChild returns the part of the budget for the plan in a task's place,
// for all of its tasks; 0 if that plan has its own budget.
func (s *State) shareOfChild(share int) int {
	if s.Rules.Attempts == 0 {
		return 0
	}
	return share
}

// most attempts of one loop.
func (s *State) most() int {
	if s.Rules.Chunks {
		return 1
	}
	return s.Rules.PerTask
}

// mostPlanning attempts of a loop that writes a task's plan.
const mostPlanning = 3

// ForRoom: the loop could continue, but the limit of parallel tasks is reached.
const ForRoom loop.Reason = "room"

// atWork reports whether a loop of the task counts among those that may run at
// once.
func (t *TaskState) atWork() bool { return t.Status == Running || t.Status == Approving }

// resume continues a waiting loop, at once or when there is capacity: several
// answers may arrive at the same time, or during a pause of the plan.
func (t *TaskState) resume() {
	if t.atWork() {
		t.Rests = ForRoom
		return
	}
	t.Rests = ""
	t.Turns++
}

// useCapacity resumes tasks that waited for capacity, in the file's order. A run
// that is to pause resumes nothing.
func (s *State) useCapacity() {
	free := max(s.Rules.Parallel, 1)
	for i := range s.Tasks {
		if t := &s.Tasks[i]; t.atWork() && t.Rests == "" {
			free--
		}
	}
	for i := range s.Tasks {
		if t := &s.Tasks[i]; t.Rests == ForRoom && free > 0 && !s.PauseAsked && s.Status != loop.Paused {
			t.Rests = ""
			t.Turns++
			free--
		}
	}
}
