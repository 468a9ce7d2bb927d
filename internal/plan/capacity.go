package plan

import (
	"slices"

	"ralph/internal/loop"
)

// Budget returns how many attempts all tasks may have together. A given number
// also holds for plans in place of tasks, for plans of tasks and for repairs.
// Otherwise every task has its own attempts, each plan in the place of a task a
// budget of its own, and planning and repairs are counted beside them.
func (s *State) Budget() int { return s.BudgetFor(nil) }

// BudgetFor is Budget of a run that is about these tasks only; nil is all. Tasks that
// were done before it have no share.
func (s *State) BudgetFor(wanted []string) int {
	if s.bounded() {
		return s.Rules.Attempts
	}
	own, tasks := s.Aside, 0
	for i := range s.Tasks {
		t := &s.Tasks[i]
		own += t.Own
		if t.Attempts > t.AtStart || !t.needsNoWork() && (wanted == nil || slices.Contains(wanted, t.ID)) {
			tasks++
		}
	}
	return max(UsualBudget(tasks, s.Rules.Patience())+own, s.Attempts)
}

// needsNoWork: nothing is to be done for the task.
func (t *TaskState) needsNoWork() bool { return t.Gone || t.Status == Done || t.Status == Skipped }

// UsualBudget returns the attempts that a plan of so many tasks may make,
// where no number is given: each task has its own. (Seed 002's bound of three for
// each task counts the turns of its scheduler, each with several attempts.)
func UsualBudget(tasks, perTask int) int { return tasks * perTask }

// Made counts the attempts of all runs of the plan; Attempts are those of the newest.
func (s *State) Made() int {
	n := 0
	for _, t := range s.Tasks {
		n += t.Attempts
	}
	return max(n, s.Attempts)
}

// bounded: a number was given for the attempts of all tasks together.
func (s *State) bounded() bool { return s.Rules.Attempts > 0 }

// Patience returns how many attempts one task may have where no number is given for
// all. A section that advances chunk by chunk has three times as many.
func (r Rules) Patience() int {
	if r.Chunks {
		return 3 * r.PerTask
	}
	return r.PerTask
}

// ownBudget: attempts of a child are not taken from the others.
func (s *State) ownBudget(t *TaskState) bool { return t.Child && !s.bounded() }

// beside counts attempts that are not those of a task's own work: of its planning, of
// the repair of its landing, of the proof of the whole.
func (s *State) beside(attempts int) {
	if !s.bounded() {
		s.Aside += attempts
	}
}

// Left returns the rest of a given budget if running tasks use their whole share.
func (s *State) Left() int {
	if !s.bounded() {
		return plenty
	}
	left := s.Budget() - s.Attempts
	for i := range s.Tasks {
		switch t := &s.Tasks[i]; {
		case t.Rests == ForPerson:
		case t.Status == Running, t.Status == Approving:
			left -= t.Most
		case t.Status == Landing && t.Repair != "":
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

// mostPlanning attempts of a loop that writes a task's plan, and mostRepairing of one that repairs
// the conflict of a landing.
const (
	mostPlanning  = 3
	mostRepairing = 3
)

// ForCapacity: the loop could continue, but the limit of parallel tasks is reached.
const ForCapacity loop.Reason = "room"

// atWork reports whether a loop of the task counts among those that may run at
// once.
func (t *TaskState) atWork() bool { return t.Status == Running || t.Status == Approving }

// resume continues a waiting loop, at once or when there is capacity: several
// answers may arrive at the same time, or during a pause of the plan.
func (t *TaskState) resume() {
	if t.atWork() {
		t.Rests = ForCapacity
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
		if t := &s.Tasks[i]; t.Rests == ForCapacity && free > 0 && !s.PauseAsked && s.Status != loop.Paused {
			t.Rests = ""
			t.Turns++
			free--
		}
	}
}
