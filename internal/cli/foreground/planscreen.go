package foreground

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"ralph/internal/engine"
	"ralph/internal/plan"
	"ralph/internal/text"
	"ralph/internal/view"
)

// planScreen shows a plan's run line by line.
type planScreen struct {
	*Screen
	// top is the plan that a person runs; under is what stands before the tasks of
	// each plan that is run in a task's place, by its id.
	top   string
	under map[string]string
}

// place is what stands before the tasks of a plan: nothing for the one that a
// person runs.
func (s *planScreen) place(state plan.State, e plan.Event) string {
	if s.top == "" {
		s.top, s.under = state.ID, map[string]string{}
	}
	if _, known := s.under[state.ID]; !known && state.ID != s.top {
		s.under[state.ID] = cmp.Or(text.Clean(state.Title), state.ID) + " › "
	}
	if began, ok := e.(plan.Started); ok && began.Child {
		s.under[began.Loop] = s.under[state.ID] + text.Clean(began.Task) + " › "
	}
	return s.under[state.ID]
}

func (a *Runner) planScreen(events bool) *planScreen { return &planScreen{Screen: a.Screen(events)} }

func (s *planScreen) event(state plan.State, e plan.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wipe()
	s.last = s.Now()
	under := s.place(state, e)
	if s.events {
		name, data, err := plan.Encode(e)
		if err != nil {
			return
		}
		if line, err := json.Marshal(view.EventOf(state.ID, 0, e.When(), name, data)); err == nil {
			fmt.Fprintf(s.Out, "%s\n", line)
		}
		return
	}
	if s.Quiet {
		return
	}
	for _, l := range view.PlanLines(state, e, s.Paint) {
		mark, words, _ := strings.Cut(l, " ")
		fmt.Fprintln(s.Err, mark+" "+s.Paint.Out(under)+words)
	}
}

// loop is a step of a task's loop: shown where all events are.
func (s *planScreen) loop(u engine.Update) {
	if s.events && u.Event != nil {
		s.Update(u)
	}
}
