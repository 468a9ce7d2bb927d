package plan

import (
	"context"
	"fmt"

	"ralph/internal/cli/launch"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/planfile"
)

// unknownAgents are the open tasks that name an agent which this repository does not
// configure: a run of the plan refuses them. Outside of a repository none is known.
func (a *Commands) unknownAgents(ctx context.Context, path string, pl plan.Plan) planfile.Errors {
	p, err := a.Locate(ctx)
	if err == nil {
		err = a.Configure(p)
	}
	if err != nil {
		return nil
	}
	var out planfile.Errors
	for _, t := range pl.Tasks {
		if t.Agent == "" || !t.Status.Open() || t.SubPlan != "" || !launch.UnknownPlanAgent(a.Opener, p, t.Agent) {
			continue
		}
		out = append(out, &planfile.Error{
			File: path, Line: t.Line, Message: fmt.Sprintf("task %s names the agent %q, which is not configured", t.ID, t.Agent),
			Hint: launch.PlanAgentHint(t.Agent, loop.Agent{Name: p.FirstWorker()}, nil),
		})
	}
	return out
}
