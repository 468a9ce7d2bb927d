package recovery

import "time"

// Restarts is what supervisors did for a run since it last made progress. The store
// keeps it.
type Restarts struct {
	// Tries counts the resumes.
	Tries int
	// Progress and Epoch are the run's at the last try. A higher epoch means that
	// the try reached the run.
	Progress int
	Epoch    int64
	// Last is the time of the last try; the next one comes no sooner than Next.
	Last, Next time.Time
	// Left: no more tries until the user resumes the run.
	Left bool
	// Why the last try failed, if known.
	Why string
}

// Since returns the record that counts now: progress starts a new one.
func (r Restarts) Since(progress int) Restarts {
	if progress > r.Progress {
		return Restarts{}
	}
	return r
}

// Policy is how patient a supervisor is.
type Policy struct {
	// Max is the number of tries without progress.
	Max int
	// BackOff is the wait after the first try; it doubles up to Most.
	BackOff, Most time.Duration
	// Stuck is how long a heartbeat may stand still before the run is taken over.
	Stuck time.Duration
}

// DefaultPolicy returns 5 tries, 30 s doubling to 30 min, and 30 s without a
// heartbeat.
func DefaultPolicy() Policy {
	return Policy{Max: 5, BackOff: 30 * time.Second, Most: 30 * time.Minute, Stuck: 30 * time.Second}
}

// delay after the n-th try.
func (p Policy) delay(n int) time.Duration {
	d := p.BackOff
	for ; n > 1 && d < p.Most; n-- {
		d *= 2
	}
	return min(d, max(p.Most, p.BackOff))
}

// next returns the record after one more try.
func (p Policy) next(r Restarts, run Run, now time.Time) Restarts {
	n := Restarts{Tries: r.Tries + 1, Progress: run.Progress, Epoch: run.Epoch, Last: now, Why: r.Why}
	n.Next = now.Add(p.delay(n.Tries))
	return n
}

// Later returns the record after a try that failed through no fault of the run.
// It does not count, but the wait doubles all the same, up to ten times the first,
// until the run makes progress.
func (p Policy) Later(a Action, now time.Time, why string) Restarts {
	r := a.Before.Since(a.Progress)
	wait := min(max(2*r.Next.Sub(r.Last), p.BackOff), 10*p.BackOff)
	r.Progress, r.Last, r.Next, r.Why = a.Progress, now, now.Add(wait), why
	return r
}
