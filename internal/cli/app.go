package cli

import (
	"ralph/internal/cli/foreground"
	"ralph/internal/cli/project"
)

// Options are for tests of the whole program.
type Options = project.Options

// app is one call of the program: what every command shares.
type app struct {
	*project.Opener
	runner *foreground.Runner
	// sandboxedAgent restricts a command that an agent sent from inside its sandbox.
	sandboxedAgent *sandboxedAgent
}

// newApp returns a call whose runs a runner drives.
func newApp(r *foreground.Runner, agent *sandboxedAgent) *app {
	return &app{Opener: r.Opener, runner: r, sandboxedAgent: agent}
}
