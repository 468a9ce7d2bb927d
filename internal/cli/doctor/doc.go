// Package doctor is ralph doctor: it looks at the tools, the repository and the
// store, and reports findings with what helps. It changes nothing without --fix.
package doctor

import (
	"github.com/spf13/cobra"

	"ralph/internal/cli/launch"
)

// group is the command with what it needs.
type group struct{ *launch.Builder }

// Command returns ralph doctor.
func Command(b *launch.Builder) *cobra.Command { return (&group{b}).doctorCommand() }
