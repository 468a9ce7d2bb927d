package recovery

import "slices"

// candidates returns the runs that a supervisor may act on: those without a
// process that need one, and those whose process may be stopped. What belongs to
// a plan is left to that plan while it runs, is under recovery or is to pause; a
// deadline inside a waiting plan wakes the plan.
func candidates(runs []Run) (out []Run) {
	runs = slices.Clone(runs)
	plans := plansOf(runs)
	for _, r := range runs {
		if !r.Asks || r.Wake.IsZero() {
			continue
		}
		for _, id := range above(r, plans) {
			if p := plans[id]; p != nil && p.Asks && (p.Wake.IsZero() || r.Wake.Before(p.Wake)) {
				p.Wake = r.Wake
			}
		}
	}
	for _, r := range runs {
		if r.Live || r.orphaned() && !leftToPlan(r, plans) {
			out = append(out, r)
		}
	}
	return out
}

// plansOf returns the plans among runs, by their ids.
func plansOf(runs []Run) map[string]*Run {
	plans := map[string]*Run{}
	for i, r := range runs {
		if r.Kind == Plan {
			plans[r.ID] = &runs[i]
		}
	}
	return plans
}

// above returns all plans that r belongs to: a loop knows only its own.
func above(r Run, plans map[string]*Run) []string {
	ids := slices.Clone(r.In)
	for _, id := range r.In {
		if p := plans[id]; p != nil {
			ids = append(ids, p.In...)
		}
	}
	return ids
}

// leftToPlan reports whether one of its plans resumes r, which has no process. A
// question is always the plan's to wait for.
func leftToPlan(r Run, plans map[string]*Run) bool {
	if len(r.In) > 0 && !r.Crashed {
		return true
	}
	return slices.ContainsFunc(above(r, plans), func(id string) bool {
		p := plans[id]
		return p != nil && (p.Live || p.PauseAsked || p.orphaned())
	})
}
