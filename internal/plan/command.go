package plan

import "ralph/internal/journal"

// EventOf returns the event that a command stands for, for every process that executes
// commands. It returns a *journal.RefusedError for a command that plans do not have.
func EventOf(c journal.Command, at Stamp) (Event, error) {
	switch c.Kind {
	case journal.Pause, journal.PauseNow:
		return PauseAsked{Stamp: at, By: c.By}, nil
	case journal.Abort:
		return AbortAsked{Stamp: at, Why: c.Text}, nil
	case journal.Wake:
		return Woken{Stamp: at, By: c.By}, nil
	case journal.Answer:
		return Answered{Stamp: at, Text: c.Text, By: c.By, Question: c.Question}, nil
	case journal.Resolve:
		return Resolved{Stamp: at, Text: c.Text, By: c.By}, nil
	}
	return nil, &journal.RefusedError{Event: string(c.Kind), Why: "not a command for a plan"}
}
