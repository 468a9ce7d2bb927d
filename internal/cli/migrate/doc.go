// Package migrate is ralph migrate: it copies the loops and notes of other
// runners into ralph's store, each source once.
package migrate

import "ralph/internal/cli/project"

// Commands are the commands with what they need.
type Commands struct{ *project.Opener }

// New returns the commands of this group.
func New(b *project.Opener) *Commands { return &Commands{b} }
