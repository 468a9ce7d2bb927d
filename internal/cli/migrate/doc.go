// Package migrate is ralph migrate: it copies the loops and notes of other
// runners into ralph's store, each source once.
package migrate

import (
	"github.com/spf13/cobra"

	"ralph/internal/cli/launch"
)

// group is the command with what it needs.
type group struct{ *launch.Builder }

// Command returns ralph migrate.
func Command(b *launch.Builder) *cobra.Command { return (&group{b}).migrateCommand() }
