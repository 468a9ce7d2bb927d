package plan

import (
	"cmp"
	"fmt"
	"slices"

	"ralph/internal/loop"
	"ralph/internal/scope"
)

// questions asks a person about failures.
func (c *chooser) questions() {
	for i := range c.s.Tasks {
		t := &c.s.Tasks[i]
		ask := c.s.Rules.OnFailure == Ask || c.s.undecided(t)
		if ask && t.Status == Failed && !t.Gone && c.wants(t.ID) && !t.gaveUp() && !c.s.asked(t) {
			c.add(DoAsk, t, t.ID)
		}
	}
}

// undecided reports whether a task failed although no gate found its work wrong: its
// plan could not be written, or its proved work does not fit what landed before. Only a
// person can say how it continues, whatever the rule for failures is.
func (s *State) undecided(t *TaskState) bool {
	return t.Reason == loop.Conflict || s.Rules.Approve && t.Agreed == "" && !hopeless(t.Reason)
}

// start chooses among the tasks that are ready, in the order of the design: the
// lower phase, then the lower priority, then fewer attempts, then the file.
func (c *chooser) start() {
	if c.s.Rules.OnFailure == Stop && c.failed("") || c.failed(loop.Budget) || c.s.unpaid() {
		return
	}
	ready := c.ready()
	parts := c.newDivision(ready)
	var chosen []*TaskState
	for _, t := range ready {
		if c.busy >= c.s.Rules.Parallel || len(chosen) >= parts.left {
			break
		}
		if parts.of(t) > 0 && !c.meets(t) {
			chosen = append(chosen, t)
			c.busy++
			c.occupy(t.ID)
		}
	}
	for i, t := range chosen {
		a := c.add(DoStart, t, fmt.Sprintf("%s/%d", t.ID, t.Tries))
		a.Most = c.most(t, parts, len(chosen)-i)
		a.Plans = c.s.Rules.Approve && t.Agreed == ""
		if a.Plans {
			a.Most = mostPlanning
			if c.s.bounded() {
				a.Most = max(min(mostPlanning, parts.part(t, len(chosen)-i)-1), 1)
			}
		}
		parts.take(t, a.Most)
	}
}

// most attempts of the loop that is about to begin; 0: the plan in the task's place
// has a budget of its own.
func (c *chooser) most(t *TaskState, parts *division, together int) int {
	child := c.g.tasks[c.g.index[t.ID]].SubPlan != ""
	switch {
	case child && !c.s.bounded():
		return 0
	case child:
		return parts.part(t, together)
	case !c.s.bounded():
		return c.s.most() - t.Spent
	}
	return min(parts.part(t, together), c.s.most()-t.Spent)
}

// failed reports whether a task of the run failed for a reason; empty is any.
func (c *chooser) failed(reason loop.Reason) bool {
	return slices.ContainsFunc(c.s.Tasks, func(t TaskState) bool {
		return t.Status == Failed && !t.Gone && !t.gaveUp() && c.wants(t.ID) && (reason == "" || t.Reason == reason)
	})
}

func (c *chooser) ready() []*TaskState {
	var ready []int
	free := c.g.clear(c.g.over(c.at))
	for i, t := range c.g.tasks {
		at := c.at[t.ID]
		if at == nil || at.Status != Pending || at.Gone || at.Claimed || at.Proposes != "" || !c.wants(t.ID) || !free[i] {
			continue
		}
		ready = append(ready, i)
	}
	slices.SortStableFunc(ready, func(i, j int) int {
		a, b := c.g.tasks[i], c.g.tasks[j]
		return cmp.Or(cmp.Compare(a.Phase, b.Phase), cmp.Compare(a.Priority, b.Priority),
			cmp.Compare(c.at[a.ID].Recorded(), c.at[b.ID].Recorded()))
	})
	out := make([]*TaskState, len(ready))
	for i, n := range ready {
		out[i] = c.at[c.g.tasks[n].ID]
	}
	return out
}

// Conflicts are predicted before a task begins: one that would change the files
// of a task at work waits until that one has landed. The files of a task are
// those that it declares, and those that its loops have changed, also loops
// that ended: another try mostly touches the same files.
//
// A trial merge (git merge-tree) would find files that both sides change
// without a conflict. It is not asked: the commits of a loop so far are not
// those that it will land, so that a clean merge of today promises nothing,
// while a file on both sides is a condition of any conflict. To wait costs
// nothing as long as others are ready; a conflict costs a run of an agent.

// occupy records the files of a task that an agent works on.
func (c *chooser) occupy(id string) {
	c.declared = append(c.declared, c.files(id)...)
	for _, f := range c.touched[id] {
		if c.changed == nil {
			c.changed = map[string]bool{}
		}
		c.changed[f] = true
	}
}

// meets reports whether a task may conflict with one at work.
func (c *chooser) meets(t *TaskState) bool {
	mine := c.files(t.ID)
	if len(scope.Overlaps(mine, c.declared)) > 0 {
		return true
	}
	if len(mine) > 0 {
		for f := range c.changed {
			if scope.Match(mine, f) {
				return true
			}
		}
	}
	return slices.ContainsFunc(c.touched[t.ID], func(f string) bool { return c.changed[f] || scope.Match(c.declared, f) })
}

// files returns the files that a task declares, as globs.
func (c *chooser) files(id string) []string {
	if i, ok := c.g.index[id]; ok {
		return c.g.tasks[i].Files
	}
	return nil
}
