// Package demo is ralph demo: the real engine on a throw-away repository, with
// a scripted agent.
package demo

import (
	"context"

	"ralph/internal/cli/foreground"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
)

// RunPlan runs the plan of a file, as ralph run FILE does.
type RunPlan func(ctx context.Context, r *foreground.Runner, path string, f launch.Flags) error

// Commands are the commands of this group.
type Commands struct {
	*project.Opener
	runner  *foreground.Runner
	runPlan RunPlan
}

// New returns the commands of this group.
func New(r *foreground.Runner, runPlan RunPlan) *Commands { return &Commands{r.Opener, r, runPlan} }
