// Package setup is ralph init, ralph config and ralph trust: it surveys a project, tries its
// gates, writes ralph.yaml, and shows where each setting comes from.
package setup

import "ralph/internal/cli/project"

// Commands are the commands with what they need.
type Commands struct{ *project.Opener }

// New returns the commands of this group.
func New(o *project.Opener) *Commands { return &Commands{o} }
