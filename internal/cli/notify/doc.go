// Package notify is ralph notify: where messages go, whether they arrive, and a try.
package notify

import (
	"github.com/spf13/cobra"

	"ralph/internal/cli/project"
)

// group is the commands with what they need.
type group struct{ *project.Opener }

// Command returns ralph notify.
func Command(o *project.Opener) *cobra.Command { return (&group{o}).command() }
