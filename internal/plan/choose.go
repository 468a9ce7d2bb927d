package plan

import (
	"cmp"
	"fmt"
	"slices"

	"ralph/internal/loop"
)

// questions puts failures to a person.
func (c *chooser) questions() {
	if c.s.Rules.OnFailure != Ask {
		return
	}
	for i := range c.s.Tasks {
		if t := &c.s.Tasks[i]; t.Status == Failed && !t.Gone && !c.s.asked(t) {
			c.add(DoAsk, t, t.ID)
		}
	}
}

// start chooses among the tasks that are ready, in the order of the design: the
// lower phase, then the lower priority, then fewer attempts, then the file.
func (c *chooser) start() {
	if c.s.Rules.OnFailure == Stop && c.failed("") || c.failed(loop.Budget) {
		return
	}
	left := c.s.Left()
	for _, t := range c.ready() {
		if c.busy >= c.s.Rules.Parallel || left < 1 {
			return
		}
		if c.meets(t) {
			continue
		}
		a := c.add(DoStart, t, fmt.Sprintf("%s/%d", t.ID, t.Tries))
		a.Most = min(left, c.s.most())
		if a.Plans = c.s.Rules.Approve && t.Agreed == ""; a.Plans {
			a.Most = min(left, mostPlanning)
		}
		left -= a.Most
		c.busy++
		c.occupy(t.ID)
	}
}

// failed says whether a task has, for a reason; empty is any.
func (c *chooser) failed(reason loop.Reason) bool {
	return slices.ContainsFunc(c.s.Tasks, func(t TaskState) bool {
		return t.Status == Failed && !t.Gone && (reason == "" || t.Reason == reason)
	})
}

func (c *chooser) ready() []*TaskState {
	var ready []int
	wanted := c.g.wanted(c.s.Rules.Only)
	for i, t := range c.g.tasks {
		at := c.at[t.ID]
		if at == nil || at.Status != Pending || at.Gone || at.Claimed || wanted != nil && !wanted[i] || !c.g.free(i, c.at) {
			continue
		}
		ready = append(ready, i)
	}
	slices.SortStableFunc(ready, func(i, j int) int {
		a, b := c.g.tasks[i], c.g.tasks[j]
		return cmp.Or(cmp.Compare(a.Phase, b.Phase), cmp.Compare(a.Priority, b.Priority),
			cmp.Compare(c.at[a.ID].Attempts, c.at[b.ID].Attempts))
	})
	out := make([]*TaskState, len(ready))
	for i, n := range ready {
		out[i] = c.at[c.g.tasks[n].ID]
	}
	return out
}

// free: all that the task with number i needs is done, or is not to be done.
func (g *Graph) free(i int, at map[string]*TaskState) bool {
	return !slices.ContainsFunc(g.needs[i], func(n int) bool {
		t := at[g.tasks[n].ID]
		return t == nil || t.Status != Done && t.Status != Skipped
	})
}
