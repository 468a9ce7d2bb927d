// Package serve is ralph serve, which restarts the runs whose process died.
package serve

import (
	"context"

	"github.com/spf13/cobra"

	"ralph/internal/cli/foreground"
	"ralph/internal/cli/project"
)

// Commands are the commands of this group.
type Commands struct {
	*project.Opener
	runner *foreground.Runner
	pages  Pages
}

// Pages are those of ralph web, which serve shows with --web.
type Pages interface {
	// Flags adds their flags to a command; listen is the name of the one for another
	// address.
	Flags(cmd *cobra.Command, listen string)
	// Begin listens; the function that it returns serves until ctx ends.
	Begin(ctx context.Context) (serve func() error, err error)
}

// New returns the commands of this group.
func New(r *foreground.Runner, pages Pages) *Commands { return &Commands{r.Opener, r, pages} }
