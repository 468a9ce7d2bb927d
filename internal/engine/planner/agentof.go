package planner

import (
	"fmt"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// agentOf is who works on a task: the agent that it names, or that of the run where
// it names none. Where it names one that cannot do it, why says so.
func (r *run) agentOf(task plan.Task) (who loop.Agent, why string) {
	who = r.spec.Task.Agent
	if task.Agent == "" {
		return who, ""
	}
	named, known := r.spec.Agents[task.Agent]
	switch {
	case !known:
		return who, fmt.Sprintf("names the agent %q, which was not configured when the run began", task.Agent)
	case named.Use == "api" && task.Kind != plan.KindText:
		return who, fmt.Sprintf("names the agent %q, which only answers and cannot work in a tree", task.Agent)
	}
	return named, ""
}

// strangers says which tasks name an agent that does not do them. Of what stood in
// the file when the run began a person was told before.
func (r *run) strangers() string {
	var all []string
	for _, t := range r.book.plan.Tasks {
		who, why := r.agentOf(t)
		if why == "" || t.SubPlan != "" {
			continue
		}
		if s := r.state.Task(t.ID); s != nil && (s.Status.Open() || s.Proved()) {
			all = append(all, fmt.Sprintf("task %s %s: %s takes its place", t.ID, why, who.Name))
		}
	}
	return few(all)
}
