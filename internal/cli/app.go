package cli

import (
	"ralph/internal/cli/command"
	"ralph/internal/proc"
	"ralph/internal/sandbox"
	"time"
)

// Options are for tests of the whole program.
type Options struct {
	// Fault is called at each point at which a crash must be survived.
	Fault func(point string)
	// Grace replaces the time between asking a process to end and ending it.
	Grace time.Duration
}

// app is one call of the program: what every command shares.
type app struct {
	command.Terminal
	Options
	// args are what was typed, in the directory started.
	args    []string
	started string
	// leash ties a command in the background to its starter; nil in the
	// foreground. It is let go at the event with the name recorded; "" is the
	// first one that finds the loop going on.
	leash    *proc.Handoff
	recorded string

	// about is the loop or plan that the command turned out to be about: what hints
	// call ID.
	about string

	// guest restricts a command that an agent sent from inside of its sandbox.
	guest *guest
	// kit is what this machine offers to hold agents with.
	kit *sandbox.Capabilities

	// told, if there is one, is given the loop that a command told about.
	told *told
}
