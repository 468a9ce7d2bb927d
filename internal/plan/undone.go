package plan

// Undone returns the tasks that a run has done, to be done again by a plan that begins
// anew: their ticks in the file were made by that run and no longer count.
func Undone(tasks []TaskState) []TaskState {
	var out []TaskState
	for _, t := range tasks {
		if (t.Proved() || t.Status == Pending && t.Insist) && !t.Gone {
			out = append(out, TaskState{ID: t.ID, Title: t.Title, Digest: t.Digest, Status: Pending, Insist: true})
		}
	}
	return out
}
