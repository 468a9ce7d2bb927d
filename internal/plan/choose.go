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
	if c.s.Rules.OnFailure == Stop && c.failed("") || c.failed(loop.Budget) || c.s.unpaid() {
		return
	}
	ready := c.ready()
	var chosen []*TaskState
	left := c.s.Left()
	for _, t := range ready {
		if c.busy >= c.s.Rules.Parallel || len(chosen) >= left {
			break
		}
		if !c.meets(t) {
			chosen = append(chosen, t)
			c.busy++
			c.occupy(t.ID)
		}
	}
	if len(chosen) == 0 {
		return
	}
	spare := left - c.behind(len(chosen))
	for i, t := range chosen {
		a := c.add(DoStart, t, fmt.Sprintf("%s/%d", t.ID, t.Tries))
		share := max(spare/(len(chosen)-i), 1)
		a.Most = min(share, c.s.most()-t.Spent)
		if c.g.tasks[c.g.index[t.ID]].SubPlan != "" {
			a.Most = c.s.shareOfChild(share)
		}
		if a.Plans = c.s.Rules.Approve && t.Agreed == ""; a.Plans {
			a.Most = min(share, mostPlanning)
		}
		spare -= a.Most
	}
}

// behind is how many tasks may still begin after so many: an attempt of the
// budget is kept for each.
func (c *chooser) behind(chosen int) int {
	n := -chosen
	for _, status := range c.s.Statuses(c.g) {
		if status == Pending || status == Ready {
			n++
		}
	}
	return max(n, 0)
}

// failed says whether a task has, for a reason; empty is any.
func (c *chooser) failed(reason loop.Reason) bool {
	return slices.ContainsFunc(c.s.Tasks, func(t TaskState) bool {
		return t.Status == Failed && !t.Gone && (reason == "" || t.Reason == reason)
	})
}

func (c *chooser) ready() []*TaskState {
	var ready []int
	wanted, free := c.g.wanted(c.s.Rules.Only), c.g.clear(c.g.over(c.at))
	for i, t := range c.g.tasks {
		at := c.at[t.ID]
		if at == nil || at.Status != Pending || at.Gone || at.Claimed || wanted != nil && !wanted[i] || !free[i] {
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
