// Package resume continues what has stopped: ralph resume for paused, waiting and
// crashed runs, ralph retry for the task of a loop that has ended.
package resume

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
