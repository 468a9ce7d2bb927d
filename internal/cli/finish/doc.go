// Package finish is for runs that have ended: ralph accept, archive and clean.
package finish

import "ralph/internal/cli/runs"

// Commands are the commands of this group.
type Commands struct{ *runs.Client }

// New returns the commands of this group.
func New(c *runs.Client) *Commands { return &Commands{c} }
