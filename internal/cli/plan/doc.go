// Package plan is about plan files: ralph plan shows, checks, converts and
// approves them, ralph advise computes how many loops suit one.
package plan

import "ralph/internal/cli/project"

// Commands are the commands of this group.
type Commands struct{ *project.Opener }

// New returns the commands of this group.
func New(c *project.Opener) *Commands { return &Commands{c} }
