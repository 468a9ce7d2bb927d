// Package web is ralph web: it gives the pages (package web of the front ends) what they
// show, from all repositories of the user, and hands them a listener on loopback.
package web

import (
	"ralph/internal/cli/foreground"
	"ralph/internal/cli/project"
)

// Commands are the commands of this group.
type Commands struct {
	*project.Opener
	runner *foreground.Runner
	// command runs a command of ralph without a terminal, and returns what it prints and
	// its exit code.
	command func(args ...string) (string, int)
	flags   flags
}

// New returns the commands of this group. command runs any command of ralph, without a
// terminal, and returns what it prints and its exit code.
func New(r *foreground.Runner, command func(args ...string) (string, int)) *Commands {
	return &Commands{Opener: r.Opener, runner: r, command: command}
}
