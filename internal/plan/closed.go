package plan

import (
	"cmp"

	"ralph/internal/loop"
)

// Acceptable reports whether work of the plan has landed and waits to be accepted.
func (s *State) Acceptable() bool {
	return s.Status.Terminal() && s.Accepted == "" && s.Tip != s.Base && s.Reason != loop.Left
}

// PartLanded returns why a plan that has ended lacks a part of its work, where another part
// landed; "" is none.
func (s *State) PartLanded() string {
	if !s.Status.Terminal() || s.Status == loop.StatusPassed && s.Reason != PartDone || s.Tip == s.Base {
		return ""
	}
	return cmp.Or(s.Message, string(s.Status))
}

// Conflict returns the conflict that the landed work met when it was to be accepted; nil
// where there was none, or more has landed since.
func (s *State) Conflict() *loop.Clash {
	if s.Clash == nil || s.Clash.Work != s.Tip || !s.Acceptable() {
		return nil
	}
	return s.Clash
}

// Closed reports whether the plan has ended and nothing of it waits for a person.
func (s *State) Closed() bool {
	return s.Status.Terminal() && !s.Acceptable() && !s.Undecided()
}

// Undecided reports whether the plan, or a task of it, did not get where it was to get,
// and no user has dealt with that yet: none of its work was accepted as it is since it
// ended, and no user ended or moved it. Of a plan that passed with nothing to accept, open findings count, and tasks
// that failed in an earlier run.
func (s *State) Undecided() bool {
	switch {
	case s.Accepted != "" && (s.AcceptedAt.IsZero() || !s.EndedAt.After(s.AcceptedAt)) || s.Status == loop.Aborted && (s.Reason == loop.Manual || s.Reason == loop.Left):
		return false
	case s.Conflict() != nil:
		return true
	case s.Status == loop.StatusPassed:
		return !s.Acceptable() && (len(s.Open()) > 0 || s.failing())
	case s.Status.Terminal():
		return true
	}
	return s.failing()
}

// failing reports whether a task has failed.
func (s *State) failing() bool {
	for n := range s.Tasks {
		if t := &s.Tasks[n]; t.Status == Failed && !t.Gone {
			return true
		}
	}
	return false
}
