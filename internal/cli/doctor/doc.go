// Package doctor is ralph doctor: it looks at the tools, the repository and the
// store, and reports findings with what helps. It changes nothing without --fix.
package doctor

import "ralph/internal/cli/project"

// Commands are the commands with what they need.
type Commands struct{ *project.Opener }

// New returns the commands of this group.
func New(b *project.Opener) *Commands { return &Commands{b} }
