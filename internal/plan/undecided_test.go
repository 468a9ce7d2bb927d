package plan

import (
	"testing"
	"time"

	"ralph/internal/loop"
)

// TestAcceptedAndRunAgain: what failed in a run after the acceptance waits for a person again.
func TestAcceptedAndRunAgain(t *testing.T) {
	t.Parallel()
	accepted := time.Unix(1000, 0)
	for _, c := range []struct {
		ended, accepted time.Time
		status          loop.Status
		want            bool
	}{
		{accepted.Add(-time.Hour), accepted, loop.StatusFailed, false},
		{accepted.Add(time.Hour), accepted, loop.StatusFailed, true},
		{accepted.Add(time.Hour), accepted, loop.StatusPassed, false},
		{accepted.Add(time.Hour), time.Time{}, loop.StatusFailed, false}, // by an older version
	} {
		s := State{Status: c.status, EndedAt: c.ended, Accepted: "c1", AcceptedAt: c.accepted}
		if got := s.Undecided(); got != c.want {
			t.Errorf("%+v: undecided is %v", c, got)
		}
	}
}

// TestClosed: a plan that has ended is closed once what landed is accepted and no task of it
// has failed since.
func TestClosed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		s    State
		want bool
	}{
		"running":           {State{Status: loop.Running}, false},
		"to accept":         {State{Status: loop.StatusPassed, Base: "c0", Tip: "c1"}, false},
		"accepted":          {State{Status: loop.StatusPassed, Base: "c0", Tip: "c1", Accepted: "c2"}, true},
		"nothing to do":     {State{Status: loop.StatusPassed, Base: "c0", Tip: "c0"}, true},
		"failed":            {State{Status: loop.StatusFailed, Base: "c0", Tip: "c0"}, false},
		"ended by a person": {State{Status: loop.Aborted, Reason: loop.Manual, Base: "c0", Tip: "c0"}, true},
	} {
		if got := c.s.Closed(); got != c.want {
			t.Errorf("%s: closed is %v", name, got)
		}
	}
}
