package engine

import "ralph/internal/journal"

// Command is what front ends send to a run; see journal.Command.
type Command = journal.Command

// CommandKind names a command.
type CommandKind = journal.CommandKind

// The kinds of a Command.
const (
	Pause    = journal.Pause
	PauseNow = journal.PauseNow
	Abort    = journal.Abort
	Steer    = journal.Steer
	Answer   = journal.Answer
	Wake     = journal.Wake
	Unpause  = journal.Unpause
	Recheck  = journal.Recheck
	Ask      = journal.Ask
	Resolve  = journal.Resolve
)
