// Package finish is for runs that have ended: ralph accept, archive and clean.
package finish

import "ralph/internal/cli/project"

// Commands are the commands of this group.
type Commands struct{ *project.Opener }

// New returns the commands of this group.
func New(c *project.Opener) *Commands { return &Commands{c} }
