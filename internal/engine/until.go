package engine

import "time"

// Until is the end of a wait by a monotonic clock: its length is determined
// once, when it is first known.
type Until struct {
	told, end time.Time
}

// Hear notes that a wait is over at end, and that it is now. An earlier end
// stays.
func (u *Until) Hear(end, now time.Time) {
	if !u.told.Equal(end) {
		u.told, u.end = end, time.Now().Add(max(end.Sub(now), 0))
	}
}

// Left returns the remaining wait; zero or less means that it is over.
func (u *Until) Left() time.Duration { return time.Until(u.end) }
