package engine

import "time"

// Until is the end of a wait by a clock that nobody sets: how long it is, is found
// out once, when it is first heard of.
type Until struct {
	told, end time.Time
}

// Hear notes that a wait is over at end, and that it is now. What was heard before
// stays as it was.
func (u *Until) Hear(end, now time.Time) {
	if !u.told.Equal(end) {
		u.told, u.end = end, time.Now().Add(max(end.Sub(now), 0))
	}
}

// Left is how long the wait goes on; nothing or less: it is over.
func (u *Until) Left() time.Duration { return time.Until(u.end) }
