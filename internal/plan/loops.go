package plan

import "slices"

// Loops returns the loops that a plan has begun, with those that repair a landing or prove
// the whole. Plans in the place of tasks are none.
func (s State) Loops() (ids []string) {
	for _, t := range s.Tasks {
		if !t.Child {
			ids = append(ids, t.Loop)
		}
		ids = append(ids, t.Repair)
	}
	return slices.DeleteFunc(append(ids, s.Final), func(id string) bool { return id == "" })
}
