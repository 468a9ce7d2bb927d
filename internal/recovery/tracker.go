package recovery

import (
	"fmt"
	"slices"
	"time"
)

// Kind of a run.
type Kind string

// The kinds.
const (
	Loop Kind = "loop"
	Plan Kind = "plan"
)

// Run is a loop or a plan that has not ended, as a supervisor found it.
type Run struct {
	ID    string
	Kind  Kind
	Epoch int64
	// In are the plans that the run belongs to, the outermost first.
	In []string

	// Live: its owner lives. Crashed: it should be running and has no owner.
	// Rebooted: the owner died together with the machine.
	Live, Crashed, Rebooted bool
	// Asks: it waits for the user's answer, until Wake if that is set. Prompted: a
	// terminal asks for the answer, and resumes the run.
	Asks, Prompted bool
	// PauseAsked: the user wants the run to rest.
	PauseAsked bool
	// Wake is when a waiting run continues; zero: it does not wait.
	Wake time.Time
	// Progress grows with every step forward; see the package comment.
	Progress int
	// Heartbeat changes while a living owner on this machine is not stopped; 0 is
	// unknown.
	Heartbeat int64
	Restarts  Restarts
}

// orphaned reports whether r needs a process and has none.
func (r Run) orphaned() bool {
	return !r.Live && !r.PauseAsked && (r.Crashed || r.Asks && !r.Wake.IsZero() && !r.Prompted)
}

// Verb is what to do with a run.
type Verb string

// The verbs.
const (
	Resume   Verb = "resume"
	TakeOver Verb = "take over"
	Leave    Verb = "leave"
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

// Action is one thing to do, unless another supervisor is faster: it is valid only
// while the stored record is Before, and replaces it by After.
type Action struct {
	Run
	Verb          Verb
	Reason        Reason
	Why           string
	Before, After Restarts
}

// Name returns the action's name on the event bus.
func (a Action) Name() string {
	switch a.Verb {
	case TakeOver:
		return "take_over"
	case Leave:
		return "left"
	}
	return "rescue"
}

// Tracker remembers what was seen when, by a monotonic clock.
type Tracker struct {
	Policy Policy

	last time.Duration
	seen map[string]sighting
}

// sighting is what is known about a run since it last changed.
type sighting struct {
	key       string
	due       time.Duration // by the monotonic clock
	heartbeat int64
	// still is how long the supervisor was awake since the heartbeat changed.
	still time.Duration
}

// longestGap between two looks counts as time awake.
const longestGap = 10 * time.Second

// Look decides what to do now about the runs. mono is the monotonic clock; wall is
// the clock of the records.
func (t *Tracker) Look(mono time.Duration, wall time.Time, runs []Run) []Action {
	awake := min(max(mono-t.last, 0), longestGap)
	if t.seen == nil {
		awake = 0
	}
	t.last = mono
	before := t.seen
	t.seen = map[string]sighting{}
	all := candidates(runs)
	for _, r := range all {
		t.seen[r.key()] = t.update(before[r.key()], r, mono, wall, awake)
	}
	plans := plansOf(all)
	var actions []Action
	for _, r := range all {
		if a, ok := t.decide(r, t.seen[r.key()], mono, wall); ok && (!r.Live || !t.stopsWithPlan(r, plans)) {
			actions = append(actions, a)
		}
	}
	return actions
}

// stopsWithPlan reports whether a plan of r has had no heartbeat for a while
// either. Usually one process runs both, and taking the plan over takes over what
// belongs to it too. Half the time is enough: the heartbeats of one process stop
// together, though the supervisor sees the last of each at another moment.
func (t *Tracker) stopsWithPlan(r Run, plans map[string]*Run) bool {
	return slices.ContainsFunc(above(r, plans), func(id string) bool {
		p := plans[id]
		return p != nil && p.Heartbeat != 0 && t.seen[p.key()].still >= t.Policy.Stuck/2
	})
}

// key tells runs apart: a loop may have the name of a plan.
func (r Run) key() string { return string(r.Kind) + " " + r.ID }

// update brings a sighting up to date. A wait that has begun ends when it was
// going to, or earlier.
func (t *Tracker) update(s sighting, r Run, mono time.Duration, wall time.Time, awake time.Duration) sighting {
	key := fmt.Sprint(r.Epoch, r.Live, r.Restarts.Tries, r.Restarts.Last.UnixNano(), r.Wake.UnixNano())
	due := mono + wait(r, wall)
	if s.key == key {
		due = min(due, s.due)
	}
	if s.key != key || s.heartbeat != r.Heartbeat {
		s.still = 0
	} else {
		s.still += awake
	}
	s.key, s.due, s.heartbeat = key, due, r.Heartbeat
	return s
}

// wait returns how long to wait from now on, by what is recorded.
func wait(r Run, wall time.Time) time.Duration {
	var d time.Duration
	if c := r.Restarts.Since(r.Progress); !c.Next.IsZero() {
		d = min(max(c.Next.Sub(wall), 0), max(c.Next.Sub(c.Last), 0))
	}
	if !r.Wake.IsZero() {
		d = max(d, r.Wake.Sub(wall))
	}
	return d
}

func (t *Tracker) decide(r Run, s sighting, mono time.Duration, wall time.Time) (Action, bool) {
	c := r.Restarts.Since(r.Progress)
	a := Action{Run: r, Before: r.Restarts, After: t.Policy.next(c, r, wall)}
	switch {
	case !r.Live && (mono >= s.due || c.Tries >= t.Policy.Max && r.Epoch > c.Epoch):
		// The last try is known to have failed before its wait is over, unless
		// its process is only just starting.
		a.Verb, a.Reason = Resume, r.reason()
	case r.Live && r.Heartbeat != 0 && s.still >= t.Policy.Stuck:
		a.Verb, a.Reason = TakeOver, Stuck
	default:
		return a, false
	}
	if c.Tries >= t.Policy.Max {
		if c.Left {
			return a, false
		}
		a.Verb, a.Reason, a.After = Leave, TooOften, c
		a.After.Left = true
	}
	a.Why = t.why(a)
	return a, true
}

func (r Run) reason() Reason {
	switch {
	case r.Rebooted:
		return Rebooted
	case !r.Wake.IsZero():
		return WaitOver
	}
	return Crashed
}

// why explains an action in one sentence.
func (t *Tracker) why(a Action) (text string) {
	switch a.Reason {
	case Crashed:
		text = "its process is gone"
	case Rebooted:
		text = "the machine was restarted while it ran"
	case WaitOver:
		text = "its wait is over and no process runs it"
	case Stuck:
		text = fmt.Sprintf("its process has had no heartbeat for %s", t.Policy.Stuck)
	case TooOften:
		text = fmt.Sprintf("resumed %d times without progress", a.After.Tries)
	}
	if a.After.Tries > 1 && a.Verb != Leave {
		text += fmt.Sprintf("; try %d of %d", a.After.Tries, t.Policy.Max)
	}
	return text
}
