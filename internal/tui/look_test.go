package tui

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	tea "charm.land/bubbletea/v2"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/recovery"
)

// TestAsksOnlyForWhatMoved: while nothing moves, no state is read.
func TestAsksOnlyForWhatMoved(t *testing.T) {
	t.Parallel()
	e := &fake{loops: []engine.Loop{working(), limited(), asking(), paused(), passed(), exhausted()}}
	s := newScreen(t, e, 80, 24)
	if n := e.count("show"); n != 6 {
		t.Fatalf("the first look reads %d loops of 6", n)
	}
	for range 5 {
		s.pass()
	}
	if n := e.count("show"); n != 6 {
		t.Errorf("nothing moved, and %d loops were read again", n-6)
	}
	e.change("ralph-search-index-4", func(l *engine.Loop) { l.State.Iteration = 4 })
	s.pass()
	s.shows("4/5")
	if n := e.count("show"); n != 7 {
		t.Errorf("one loop moved, %d were read", n-6)
	}
	// An owner that dies records nothing.
	e.mu.Lock()
	e.loops[0].Live, e.loops[0].Crashed = false, true
	e.mu.Unlock()
	s.pass()
	s.shows("3 need you")
}

// TestUnsteady: what moves without an event is looked at each time, and is no
// reason to hurry while it stands.
func TestUnsteady(t *testing.T) {
	t.Parallel()
	e := &fake{loops: []engine.Loop{crashed()}}
	s := newScreen(t, e, 80, 24)
	for range 6 {
		s.pass()
	}
	if got := s.every[len(s.every)-1]; got != longest {
		t.Errorf("looks every %s", got)
	}
	e.loops[0].Recovery = recovery.Restarts{Tries: 5, Left: true, Why: "no disk"}
	s.pass()
	s.shows("left for you")
	if got := s.every[len(s.every)-1]; got != soonest {
		t.Errorf("looks every %s after a change", got)
	}
}

// TestOverlaps: loops that declare the same files say so.
func TestOverlaps(t *testing.T) {
	t.Parallel()
	e := &fake{loops: everyone()}
	for id, scope := range map[string]string{worker: "internal/auth/**", "ralph-address-form-2": "internal/**"} {
		e.change(id, func(l *engine.Loop) { l.State.Task.Scope = []string{scope} })
	}
	s := newScreen(t, e, 80, 24)
	s.at = worker
	s.shows("scope internal/auth/** overlaps with loop ralph-address-form-2")
}

// TestBackOff: ever more rarely while nothing moves, at once after a change, a
// command or another page.
func TestBackOff(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	e := &fake{loops: everyone()}
	s := newScreen(t, e, 80, 24)
	since := func(n int) []time.Duration { return slices.Clone(s.every[n:]) }
	for range 8 {
		s.pass()
	}
	if diff := cmp.Diff([]time.Duration{250 * ms, 250 * ms, 500 * ms, 1000 * ms, 2000 * ms, 2000 * ms, 2000 * ms, 2000 * ms, 2000 * ms}, since(0)); diff != "" {
		t.Errorf("idle (-want +got):\n%s", diff)
	}
	n := len(s.every)
	e.change("ralph-search-index-4", func(l *engine.Loop) { l.State.Iteration = 4 })
	s.pass()
	if diff := cmp.Diff([]time.Duration{2000 * ms, 250 * ms}, since(n)); diff != "" {
		t.Errorf("a change (-want +got):\n%s", diff)
	}
	for name, keys := range map[string][]string{"a command": {"s", "x", "enter"}, "a log": {"l"}} {
		for range 6 {
			s.pass()
		}
		n = len(s.every)
		s.press(keys...)
		if got := since(n); len(got) == 0 || got[0] != 250*ms {
			t.Errorf("after %s: %v", name, got)
		}
	}
	// Hurrying leaves one clock, however often.
	for range 20 {
		s.press("esc", "l")
	}
	n = len(s.every)
	for range 5 {
		s.pass()
	}
	if got := len(s.every) - n; got != 5 {
		t.Errorf("%d clocks tick", got/5)
	}
}

// TestSlowEngine: a question without an answer holds up nothing, is not put
// twice, and what is shown is said to be old.
func TestSlowEngine(t *testing.T) {
	t.Parallel()
	e := &fake{loops: everyone()}
	s := newScreen(t, e, 80, 24)
	s.pass()
	asked := e.count("marks")
	s.hold = true
	for range 12 {
		s.pass()
	}
	s.press("down", "enter")
	s.shows("! this is how it was at 12:00:00", "tax rounding", "3 need you")
	if len(s.later) != 1 || asked != e.count("marks") {
		t.Errorf("%d commands, %d questions", len(s.later), e.count("marks")-asked)
	}
	s.hold = false
	for _, cmd := range s.later {
		s.run(cmd)
	}
	s.hides("! this is how it was")
	if n := e.count("marks") - asked; n != 3 {
		t.Errorf("%d questions were put while one had no answer", n/3)
	}
}

func TestBrokenEngine(t *testing.T) {
	t.Parallel()
	e := &fake{loops: everyone()}
	s := newScreen(t, e, 80, 24)
	e.err = errors.New("the database is\x1b[2J locked")
	s.pass()
	s.shows("! this is how it was at 12:00:00: the database is locked", "ralph-order-totals-3")
	e.err = nil
	s.pass()
	s.hides("!", "locked")

	never := newScreen(t, &fake{err: errors.New("no disk")}, 80, 24)
	never.shows("! no answer yet: no disk")
	never.hides("Nothing needs you", "No loops here")
}

// TestDeadline: whatever asks gives up.
func TestDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := &fake{loops: everyone()}
		s := newScreen(t, e, 80, 24)
		e.hang = true
		for what, cmd := range map[string]tea.Cmd{
			"look": s.look(), "send": s.send("ralph-search-index-4", engine.Command{Kind: engine.Pause}),
		} {
			s.tell(cmd())
			if what == "look" {
				s.shows("context deadline exceeded")
			} else {
				s.shows("ralph-search-index-4: context deadline exceeded")
			}
		}
	})
}

// TestOpenLoopIsAlwaysThere, however many newer ones there are.
func TestOpenLoopIsAlwaysThere(t *testing.T) {
	t.Parallel()
	e := &fake{loops: []engine.Loop{working()}}
	s := newScreen(t, e, 80, 24)
	s.press("enter")
	for range newest + 5 {
		e.loops = append([]engine.Loop{passed()}, e.loops...)
		e.loops[0].State.ID += string(rune('a' + len(e.loops)))
		e.loops[0].State.Accepted = "c"
	}
	e.change("ralph-search-index-4", func(l *engine.Loop) {
		l.State.Status, l.State.Reason, l.State.Message, l.State.EndedAt = loop.Aborted, loop.Manual, "enough of it", clockAt(12, 0)
	})
	s.pass()
	s.shows("aborted", "enough of it")
	e.change("ralph-search-index-4", func(l *engine.Loop) { l.Archived = true })
	s.pass()
	s.press("G")
	s.shows("archived")
	s.press("esc")
	s.pass()
	s.hides("ralph-search-index-4")
	s.press("G", "pgdown")
	s.shows("older ones: ralph status --all")
	if len(s.order) != newest {
		t.Errorf("%d loops are listed, want %d", len(s.order), newest)
	}
}
