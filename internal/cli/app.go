package cli

import (
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/proc"
)

// Options are for tests of the whole program.
type Options = project.Options

// app is one call of the program: what every command shares.
type app struct {
	launch.Builder
	// args are the arguments as typed, in the directory started.
	Args    []string
	Started string
	// leash ties a command in the background to its starter; nil in the
	// foreground. It is let go at the event with the name recorded; "" is the
	// first one that finds the loop going on.
	Handoff  *proc.Handoff
	Recorded string

	// guest restricts a command that an agent sent from inside its sandbox.
	guest *guest
}
