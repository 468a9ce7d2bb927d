package proc

import "time"

// awake counts the time in which this process ran. A supervisor that was stopped, or
// got no processor, did not see its child either, which may not have run:
// such time uses up no deadline. (A suspended machine stops the clock by itself.)
type awake struct {
	last  time.Time
	spent time.Duration
}

const (
	// awakeEvery is how often the time is taken, starved the gap from which on the
	// process counts as stopped; of such a gap awakeEvery counts.
	awakeEvery = time.Second
	starved    = 5 * time.Second
)

// tick takes the time, and returns how much has counted so far.
func (a *awake) tick(now time.Time) time.Duration {
	gap := now.Sub(a.last)
	if gap > starved {
		gap = awakeEvery
	}
	a.last, a.spent = now, a.spent+max(gap, 0)
	return a.spent
}

// deadline is one limit of a child's time.
type deadline struct {
	limit time.Duration
	timer *time.Timer
	C     <-chan time.Time
}

// newDeadline returns a deadline that never comes for zero.
func newDeadline(limit time.Duration) *deadline {
	if limit <= 0 {
		return &deadline{}
	}
	t := time.NewTimer(limit)
	return &deadline{limit, t, t.C}
}

// passed reports whether the limit is used up, and waits for the rest if it is not.
// It is called when the timer has fired.
func (d *deadline) passed(spent time.Duration) bool {
	if left := d.limit - spent; left > 0 {
		d.timer.Reset(left)
		return false
	}
	d.C = nil
	return true
}

func (d *deadline) stop() {
	if d.timer != nil {
		d.timer.Stop()
	}
}
