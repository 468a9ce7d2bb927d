// Package migrate is ralph migrate: it copies the loops and notes of other
// runners into ralph's store, each source once.
package migrate

import "ralph/internal/cli/launch"

// Commands are the commands with what they need.
type Commands struct{ *launch.Builder }

// New returns the commands of this group.
func New(b *launch.Builder) *Commands { return &Commands{b} }
