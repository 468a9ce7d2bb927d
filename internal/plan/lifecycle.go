package plan

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"ralph/internal/loop"
)

// The life of a run as a whole.

// NeedsProcess reports whether the run is under way: without a process it has crashed.
func (s State) NeedsProcess() bool { return s.Status == loop.Running || s.Status == loop.Pending }

// Opened records that an owner acquired the run.
type Opened struct {
	Stamp
	Owner string `json:"owner"`
	// Place is where the owner runs; empty in old records.
	Place loop.Place `json:"place,omitempty"`
	Gap   loop.Gap   `json:"gap,omitzero"`
}

func (Opened) Name() string { return "plan_opened" }

func (Opened) Describe() string { return "the plan begins" }

func (e Opened) apply(s *State) string {
	s.Place = s.Place.Next(e.Place, s.Status == loop.Waiting && s.Reason == loop.ForHuman)
	if s.StartedAt.IsZero() {
		s.StartedAt = e.At
	}
	if s.Status != loop.Paused {
		s.stand(loop.Running, "", "")
	}
	return ""
}

// Resumed continues a paused run, or one that has ended.
type Resumed struct {
	Stamp
	// Retry the failed tasks; where Wanted names some, only those among them.
	Retry  bool     `json:"retry,omitempty"`
	Wanted []string `json:"wanted,omitempty"`
}

func (Resumed) Name() string { return "plan_resumed" }

// Describe reports whether failed tasks are tried again.
func (e Resumed) Describe() string {
	if e.Retry {
		return "continues; failed tasks are tried again"
	}
	return "continues"
}

func (Resumed) afterEnd() {}

// apply continues a paused run; one that has ended begins again with its
// open tasks, and with all of its budget.
func (e Resumed) apply(s *State) string {
	s.PauseAsked = false
	if s.Status.Terminal() {
		s.Stage, s.EndedAt, s.Attempts, s.Aside = Working, time.Time{}, 0, 0
		s.Final, s.FinalRests, s.FinalTurns, s.GapRounds = "", "", 0, 0
		for i := range s.Tasks {
			s.Tasks[i].Own, s.Tasks[i].AtStart = 0, s.Tasks[i].Attempts
		}
	}
	if s.FinalRests != "" && s.FinalRests != loop.ForHuman {
		s.FinalRests = ""
		s.FinalTurns++
	}
	for i := range s.Tasks {
		switch t := &s.Tasks[i]; {
		case e.retries(t):
			*t = t.anew()
		case t.awaitsBudget():
			t.Rests = ""
		case t.paused():
			t.resume()
		}
	}
	s.stand(loop.Running, "", "")
	return ""
}

// retries reports whether a task is tried again. One that failed before and that the run
// is not about stays failed.
func (e Resumed) retries(t *TaskState) bool {
	return e.Retry && t.Status == Failed && (len(e.Wanted) == 0 || slices.Contains(e.Wanted, t.ID))
}

// AbortAsked ends the run.
type AbortAsked struct {
	Stamp
	Why    string      `json:"why,omitempty"`
	Reason loop.Reason `json:"reason,omitempty"`
}

func (AbortAsked) Name() string { return "plan_abort_asked" }

func (e AbortAsked) Describe() string { return because("asked to stop for good", e.Why) }

// apply ends the run. The engine ends the loops in progress.
func (e AbortAsked) apply(s *State) string {
	reason := e.Reason
	if reason == "" {
		reason = loop.Manual
	}
	for i := range s.Tasks {
		if t := &s.Tasks[i]; t.busy() {
			t.Rests, t.Onto = "", ""
			s.fail(t, reason, "the plan was aborted")
		}
	}
	s.end(e.At, loop.Aborted, reason, cmp.Or(e.Why, "it was ended on request"))
	return ""
}

// Broken: ralph itself could not do something for a task.
type Broken struct {
	Stamp
	Task string `json:"task,omitempty"`
	// Reason is Budget where no budget is left; empty is an error.
	Reason  loop.Reason `json:"reason,omitempty"`
	Message string      `json:"message"`
}

func (Broken) Name() string { return "broken" }

func (e Broken) Describe() string { return fmt.Sprintf("%s %s", e.Task, e.Message) }

func (e Broken) apply(s *State) string {
	switch {
	case e.Task == "" && e.Reason == loop.Budget:
		s.end(e.At, loop.Aborted, loop.Budget, e.Message)
		return ""
	case e.Task == "":
		s.end(e.At, loop.StatusFailed, loop.GitError, e.Message)
		return ""
	}
	t := s.Task(e.Task)
	if t == nil || !t.busy() {
		return "no loop works on " + e.Task
	}
	s.fail(t, cmp.Or(e.Reason, loop.SetupError), e.Message)
	return ""
}

// Rested: the run has stopped, until a person resumes it or forever.
type Rested struct {
	Stamp
	Status  loop.Status `json:"status"`
	Reason  loop.Reason `json:"reason"`
	Message string      `json:"message"`
}

func (Rested) Name() string { return "plan_rested" }

// Describe returns the status and its message.
func (e Rested) Describe() string {
	if e.Message != "" && e.Status == loop.Waiting {
		return "waits: " + e.Message
	}
	return because(string(e.Status), e.Message)
}

// apply refuses a plan that claims to have passed: only proof and review decide that.
func (e Rested) apply(s *State) string {
	switch e.Status {
	case loop.StatusPassed:
		if e.Reason != PartDone || len(s.Rules.Only) == 0 {
			return "a plan passes by its tasks, its gates and its review only"
		}
		s.end(e.At, e.Status, e.Reason, e.Message)
	case loop.StatusFailed, loop.Aborted:
		s.end(e.At, e.Status, e.Reason, e.Message)
	case loop.Waiting, loop.Paused:
		s.stand(e.Status, e.Reason, e.Message)
	default:
		return "no way to rest: " + string(e.Status)
	}
	return ""
}

func (s *State) stand(status loop.Status, reason loop.Reason, message string) {
	s.Status, s.Reason, s.Message = status, reason, message
}

func (s *State) end(at time.Time, status loop.Status, reason loop.Reason, message string) {
	s.stand(status, reason, message)
	s.Stage, s.EndedAt = Over, at
}

// PauseAsked: nothing new is begun.
type PauseAsked struct {
	Stamp
	By string `json:"by,omitempty"`
}

func (PauseAsked) Name() string { return "plan_pause_asked" }

func (e PauseAsked) Describe() string { return by("asked to pause", e.By) }

func (PauseAsked) apply(s *State) string {
	s.PauseAsked = true
	return ""
}

// Accepted: a person accepted the integration branch, or it landed in the plan around it.
type Accepted struct {
	Stamp
	Branch string `json:"branch"`
	Commit string `json:"commit"`
}

func (Accepted) Name() string { return "plan_accepted" }

func (e Accepted) Describe() string { return fmt.Sprintf("accepted: %s at %.7s", e.Branch, e.Commit) }

func (Accepted) afterEnd() {}

func (e Accepted) apply(s *State) string {
	s.Accepted, s.AcceptedAt, s.Clash = e.Commit, e.At, nil
	return ""
}

// Conflicted: what landed could not be merged, and nothing was.
type Conflicted struct {
	Stamp
	loop.Clash
}

func (Conflicted) Name() string { return "plan_conflicted" }

// Describe names the branch and the files.
func (e Conflicted) Describe() string { return e.String() }

func (Conflicted) afterEnd() {}

func (e Conflicted) apply(s *State) string {
	if e.Branch == "" || e.Work != s.Tip {
		return "the conflict is about other work"
	}
	s.Clash = &e.Clash
	return ""
}

// Noted is information for people; it changes nothing.
type Noted struct {
	Stamp
	Text string `json:"text"`
}

func (Noted) Name() string { return "plan_noted" }

func (e Noted) Describe() string {
	return cmp.Or(e.Text, "what was noted before does not hold any more")
}

func (Noted) afterEnd() {}

func (e Noted) apply(s *State) string {
	s.Note = e.Text
	return ""
}
