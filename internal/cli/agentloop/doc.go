// Package agentloop is the commands that an agent calls about a loop that it
// drives itself: ralph loop, its other spelling ralph agent-loop, ralph ask, ralph dispute
// and ralph hook. The tools of ralph mcp call the same functions.
package agentloop

import "ralph/internal/cli/project"

// Commands are the commands with what they need.
type Commands struct{ *project.Opener }

// New returns the commands of this group.
func New(b *project.Opener) *Commands { return &Commands{b} }
