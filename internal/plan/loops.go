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

// Inner returns the plans that are run in the places of tasks.
func (s State) Inner() (ids []string) {
	for _, t := range s.Tasks {
		if t.Child {
			ids = append(ids, t.Loop)
		}
	}
	return ids
}

// LandedLoops returns the loops whose work has landed, by task, and by Whole those that repaired the
// result of all tasks: the loop of a task, and the one that repaired its landing. Tasks that
// the file does not have any more, and those that a plan did, have none.
func (s *State) LandedLoops() map[string][]string {
	all := map[string][]string{}
	for _, t := range s.Tasks {
		if t.Landed == "" || t.Child || t.Gone {
			continue
		}
		for _, id := range []string{t.Loop, t.Repair} {
			if id != "" && !slices.Contains(all[t.ID], id) {
				all[t.ID] = append(all[t.ID], id)
			}
		}
	}
	if len(s.Ends) > 0 {
		all[Whole] = s.Ends
	}
	return all
}
