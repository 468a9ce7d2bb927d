package engine

import (
	"encoding/json"

	"ralph/internal/journal"
	"ralph/internal/loop"
)

// Command is what front ends send to a run; see journal.Command.
type Command = journal.Command

// CommandKind names a command.
type CommandKind = journal.CommandKind

// The kinds of a Command.
const (
	Pause       = journal.Pause
	PauseNow    = journal.PauseNow
	Abort       = journal.Abort
	Steer       = journal.Steer
	Answer      = journal.Answer
	Wake        = journal.Wake
	Unpause     = journal.Unpause
	Recheck     = journal.Recheck
	Ask         = journal.Ask
	RaiseBudget = journal.RaiseBudget
	Resolve     = journal.Resolve
)

// BudgetCommand changes what a loop may spend. The raise travels, and not what it comes to, so
// that those who raise at once each have their effect.
func BudgetCommand(r loop.Raise, by string) (Command, error) {
	data, err := json.Marshal(r)
	return Command{Kind: RaiseBudget, Text: string(data), By: by}, err
}
