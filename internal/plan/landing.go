package plan

import (
	"fmt"
	"slices"

	"ralph/internal/loop"
)

// The way of passed work to the integration branch: one task lands at a
// time, onto the current tip.

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

// LandBegan: the integration of a task's commits onto the tip begins.
type LandBegan struct {
	Stamp
	Task string `json:"task"`
	Onto string `json:"onto"`
}

func (LandBegan) Name() string { return "land_began" }

func (e LandBegan) Describe() string { return fmt.Sprintf("%s lands on %.7s", e.Task, e.Onto) }

// apply: a landing whose repair rests yields to others.
func (e LandBegan) apply(s *State) string {
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

// Repairing: a loop repairs the conflict that kept a task from landing.
type Repairing struct {
	Stamp
	Task  string   `json:"task"`
	Loop  string   `json:"loop"`
	Why   string   `json:"why"`
	Files []string `json:"files,omitempty"`
}

func (Repairing) Name() string { return "land_repairing" }

func (e Repairing) Describe() string {
	return fmt.Sprintf("%s  does not fit: %s; loop %s repairs it", e.Task, e.Why, e.Loop)
}

func (e Repairing) apply(s *State) string {
	t := s.Task(e.Task)
	switch {
	case t == nil || t.Status != Landing || t.Onto == "":
		return e.Task + " is not being landed"
	case t.Repair != "" || t.Repaired:
		return "one repair is all that a landing gets"
	case s.Left() < 1:
		t.awaitBudget(e.Why)
		return ""
	}
	t.Repair, t.Message, t.Turns, t.Most = e.Loop, e.Why, 1, min(mostRepairing, max(s.Rules.PerTask, 1), s.Left())
	return ""
}

// Landed: the integration branch is about to hold the task's work. It is
// recorded before the branch moves.
type Landed struct {
	Stamp
	Task   string `json:"task"`
	Commit string `json:"commit"`
	Output string `json:"output,omitempty"`
}

func (Landed) Name() string { return "landed" }

func (e Landed) Describe() string { return fmt.Sprintf("%s landed as %.10s", e.Task, e.Commit) }

func (e Landed) apply(s *State) string {
	t := s.Task(e.Task)
	switch {
	case t == nil || t.Status != Landing || t.Onto == "":
		return e.Task + " is not being landed"
	case e.Commit == "":
		return "the commit is missing"
	case t.Onto != s.Tip: // earlier versions recorded this instead of LandingStale
		t.Onto = ""
		return ""
	}
	s.landed(t, e.Commit, e.Output)
	return ""
}

// LandingStale: the tip moved while a task was being landed, because a repair that
// waited was faster. Nothing landed; the task is landed again on the new tip.
type LandingStale struct {
	Stamp
	Task string `json:"task"`
	// Onto is where the landing began, Tip where the branch is now.
	Onto string `json:"onto"`
	Tip  string `json:"tip"`
}

func (LandingStale) Name() string { return "landing_stale" }

func (e LandingStale) Describe() string {
	return fmt.Sprintf("%s lands again: the tip moved from %.7s to %.7s", e.Task, e.Onto, e.Tip)
}

func (e LandingStale) apply(s *State) string {
	t := s.Task(e.Task)
	switch {
	case t == nil || t.Status != Landing || t.Onto == "" || t.Repair != "":
		return e.Task + " is not being landed"
	case t.Onto == s.Tip:
		return "the tip has not moved"
	}
	t.Onto = ""
	return ""
}

// Current returns the event to record for e, the result of a job: a landing on a tip
// that has moved since the job began is stale.
func (s State) Current(e Event) Event {
	landed, ok := e.(Landed)
	if !ok {
		return e
	}
	t := s.Task(landed.Task)
	if t == nil || t.Status != Landing || t.Onto == "" || t.Onto == s.Tip {
		return e
	}
	return LandingStale{Stamp: landed.Stamp, Task: t.ID, Onto: t.Onto, Tip: s.Tip}
}

func (s *State) landed(t *TaskState, commit, output string) {
	t.Status, t.Landed, t.Output, t.Message, t.Reason = Done, commit, output, "", ""
	s.Tip, s.Accepted = commit, "" // the merged work is no longer complete
}

// Repaired: the loop that repaired a landing passed. Where the tip has moved
// meanwhile, its work is landed anew.
type Repaired struct {
	Stamp
	Task     string `json:"task"`
	Loop     string `json:"loop"`
	Commit   string `json:"commit"`
	Output   string `json:"output,omitempty"`
	Attempts int    `json:"attempts,omitempty"`
	// Concerns are the codes of the concerns about the repair, with commas between them.
	Concerns string `json:"look,omitempty"`
}

func (Repaired) Name() string { return "repaired" }

func (e Repaired) Describe() string { return fmt.Sprintf("%s repaired: loop %s", e.Task, e.Loop) }

// apply: the repaired work stands on an earlier tip. Where others have landed
// meanwhile, it is landed anew, as the work of the loop that repaired it.
func (e Repaired) apply(s *State) string {
	t := s.Task(e.Task)
	switch {
	case t == nil || t.Status != Landing || t.Repair == "" || t.Repair != e.Loop:
		return e.Task + " is not being repaired"
	case e.Commit == "":
		return "the commit is missing"
	}
	s.spend(t, e.Attempts)
	s.beside(e.Attempts)
	t.Rests, t.Concerns = "", both(t.Concerns, e.Concerns)
	if t.Onto == s.Tip {
		s.landed(t, e.Commit, e.Output)
		return ""
	}
	t.Loop, t.Child, t.Commit, t.Repaired = e.Loop, false, e.Commit, true
	s.queue(t)
	return ""
}

// NotLanded: the work of a task is kept, and does not fit.
type NotLanded struct {
	Stamp
	Task     string `json:"task"`
	Message  string `json:"message"`
	Attempts int    `json:"attempts,omitempty"`
	// Reason loop.Budget: the repair could not be paid to its end. The work is
	// landed when there is more.
	Reason loop.Reason `json:"reason,omitempty"`
	// Granted is what people permitted the loop that repaired it.
	Granted loop.Granted `json:"granted,omitzero"`
}

func (NotLanded) Name() string { return "not_landed" }

func (e NotLanded) Describe() string { return fmt.Sprintf("%s conflict: %s", e.Task, e.Message) }

func (e NotLanded) apply(s *State) string {
	t := s.Task(e.Task)
	if t == nil || t.Status != Landing {
		return e.Task + " is not to be landed"
	}
	t.Upheld = t.Upheld.with(e.Granted)
	s.spend(t, e.Attempts)
	s.beside(e.Attempts)
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
// continues where it is.
func (s *State) unpaid() bool {
	return slices.ContainsFunc(s.Tasks, func(t TaskState) bool { return t.awaitsBudget() })
}

func (t *TaskState) awaitsBudget() bool {
	return t.Status == Landing && t.Repair == "" && t.Rests == loop.Budget
}
