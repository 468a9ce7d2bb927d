// Package notify is ralph notify: where messages go, whether they arrive, and a try.
package notify

import "ralph/internal/cli/project"

// Commands are the commands with what they need.
type Commands struct{ *project.Opener }

// New returns the commands of this group.
func New(o *project.Opener) *Commands { return &Commands{o} }
