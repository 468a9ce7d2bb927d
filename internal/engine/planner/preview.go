package planner

import (
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/planfile"
)

// Preview is what the first loop of each of these tasks will be asked for, by the
// very words and gates of a run that has not begun: nothing is done yet that a
// task could be told of. Names that look alike are taken in the order of the
// tasks. Nothing is recorded.
func (p *Planner) Preview(spec engine.PlanSpec, file planfile.File, tasks []plan.Task) ([]loop.Spec, error) {
	graph, err := file.Plan.Graph()
	if err != nil {
		return nil, err
	}
	b := newBook(spec.File, "")
	b.hold(file, file.Write(nil).Data)
	state, err := plan.Apply(plan.Begin(spec.ID, spec.File, file.Plan.Title, Branch(spec.ID), spec.Base, spec.Rules), b.event())
	if err != nil {
		return nil, err
	}
	r := &run{Planner: p, spec: spec, state: state, book: b, graph: graph}
	most := spec.Rules.PerTask
	if spec.Rules.Chunks {
		most = 1
	}
	taken := map[string]bool{}
	out := make([]loop.Spec, len(tasks))
	for i, t := range tasks {
		id := ""
		for n := 1; id == "" || taken[id]; n++ {
			id = LoopID(spec.ID, t.ID, "", n)
		}
		taken[id] = true
		out[i] = r.taskSpec(plan.TaskState{ID: t.ID, Loop: id, From: spec.Base, Most: most})
	}
	return out, nil
}
