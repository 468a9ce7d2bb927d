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
		if got := s.Unsettled(); got != c.want {
			t.Errorf("%+v: unsettled is %v", c, got)
		}
	}
}
