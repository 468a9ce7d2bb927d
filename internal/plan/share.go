package plan

import "slices"

// A number of attempts that is given for all tasks is divided fairly: each task may
// count on the same share of it, whatever the others use. Attempts that are
// in no share, because a task needed fewer or cannot begin any more, go to those that
// begin.

// division divides the attempts that are left among the tasks that are to begin.
type division struct {
	// left is what no loop in progress has reserved, spare the part of it that is in
	// no task's share.
	left, spare int
	// due is the unused share of each task that has not begun, or is to begin again.
	due map[string]int
}

// plenty stands for no bound.
const plenty = 1 << 30

func (c *chooser) newDivision(ready []*TaskState) *division {
	out := &division{left: c.s.Left(), due: map[string]int{}}
	out.spare = out.left
	if !c.s.bounded() {
		return out
	}
	share := c.s.share()
	for id, status := range c.s.Statuses(c.g) {
		if t := c.at[id]; t != nil && (status == Pending || status == Ready) {
			out.due[id] = max(share-t.Attempts, 0)
			out.spare -= out.due[id]
		}
	}
	out.spare = max(out.spare, 0)
	out.unlock(ready, len(c.out) == 0 && c.busy == 0)
	return out
}

// unlock gives what is kept for waiting tasks to those that they wait for, except
// for one attempt each: nothing is in progress that could return attempts, and all
// that can begin have used their shares.
func (d *division) unlock(ready []*TaskState, idle bool) {
	used := func(t *TaskState) bool { return d.due[t.ID] == 0 }
	if !idle || d.spare > 0 || slices.ContainsFunc(ready, func(t *TaskState) bool { return !used(t) }) {
		return
	}
	d.spare = max(d.left-len(d.due), min(d.left, 1))
	clear(d.due)
}

// share is the part of the given attempts that each task may count on.
func (s *State) share() int {
	n := 0
	for _, t := range s.Tasks {
		if !t.Gone && t.Status != Skipped && !t.byHand() {
			n++
		}
	}
	return max(s.Rules.Attempts/max(n, 1), 1)
}

// of returns how many attempts a task could have at once.
func (d *division) of(t *TaskState) int { return min(d.due[t.ID]+d.spare, d.left) }

// part is its part where several tasks begin together; each of them gets one.
func (d *division) part(t *TaskState, together int) int {
	return max(min(d.due[t.ID]+d.spare/together, d.left-together+1), 1)
}

// take reserves attempts for a task.
func (d *division) take(t *TaskState, most int) {
	d.left -= most
	d.spare = max(d.spare-max(most-d.due[t.ID], 0), 0)
	delete(d.due, t.ID)
}
