package view

import (
	"slices"

	"ralph/internal/next"
)

// In returns the run with commands that can be typed outside of its repository, which is at
// root.
func (r Run) In(root string) Run {
	r.Next, r.Take = next.In(root, r.Next), next.In(root, r.Take)
	r.Tasks = slices.Clone(r.Tasks)
	for i := range r.Tasks {
		r.Tasks[i].Next = next.In(root, r.Tasks[i].Next)
	}
	return r
}

// Among returns the run as a list of the runs of several repositories holds it: its id, and
// that of its plan, begin with the name of the repository.
func (r Run) Among(repository string) Run {
	r.ID = repository + "/" + r.ID
	if r.Of != "" {
		r.Of = repository + "/" + r.Of
	}
	return r
}
