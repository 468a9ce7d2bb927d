package plan

import "ralph/internal/loop"

// ForRoom: the loop could go on, and as many tasks are at work as may be at once.
const ForRoom loop.Reason = "room"

// atWork: a loop of the task counts among those that may be at work at once.
func (t *TaskState) atWork() bool { return t.Status == Running || t.Status == Approving }

// goOn takes up a loop that rested, at once or when there is room: several may be
// answered at the same time, or come out of a pause with the plan.
func (t *TaskState) goOn() {
	if t.atWork() {
		t.Rests = ForRoom
		return
	}
	t.Rests = ""
	t.Turns++
}

// makeRoom lets go on what waited for that, in the file's order. A run that is to
// pause takes up nothing.
func (s *State) makeRoom() {
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
