package foreground

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"ralph/internal/cli/command"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/view"
)

// Screen shows a run: a line per step, and between them a live line on a
// terminal or a heartbeat without one.
type Screen struct {
	*Runner
	events bool
	Tty    bool
	Paint  view.Palette
	// History reads all attempts of a loop for the block that closes its run; without
	// it, that names the earlier ones.
	History func(id string) []loop.Attempt

	mu   sync.Mutex
	live bool // a live line stands on the screen
	last time.Time
}

func (a *Runner) Screen(events bool) *Screen {
	return &Screen{Runner: a, events: events, Tty: a.IsTerminal(a.Err) && !a.Quiet, Paint: a.Palette(a.Err), last: a.Now()}
}

func (s *Screen) Update(u engine.Update) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u.Event == nil {
		s.beat(u)
		return
	}
	s.wipe()
	s.last = s.Now()
	if s.events {
		s.event(u)
		return
	}
	if s.Quiet {
		return
	}
	lines := view.Plain(u.Before, u.After, u.Event)
	if s.Tty {
		lines = view.Lines(u.Before, s.after(u), u.Event, s.Now(), s.Paint)
	}
	for _, l := range lines {
		fmt.Fprintln(s.Err, l)
	}
}

// after is the loop behind an event, with its history where it has just ended.
func (s *Screen) after(u engine.Update) view.Item {
	i := view.Item{State: u.After}
	if s.History != nil && u.After.Status.Terminal() && !u.Before.Status.Terminal() {
		i.Facts.History = s.History(u.After.ID)
	}
	return i
}

// beat shows progress while a step runs.
func (s *Screen) beat(u engine.Update) {
	switch {
	case s.Quiet || s.events:
	case s.Tty:
		s.wipe()
		fmt.Fprint(s.Err, view.Progress(u.After, activity(u.Heartbeat), s.Now(), s.Paint))
		s.live = true
	case s.Now().Sub(s.last) >= command.Silence:
		s.last = s.Now()
		fmt.Fprintln(s.Err, view.Heartbeat(u.After, activity(u.Heartbeat), s.Now()))
	}
}

func activity(b *engine.Heartbeat) view.Activity {
	return view.Activity{LastOutput: b.LastOutput, Usage: b.Used}
}

// wipe takes the live line away.
func (s *Screen) wipe() {
	if s.live {
		fmt.Fprint(s.Err, "\r\x1b[2K")
		s.live = false
	}
}

func (s *Screen) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wipe()
}

// event writes one event as a line of JSON.
func (s *Screen) event(u engine.Update) {
	name, data, err := loop.Encode(u.Event)
	if err != nil {
		return
	}
	line, err := json.Marshal(view.EventOf(u.After.ID, u.Seq, u.Event.When(), name, data))
	if err == nil {
		fmt.Fprintf(s.Out, "%s\n", line)
	}
}
