package rescue

import (
	"fmt"
	"time"
)

// Loop is a loop that somebody should be running, as it was found.
type Loop struct {
	ID    string
	Epoch int64
	// Crashed: its owner is gone. Rebooted: with the whole machine.
	Crashed, Rebooted bool
	// Wake is when a waiting loop goes on; zero does not wait.
	Wake time.Time
	// Judged counts its attempts that have a verdict.
	Judged int
	// Beat changes while a living owner of this machine is not stopped; 0 is
	// unknown.
	Beat   int64
	Record Record
}

// Do says what to do about a loop.
type Do string

// What can be done.
const (
	Resume   Do = "resume"
	TakeOver Do = "take over"
	Leave    Do = "leave"
)

// Reason is the code of why.
type Reason string

// The reasons.
const (
	Crashed  Reason = "crashed"
	Rebooted Reason = "rebooted"
	WaitOver Reason = "wait_over"
	Stuck    Reason = "stuck"
	TooOften Reason = "too_often"
)

// Act is one thing to do, if nobody else does it: Before is the record that has
// to be there still, After the one to put in its place.
type Act struct {
	Loop
	Do            Do
	Reason        Reason
	Why           string
	Before, After Record
}

// Name of the act on the event bus.
func (a Act) Name() string {
	return map[Do]string{Resume: "rescue", TakeOver: "take_over", Leave: "left"}[a.Do]
}

// Mind remembers what was seen when, by a clock that only goes forward.
type Mind struct {
	Policy Policy

	last  time.Duration
	loops map[string]sight
}

// sight is what is known about a loop since it last changed.
type sight struct {
	key  string
	due  time.Duration // by the clock that only goes forward
	beat int64
	// still is how long we have been awake since the beat changed.
	still time.Duration
}

// longestGap between two looks counts as having been awake.
const longestGap = 10 * time.Second

// Look decides what is to be done now. mono only goes forward; wall is what
// records are made of.
func (m *Mind) Look(mono time.Duration, wall time.Time, loops []Loop) []Act {
	awake := min(max(mono-m.last, 0), longestGap)
	if m.loops == nil {
		awake = 0
	}
	m.last = mono
	before := m.loops
	m.loops = map[string]sight{}
	var acts []Act
	for _, l := range loops {
		s := m.see(before[l.ID], l, mono, wall, awake)
		m.loops[l.ID] = s
		if a, ok := m.decide(l, s, mono, wall); ok {
			acts = append(acts, a)
		}
	}
	return acts
}

// see brings what is known about a loop up to date. A wait that has begun ends
// when it was going to, or earlier.
func (m *Mind) see(s sight, l Loop, mono time.Duration, wall time.Time, awake time.Duration) sight {
	key := fmt.Sprint(l.Epoch, l.Crashed, l.Record.Tries, l.Record.Last.UnixNano(), l.Wake.UnixNano())
	due := mono + m.wait(l, wall)
	if s.key == key {
		due = min(due, s.due)
	}
	if s.key != key || s.beat != l.Beat {
		s.still = 0
	} else {
		s.still += awake
	}
	s.key, s.due, s.beat = key, due, l.Beat
	return s
}

// wait is how long to wait from now on, by what is recorded.
func (m *Mind) wait(l Loop, wall time.Time) time.Duration {
	var d time.Duration
	if r := l.Record.Since(l.Judged); !r.Next.IsZero() {
		d = min(max(r.Next.Sub(wall), 0), max(r.Next.Sub(r.Last), 0))
	}
	if !l.Wake.IsZero() {
		d = max(d, l.Wake.Sub(wall))
	}
	return d
}

func (m *Mind) decide(l Loop, s sight, mono time.Duration, wall time.Time) (Act, bool) {
	r := l.Record.Since(l.Judged)
	a := Act{Loop: l, Before: l.Record, After: m.Policy.next(r, l, wall)}
	switch {
	case l.Crashed && (mono >= s.due || r.Tries >= m.Policy.Max && l.Epoch > r.Epoch):
		// The last try is known to have failed before its wait is over, unless
		// its process is only just starting.
		a.Do, a.Reason = Resume, l.reason()
	case !l.Crashed && l.Beat != 0 && s.still >= m.Policy.Stuck:
		a.Do, a.Reason = TakeOver, Stuck
	default:
		return a, false
	}
	if r.Tries >= m.Policy.Max {
		if r.Left {
			return a, false
		}
		a.Do, a.Reason, a.After = Leave, TooOften, r
		a.After.Left = true
	}
	a.Why = m.words(a)
	return a, true
}

func (l Loop) reason() Reason {
	switch {
	case l.Rebooted:
		return Rebooted
	case !l.Wake.IsZero():
		return WaitOver
	}
	return Crashed
}

// words say why in one sentence.
func (m *Mind) words(a Act) string {
	why := map[Reason]string{
		Crashed:  "the process that ran it is gone",
		Rebooted: "the machine was restarted while it ran",
		WaitOver: "what it waited for is over, and nobody runs it",
		Stuck:    fmt.Sprintf("the process that runs it has been standing still for %s", m.Policy.Stuck),
		TooOften: fmt.Sprintf("it was taken up %d times and got no further", a.After.Tries),
	}[a.Reason]
	if a.After.Tries > 1 && a.Do != Leave {
		why += fmt.Sprintf("; try %d of %d", a.After.Tries, m.Policy.Max)
	}
	return why
}
