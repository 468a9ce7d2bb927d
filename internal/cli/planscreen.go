package cli

import (
	"encoding/json"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/plan"
	"ralph/internal/report"
)

// planScreen shows a plan's run line by line.
type planScreen struct {
	*screen
}

func (a *app) planScreen(events bool) *planScreen { return &planScreen{a.screen(events)} }

func (s *planScreen) event(state plan.State, e plan.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wipe()
	s.last = s.now()
	if s.events {
		name, data, err := plan.Encode(e)
		if err != nil {
			return
		}
		if line, err := json.Marshal(report.EventOf(state.ID, 0, e.When(), name, data)); err == nil {
			fmt.Fprintf(s.Out, "%s\n", line)
		}
		return
	}
	if s.quiet {
		return
	}
	for _, l := range report.PlanLines(state, e, s.paint) {
		fmt.Fprintln(s.Err, l)
	}
}

// loop is a step of a task's loop: shown where all events are, or as a sign of
// life.
func (s *planScreen) loop(task string, u engine.Update) {
	if s.events && u.Event != nil {
		s.update(u)
	}
}
