package plan

import (
	"cmp"
	"time"

	"ralph/internal/loop"
)

// What happens to a run as a whole.

func (s *State) takeOpened(e Opened) string {
	if s.StartedAt.IsZero() {
		s.StartedAt = e.At
	}
	if s.Status != loop.Paused {
		s.stand(loop.Running, "", "")
	}
	return ""
}

// takeResumed goes on with a paused run; one that has ended begins anew with
// what is left of it, and with all of its budget.
func (s *State) takeResumed(e Resumed) string {
	s.PauseAsked = false
	if s.Status.Terminal() {
		s.Stage, s.EndedAt, s.Attempts = Working, time.Time{}, 0
		s.Final, s.FinalRests, s.FinalTurns = "", "", 0
		for i := range s.Tasks {
			s.Tasks[i].Own = 0
		}
	}
	if s.FinalRests != "" && s.FinalRests != loop.ForHuman {
		s.FinalRests = ""
		s.FinalTurns++
	}
	for i := range s.Tasks {
		switch t := &s.Tasks[i]; {
		case e.Retry && t.Status == Failed:
			*t = t.anew()
		case t.awaitsBudget():
			t.Rests = ""
		case t.paused():
			t.goOn()
		}
	}
	s.stand(loop.Running, "", "")
	return ""
}

// takeAbort ends the run. Loops under way are ended by whoever runs them.
func (s *State) takeAbort(e AbortAsked) string {
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

func (s *State) takeBroken(e Broken) string {
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
		return "nobody is at work on " + e.Task
	}
	s.fail(t, cmp.Or(e.Reason, loop.SetupError), e.Message)
	return ""
}

// takeRested: who says that nothing goes on must not say that all is well.
func (s *State) takeRested(e Rested) string {
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
