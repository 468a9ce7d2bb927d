package planfile

import "ralph/internal/plan"

// readPRD reads seed 002's task file. A phase orders tasks and is no
// dependency (design §7).
func readPRD(top node, tasks []node) (File, error) {
	var r reader
	f := File{Format: PRD}
	if meta, ok := top.get("meta"); ok {
		f.Plan.Title = r.text(meta, "name")
	}
	for _, n := range tasks {
		if n.kind != object {
			r.fail(n, "write an object with id and title", "a task is no object")
			continue
		}
		f.Plan.Tasks = append(f.Plan.Tasks, r.prdTask(n))
	}
	return f, r.err
}

func (r *reader) prdTask(n node) plan.Task {
	t := plan.Task{
		Title: r.text(n, "title"), Text: r.text(n, "description"), Agent: r.text(n, "agent"),
		Criteria: r.texts(n, "acceptanceCriteria"), Status: r.prdStatus(n), Line: n.line,
	}
	if id, ok := n.get("id"); ok {
		t.ID = r.id(id, "id")
	}
	for _, on := range r.ids(n, "dependencies") {
		t.Needs = append(t.Needs, plan.Need{On: on, Why: plan.Stated})
	}
	t.Phase, _ = r.number(n, "phase")
	t.Attempts, _ = r.number(n, "attempts")
	return t
}

func (r *reader) prdStatus(n node) plan.Status {
	s := plan.Status(r.text(n, "status"))
	switch s {
	case "":
		return plan.Pending
	case plan.Pending, plan.Ready, plan.Running, plan.Done, plan.Failed, plan.Blocked, plan.Skipped:
		return s
	}
	f, _ := n.get("status")
	r.fail(f, "write pending, ready, running, done, failed, blocked or skipped", "the status "+quote(string(s))+" is not known")
	return plan.Pending
}
