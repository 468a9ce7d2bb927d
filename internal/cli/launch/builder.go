package launch

import (
	"ralph/internal/cli/project"
)

// Builder makes the specification of a loop from flags and configuration: its
// gates, its agents and their reviewers, its limits and budgets.
type Builder struct{ project.Opener }
