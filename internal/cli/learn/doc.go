// Package learn is ralph learn: notes of earlier loops are listed, searched,
// written, reviewed and exported.
package learn

import (
	"context"

	"github.com/spf13/cobra"

	"ralph/internal/cli/project"
	"ralph/internal/learn"
)

// group is the commands with what they need.
type group struct{ *project.Opener }

// Command returns ralph learn.
func Command(o *project.Opener) *cobra.Command { return (&group{o}).learnCommand() }

// Search prints the notes that contain a text.
func Search(ctx context.Context, o *project.Opener, text string) error {
	return (&group{o}).learnList(ctx, text, false)
}

// Add stores a note.
func Add(ctx context.Context, o *project.Opener, w learn.NoteInput) error {
	return (&group{o}).learnAdd(ctx, w)
}
