package cli

import (
	"ralph/internal/cli/foreground"
	"ralph/internal/cli/project"
)

// Options are for tests of the whole program.
type Options = project.Options

// app is one call of the program: what every command shares.
type app struct {
	foreground.Runner
	// sandboxedAgent restricts a command that an agent sent from inside its sandbox.
	sandboxedAgent *sandboxedAgent
}
