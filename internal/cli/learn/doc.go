// Package learn is ralph learn: notes of earlier loops are listed, searched,
// written, reviewed and exported.
package learn

import (
	"context"

	"ralph/internal/cli/project"
)

// Commands are the commands with what they need.
type Commands struct{ *project.Opener }

// New returns the commands of this group.
func New(o *project.Opener) *Commands { return &Commands{o} }

// Search prints the notes that contain a text.
func (a *Commands) Search(ctx context.Context, text string) error {
	return a.learnList(ctx, text, false)
}
