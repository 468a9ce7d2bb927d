package recovery

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// night is a world with a loop, its record, and clocks that a test moves.
type night struct {
	tracker Tracker
	run     Run
	mono    time.Duration
	wall    time.Time
}

func newNight() *night {
	return &night{
		tracker: Tracker{Policy: DefaultPolicy()}, mono: time.Hour, wall: noon,
		run: Run{ID: "a", Epoch: 1, Crashed: true},
	}
}

// passes lets time pass, and looks.
func (n *night) passes(d time.Duration) []Action {
	n.mono, n.wall = n.mono+d, n.wall.Add(d)
	return n.tracker.Look(n.mono, n.wall, []Run{n.run})
}

// took records an act; the loop runs, and crashes again at once.
func (n *night) took(a Action) {
	n.run.Restarts = a.After
	n.run.Epoch++
}

func TestCrashLoop(t *testing.T) {
	t.Parallel()
	n := newNight()
	var waits []time.Duration
	waited := time.Duration(0)
	for range 10_000 {
		for _, a := range n.passes(time.Second) {
			if a.Verb == Leave {
				n.run.Restarts = a.After
			} else {
				n.took(a)
			}
			waits = append(waits, waited)
			waited = 0
		}
		waited += time.Second
	}
	want := []time.Duration{0, 30, 60, 120, 240, 1}
	for i := range want {
		want[i] *= time.Second
	}
	if diff := cmp.Diff(want, waits); diff != "" {
		t.Errorf("waits (-want +got):\n%s", diff)
	}
	if r := n.run.Restarts; !r.Left || r.Tries != 5 {
		t.Errorf("%+v", r)
	}
	// A person resumes it: its record is gone, and it crashes once more.
	n.run.Restarts, n.run.Epoch = Restarts{}, 99
	if acts := n.passes(time.Second); len(acts) != 1 || acts[0].After.Tries != 1 {
		t.Errorf("%+v", acts)
	}
}

func TestDelayIsBounded(t *testing.T) {
	t.Parallel()
	p := DefaultPolicy()
	for n, want := range map[int]time.Duration{1: 30 * time.Second, 2: time.Minute, 6: 16 * time.Minute, 7: 30 * time.Minute, 1_000_000: 30 * time.Minute} {
		if got := p.delay(n); got != want {
			t.Errorf("delay after try %d: %s, want %s", n, got, want)
		}
	}
	p.BackOff = time.Hour // more than the most
	if got := p.delay(3); got != time.Hour {
		t.Errorf("a wait that was asked for is cut to %s", got)
	}
}

// TestTheLastTryIsGivenItsTime: its process takes a moment to take the loop up,
// and is not given up on meanwhile.
func TestTheLastTryIsGivenItsTime(t *testing.T) {
	t.Parallel()
	n := newNight()
	n.run.Restarts = Restarts{Tries: 5, Epoch: 1, Last: n.wall, Next: n.wall.Add(8 * time.Minute)}
	if acts := n.passes(7 * time.Minute); acts != nil {
		t.Fatalf("%+v", acts)
	}
	if acts := n.passes(2 * time.Minute); len(acts) != 1 || acts[0].Verb != Leave {
		t.Errorf("it never came: %+v", acts)
	}
	n.run.Epoch = 2
	if acts := n.passes(time.Second); len(acts) != 1 || acts[0].Verb != Leave {
		t.Errorf("it came, and crashed: %+v", acts)
	}
}

func TestProgressBeginsAnew(t *testing.T) {
	t.Parallel()
	n := newNight()
	n.run.Restarts = Restarts{Tries: 5, Progress: 2, Last: noon, Next: noon.Add(time.Hour), Left: true}
	n.run.Progress = 2
	if acts := n.passes(time.Second); acts != nil {
		t.Errorf("%+v", acts)
	}
	n.run.Progress = 3
	acts := n.passes(time.Second)
	if len(acts) != 1 || acts[0].Verb != Resume || acts[0].After.Tries != 1 || acts[0].After.Progress != 3 {
		t.Errorf("%+v", acts)
	}
}

func TestLimitIsWaitedOut(t *testing.T) {
	t.Parallel()
	n := newNight()
	n.run.Wake = noon.Add(3 * time.Hour)
	if acts := n.passes(time.Second); acts != nil {
		t.Fatalf("%+v", acts)
	}
	if acts := n.passes(3*time.Hour - 3*time.Second); acts != nil {
		t.Fatalf("before the limit is over: %+v", acts)
	}
	acts := n.passes(3 * time.Second)
	if len(acts) != 1 || acts[0].Verb != Resume || acts[0].Reason != WaitOver {
		t.Errorf("%+v", acts)
	}
}

// TestClockSetBack: a year is not waited for by whoever looked before, and a
// back-off never longer than it is by whoever comes new.
func TestClockSetBack(t *testing.T) {
	t.Parallel()
	year := 365 * 24 * time.Hour
	t.Run("limit", func(t *testing.T) {
		t.Parallel()
		n := newNight()
		n.run.Wake = noon.Add(time.Hour)
		n.passes(time.Minute)
		n.wall = n.wall.Add(-year)
		if acts := n.passes(58 * time.Minute); acts != nil {
			t.Fatalf("%+v", acts)
		}
		if acts := n.passes(time.Minute); len(acts) != 1 {
			t.Error("the limit is over, and nobody goes on")
		}
	})
	t.Run("back-off", func(t *testing.T) {
		t.Parallel()
		n := newNight()
		n.took(n.passes(0)[0])
		n.wall = n.wall.Add(-year)
		n.tracker = Tracker{Policy: n.tracker.Policy} // serve was started again
		if acts := n.passes(time.Second); acts != nil {
			t.Fatalf("%+v", acts)
		}
		if acts := n.passes(31 * time.Second); len(acts) != 1 {
			t.Error("the wait is over, and nobody goes on")
		}
	})
	t.Run("forward", func(t *testing.T) {
		t.Parallel()
		n := newNight()
		for range 100 {
			for _, a := range n.passes(year) {
				if a.Verb == Resume && a.After.Tries > 5 {
					t.Fatalf("try %d", a.After.Tries)
				}
				n.took(a)
			}
		}
	})
}

func TestStuckOwner(t *testing.T) {
	t.Parallel()
	n := newNight()
	n.run.Live, n.run.Crashed, n.run.Heartbeat = true, false, 7
	for range 5 { // it beats
		n.run.Heartbeat++
		if acts := n.passes(10 * time.Second); acts != nil {
			t.Fatalf("%+v", acts)
		}
	}
	for range 5 {
		if acts := n.passes(5 * time.Second); acts != nil {
			t.Fatalf("%+v", acts)
		}
	}
	acts := n.passes(5 * time.Second)
	if len(acts) != 1 || acts[0].Verb != TakeOver || acts[0].Reason != Stuck {
		t.Errorf("%+v", acts)
	}
	n.run.Heartbeat = 0 // an owner that tells nothing is believed to live
	for range 100 {
		if acts := n.passes(time.Minute); acts != nil {
			t.Fatalf("%+v", acts)
		}
	}
}

// TestStuckOwnerOfAPlan: the plan of a stopped process is taken over, and its loop
// with it, whichever heartbeat was seen last. A loop that another process holds,
// while its plan runs, is taken over by itself.
func TestStuckOwnerOfAPlan(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		// loopBeats and planBeats are the rounds in which the heartbeat changes.
		loopBeats, planBeats int
		want                 string
	}{
		"one process, seen together":    {2, 2, "p"},
		"one process, the plan's later": {2, 3, "p"},
		"one process, the loop's later": {3, 2, "p"},
		"two, the loop's is stopped":    {2, 100, "l"},
		"two, the plan's is stopped":    {100, 2, "p"},
		"a plan without a heartbeat":    {2, -1, "l"},
		"none is stopped":               {100, 100, ""},
	} {
		n := newNight()
		runs := []Run{
			{ID: "p", Kind: Plan, Epoch: 1, Live: true, Heartbeat: 1},
			{ID: "l", Kind: Loop, Epoch: 1, Live: true, Heartbeat: 1, In: []string{"p"}},
		}
		if row.planBeats < 0 {
			runs[0].Heartbeat = 0
		}
		got := ""
		for round := 1; got == "" && round < 50; round++ {
			if round <= row.planBeats {
				runs[0].Heartbeat++
			}
			if round <= row.loopBeats {
				runs[1].Heartbeat++
			}
			n.mono, n.wall = n.mono+5*time.Second, n.wall.Add(5*time.Second)
			for _, a := range n.tracker.Look(n.mono, n.wall, runs) {
				got += a.ID
				if a.Verb != TakeOver {
					t.Errorf("%s: %+v", name, a)
				}
			}
		}
		if got != row.want {
			t.Errorf("%s: took over %q, want %q", name, got, row.want)
		}
	}
}

// TestOurOwnSleepIsNotHeldAgainstAnybody: the machine slept, or we were stopped,
// and the owner with us.
func TestOurOwnSleepIsNotHeldAgainstAnybody(t *testing.T) {
	t.Parallel()
	n := newNight()
	n.run.Live, n.run.Crashed, n.run.Heartbeat = true, false, 7
	n.passes(5 * time.Second)
	if acts := n.passes(10 * time.Hour); acts != nil {
		t.Errorf("%+v", acts)
	}
}

func TestTakingOverIsBounded(t *testing.T) {
	t.Parallel()
	n := newNight()
	n.run.Live, n.run.Crashed, n.run.Heartbeat = true, false, 7
	var did []Verb
	for range 1000 {
		for _, a := range n.passes(5 * time.Second) {
			did = append(did, a.Verb)
			n.took(a)
		}
	}
	if diff := cmp.Diff([]Verb{TakeOver, TakeOver, TakeOver, TakeOver, TakeOver, Leave}, did); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLaterDoesNotCount(t *testing.T) {
	t.Parallel()
	n := newNight()
	a := n.passes(0)[0]
	a.Progress = 3 // the run had come further before it crashed
	r := n.tracker.Policy.Later(a, n.wall, "full")
	if got := r.Since(a.Progress); got != r {
		t.Errorf("the wait is forgotten at the next look: %+v", got)
	}
	if r.Tries != 0 {
		t.Errorf("%+v", r)
	}
	var waits []time.Duration
	for range 7 {
		waits = append(waits, r.Next.Sub(r.Last))
		a.Before = r
		r = n.tracker.Policy.Later(a, r.Next, "full")
	}
	s := time.Second
	if diff := cmp.Diff([]time.Duration{30 * s, 60 * s, 120 * s, 240 * s, 300 * s, 300 * s, 300 * s}, waits); diff != "" {
		t.Error(diff)
	}
}

// TestSeveralMinds: however many look after the same loops, whatever their
// clocks do, each try is taken once, tries come in order and are bounded, and a
// loop that can be rescued is rescued in the end.
func TestSeveralMinds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		minds := make([]Tracker, rapid.IntRange(1, 4).Draw(t, "minds"))
		for i := range minds {
			minds[i].Policy = DefaultPolicy()
		}
		l := Run{ID: "a", Epoch: 1, Crashed: true, Progress: 0}
		mono, wall := time.Hour, noon
		tried := map[string]int{}
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			mono += rapid.SampledFrom([]time.Duration{time.Second, 10 * time.Second, time.Hour}).Draw(t, "passes")
			wall = wall.Add(rapid.SampledFrom([]time.Duration{0, time.Second, 10 * time.Second, time.Hour, -8760 * time.Hour, 8760 * time.Hour}).Draw(t, "wall"))
			if rapid.IntRange(0, 20).Draw(t, "judged") == 0 {
				l.Progress++
			}
			seen := l // all look before anybody acts
			for i := range minds {
				if rapid.Bool().Draw(t, "restarted") && rapid.Bool().Draw(t, "really") {
					minds[i] = Tracker{Policy: DefaultPolicy()}
				}
				for _, a := range minds[i].Look(mono, wall, []Run{seen}) {
					if l.Epoch != a.Epoch || !cmp.Equal(l.Restarts, a.Before, cmpopts.EquateEmpty()) {
						continue // somebody was faster
					}
					if a.Verb == Leave {
						if a.After.Tries < 5 {
							t.Fatalf("left after %d tries", a.After.Tries)
						}
						l.Restarts = a.After
						continue
					}
					key := fmt.Sprint(l.Progress, a.After.Tries, a.After.Progress, l.Epoch)
					if tried[key]++; tried[key] > 1 {
						t.Fatalf("try %s was made twice", key)
					}
					if a.After.Tries > 5 || a.After.Tries > 1 && a.After.Tries != a.Before.Tries+1 {
						t.Fatalf("after %+v comes %+v", a.Before, a.After)
					}
					l.Restarts, l.Epoch = a.After, l.Epoch+1
				}
			}
		}
		// From here on nobody disturbs: the loop goes on, or was left.
		m := Tracker{Policy: DefaultPolicy()}
		for range 2000 {
			mono, wall = mono+time.Second, wall.Add(time.Second)
			for range m.Look(mono, wall, []Run{l}) {
				return
			}
		}
		if !l.Restarts.Since(l.Progress).Left {
			t.Fatalf("nobody goes on with %+v", l)
		}
	})
}
