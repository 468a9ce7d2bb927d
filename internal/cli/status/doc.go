// Package status shows runs: ralph status, show, logs, report and wait.
package status

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
