package loop

import (
	"encoding/json"
	"fmt"

	"ralph/internal/journal"
)

// EventOf returns the event that a command stands for in a state, for every process
// that executes commands. It returns a
// *journal.RefusedError for a command that loops do not have.
func EventOf(s State, c journal.Command, at Stamp) (Event, error) {
	switch c.Kind {
	case journal.Pause, journal.PauseNow:
		return PauseAsked{Stamp: at, By: c.By}, nil
	case journal.Unpause:
		if s.Mode == AgentDriven {
			return Resumed{Stamp: at}, nil
		}
	case journal.Abort:
		return AbortAsked{Stamp: at, Why: c.Text}, nil
	case journal.Steer:
		return Steered{Stamp: at, Text: c.Text}, nil
	case journal.Answer:
		return Answered{Stamp: at, Text: c.Text, By: c.By, Question: c.Question}, nil
	case journal.Wake:
		return Woke{Stamp: at, Asked: c.Question == "", Question: c.Question}, nil
	case journal.RaiseBudget:
		var raise Raise
		if err := json.Unmarshal([]byte(c.Text), &raise); err != nil {
			return nil, &journal.RefusedError{Event: BudgetSet{}.Name(), Status: string(s.Status), Why: fmt.Sprintf("read the budget: %v", err)}
		}
		return BudgetSet{Stamp: at, Limit: raise.Over(s.Budget), By: c.By}, nil
	case journal.Ask:
		var q Question
		if err := json.Unmarshal([]byte(c.Text), &q); err != nil {
			return nil, &journal.RefusedError{Event: Asked{}.Name(), Status: string(s.Status), Why: fmt.Sprintf("read the question: %v", err)}
		}
		return Asked{Stamp: at, Question: q}, nil
	}
	return nil, &journal.RefusedError{Event: string(c.Kind), Status: string(s.Status), Why: "not a command for this loop"}
}

// CheckCommand returns nil where a command can be executed in a state now, else the error
// that Apply returns for its event.
func CheckCommand(s State, c journal.Command, at Stamp) error {
	e, err := EventOf(s, c, at)
	if err == nil {
		_, err = Apply(s, e)
	}
	return err
}
