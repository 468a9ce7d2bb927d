package cli

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

// screen shows a run: a line per step, and between them a live line on a
// terminal or a heartbeat without one.
type screen struct {
	*app
	events bool
	tty    bool
	paint  view.Palette

	mu   sync.Mutex
	live bool // a live line stands on the screen
	last time.Time
}

func (a *app) screen(events bool) *screen {
	return &screen{app: a, events: events, tty: a.IsTerminal(a.Err) && !a.Quiet, paint: a.Palette(a.Err), last: a.Now()}
}

func (s *screen) update(u engine.Update) {
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
	if s.tty {
		lines = view.Lines(u.Before, u.After, u.Event, s.Now(), s.paint)
	}
	for _, l := range lines {
		fmt.Fprintln(s.Err, l)
	}
}

// beat is a sign of life while a step goes on.
func (s *screen) beat(u engine.Update) {
	switch {
	case s.Quiet || s.events:
	case s.tty:
		s.wipe()
		fmt.Fprint(s.Err, view.Progress(u.After, activity(u.Heartbeat), s.Now(), s.paint))
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
func (s *screen) wipe() {
	if s.live {
		fmt.Fprint(s.Err, "\r\x1b[2K")
		s.live = false
	}
}

func (s *screen) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wipe()
}

// event writes one event as a line of JSON.
func (s *screen) event(u engine.Update) {
	name, data, err := loop.Encode(u.Event)
	if err != nil {
		return
	}
	line, err := json.Marshal(view.EventOf(u.After.ID, u.Seq, u.Event.When(), name, data))
	if err == nil {
		fmt.Fprintf(s.Out, "%s\n", line)
	}
}
