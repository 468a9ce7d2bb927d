package rescue

import "time"

// Record is what was done for a loop since it last got on.
type Record struct {
	// Tries counts how often it was taken up.
	Tries int
	// Judged is how many attempts of the loop had a verdict at the last try, and
	// Epoch what its epoch was: a higher one says that the try came about.
	Judged int
	Epoch  int64
	// Last is when that was; no other try comes before Next.
	Last, Next time.Time
	// Left: it is not tried again before somebody resumes it.
	Left bool
	// Why the last try did not help, as far as known.
	Why string
}

// Policy is how patient a supervisor is.
type Policy struct {
	// Max is how many tries there are.
	Max int
	// BackOff is the wait after the first of them; it doubles up to Most.
	BackOff, Most time.Duration
	// Stuck is how long an owner shows no life before it is taken over.
	Stuck time.Duration
}

// DefaultPolicy is 5 tries, 30 s doubling to 30 min, and 30 s without life.
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

// Since is the record as it counts now: a loop that got on begins anew.
func (r Record) Since(judged int) Record {
	if judged > r.Judged {
		return Record{}
	}
	return r
}

// next is the record of one more try.
func (p Policy) next(r Record, l Loop, now time.Time) Record {
	n := Record{Tries: r.Tries + 1, Judged: l.Judged, Epoch: l.Epoch, Last: now, Why: r.Why}
	n.Next = now.Add(p.delay(n.Tries))
	return n
}

// Later is the record after a try that did not come about through no fault of
// the loop. It does not count; the wait doubles all the same, up to ten times
// the first.
func (p Policy) Later(before Record, now time.Time, why string) Record {
	wait := min(max(2*before.Next.Sub(before.Last), p.BackOff), 10*p.BackOff)
	before.Last, before.Next, before.Why = now, now.Add(wait), why
	return before
}
