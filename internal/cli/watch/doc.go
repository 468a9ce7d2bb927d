// Package watch is ralph watch: it gives the terminal screen (tui) an engine that
// reads, and writes as soon as the user sends a command.
package watch

import (
	"ralph/internal/cli/foreground"
	"ralph/internal/cli/project"
)

// Commands are the commands of this group.
type Commands struct {
	*project.Opener
	runner *foreground.Runner
	// command runs a command of ralph without a terminal and returns what it
	// prints and its exit code.
	command func(args ...string) (string, int)
}

// New returns the commands of this group. command runs any command of ralph, without a
// terminal, and returns what it prints and its exit code.
func New(r *foreground.Runner, command func(args ...string) (string, int)) *Commands {
	return &Commands{r.Opener, r, command}
}
