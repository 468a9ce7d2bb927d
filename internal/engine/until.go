package engine

import "time"

// Until is the end of a wait by a monotonic clock: its length is determined
// once, when it is first known.
type Until struct {
	// set is the end as it was given, over the same by this process's monotonic clock.
	set, over time.Time
}

// Set gives the wait an end; it is now. An end that was set already changes nothing.
func (u *Until) Set(end, now time.Time) {
	if !u.set.Equal(end) {
		u.set, u.over = end, time.Now().Add(max(end.Sub(now), 0))
	}
}

// Left returns the remaining wait; zero or less means that it is over.
func (u *Until) Left() time.Duration { return time.Until(u.over) }
