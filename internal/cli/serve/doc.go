// Package serve is ralph serve, which restarts the runs whose process died.
package serve

import "ralph/internal/cli/foreground"

// Commands are the commands of this group.
type Commands struct{ *foreground.Runner }

// New returns the commands of this group.
func New(r *foreground.Runner) *Commands { return &Commands{r} }
