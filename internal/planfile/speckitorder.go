package planfile

import (
	"cmp"
	"slices"

	"ralph/internal/plan"
)

// mostBarriers bounds the dependencies between phases of a plan. Above it a phase
// begins with a single task.
const mostBarriers = 100_000

// order adds implied dependencies. Within a phase a task waits for those before
// it, a [P] task only for the last one without the mark. The phase of a story
// waits for the last phase that is not a story; any other waits for all phases
// since that one.
func (r *specKit) order() {
	place := r.places()
	base, made := -1, 0
	for k := range r.parts {
		p := &r.parts[k]
		slices.SortFunc(p.tasks, func(a, b int) int { return cmp.Compare(place[a], place[b]) })
		r.within(p.tasks, place)
		p.starts, p.ends = r.edges(p.tasks)
		before := r.before(base, k)
		if made += len(before) * len(p.starts); made > mostBarriers {
			r.file.warn(r.file.Plan.Tasks[p.tasks[0]].Line, "too many tasks side by side: the first one of this phase waits for all before, the others for it")
			r.chain(p.tasks, place)
			p.starts, p.ends = r.edges(p.tasks)
		}
		for _, i := range p.starts {
			for _, on := range before {
				r.need(i, on, plan.Barrier, place)
			}
		}
		if !p.story {
			base = k
		}
	}
}

// before returns the tasks that phase k waits for. Stories wait for the ends of
// the last phase that is not a story.
func (r *specKit) before(base, k int) (out []int) {
	for j := max(base, 0); j < k; j++ {
		between := j != base
		if between && r.parts[k].story || !between && !r.parts[k].story && k > base+1 {
			continue
		}
		out = append(out, r.parts[j].ends...)
	}
	return out
}

// places returns a topological order of the stated dependencies, close to that
// of the file. Implied dependencies point backwards in it, so that they close no
// cycle.
func (r *specKit) places() []int {
	place := make([]int, len(r.file.Plan.Tasks))
	seen := make([]bool, len(place))
	n := 0
	var visit func(i int)
	visit = func(i int) {
		if seen[i] {
			return
		}
		seen[i] = true
		for _, need := range r.file.Plan.Tasks[i].Needs {
			if on, ok := r.number[need.On]; ok {
				visit(on)
			}
		}
		place[i] = n
		n++
	}
	for i := range place {
		visit(i)
	}
	return place
}

// within orders one phase. Stated dependencies replace the order.
func (r *specKit) within(tasks, place []int) {
	last := -1
	var group []int // the [P] tasks since the last one without the mark
	for _, i := range tasks {
		stated := len(r.file.Plan.Tasks[i].Needs) > 0
		waits := group
		if r.beside[i] || len(group) == 0 {
			waits = []int{last}
		}
		for _, on := range waits {
			if on >= 0 && !stated {
				r.need(i, on, plan.Order, place)
			}
		}
		if r.beside[i] {
			group = append(group, i)
			continue
		}
		last, group = i, nil
	}
}

// chain leaves a phase with a single start: the other starts wait for it.
func (r *specKit) chain(tasks, place []int) {
	starts, _ := r.edges(tasks)
	for _, i := range starts[min(1, len(starts)):] {
		r.need(i, starts[0], plan.Barrier, place)
	}
}

// edges returns the tasks of a phase without dependencies in it, and those
// without dependents in it.
func (r *specKit) edges(tasks []int) (starts, ends []int) {
	in, waited := map[string]bool{}, map[string]bool{}
	for _, i := range tasks {
		in[r.file.Plan.Tasks[i].ID] = true
	}
	for _, i := range tasks {
		start := true
		for _, n := range r.file.Plan.Tasks[i].Needs {
			start = start && !in[n.On]
			waited[n.On] = true
		}
		if start {
			starts = append(starts, i)
		}
	}
	for _, i := range tasks {
		if !waited[r.file.Plan.Tasks[i].ID] {
			ends = append(ends, i)
		}
	}
	return starts, ends
}

// need adds a dependency, unless it contradicts stated ones.
func (r *specKit) need(i, on int, why plan.Why, place []int) {
	if place[on] >= place[i] {
		return
	}
	t := &r.file.Plan.Tasks[i]
	t.Needs = append(t.Needs, plan.Need{On: r.file.Plan.Tasks[on].ID, Why: why})
}
