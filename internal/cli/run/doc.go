// Package run is ralph run: one task as a loop, or the tasks of a plan.
package run

import (
	"ralph/internal/cli/foreground"
	"ralph/internal/cli/project"
)

// Commands are the commands of this group.
type Commands struct {
	*project.Opener
	runner *foreground.Runner
}

// New returns the commands of this group.
func New(r *foreground.Runner) *Commands { return &Commands{r.Opener, r} }
