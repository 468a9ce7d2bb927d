package engine

import (
	"testing"
	"time"
)

// TestUntil: a wait that was heard of ends when it was going to, whatever is said of
// the time since; another end is another wait.
func TestUntil(t *testing.T) {
	t.Parallel()
	now := time.Now()
	end := now.Add(time.Hour)
	var u Until
	if u.Left() > 0 {
		t.Error("nothing is waited for, and it is not over")
	}
	for _, set := range []time.Duration{0, 2 * time.Hour, -365 * 24 * time.Hour} {
		u.Set(end, now.Add(set))
		if left := u.Left(); left < 50*time.Minute || left > time.Hour {
			t.Errorf("with the clock set by %s it goes on for %s", set, left)
		}
	}
	u.Set(end.Add(time.Hour), now)
	if left := u.Left(); left < 110*time.Minute {
		t.Errorf("another wait ends in %s", left)
	}
	u.Set(now.Add(-time.Hour), now)
	if left := u.Left(); left > 0 {
		t.Errorf("what is past is waited for: %s", left)
	}
}
