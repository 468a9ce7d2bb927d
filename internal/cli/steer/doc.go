// Package steer sends commands to runs: ralph steer, pause, answer and abort.
package steer

import "ralph/internal/cli/runs"

// Commands are the commands of this group.
type Commands struct{ *runs.Client }

// New returns the commands of this group.
func New(c *runs.Client) *Commands { return &Commands{c} }
