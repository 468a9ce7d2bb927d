// Package watch is ralph watch: it gives the terminal screen (tui) an engine that
// reads, and writes as soon as the user sends a command.
package watch

import "ralph/internal/cli/foreground"

// Commands are the commands of this group.
type Commands struct{ *foreground.Runner }

// New returns the commands of this group.
func New(r *foreground.Runner) *Commands { return &Commands{r} }
