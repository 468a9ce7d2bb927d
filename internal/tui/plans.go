package tui

import (
	"context"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/view"
)

// Plan is a plan as the screen shows it.
type Plan struct {
	Item view.PlanItem
	// Seq grows with each of its steps.
	Seq int64
}

// A plan has a row among the loops, is answered, paused, resumed and aborted like
// them, and opens its own page. The loops of its tasks follow it.

// seen returns the version of the plan that the list shows.
func (p Plan) seen() seen {
	f := p.Item.Facts
	return seen{p.Seq, engine.Facts{RunFacts: engine.RunFacts{Live: f.Live, Crashed: f.Crashed}}}
}

// plans asks for the plans, if the screen shows any.
func (a *looked) plans(ctx context.Context, ask func(context.Context) ([]Plan, error)) {
	if ask == nil || a.err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	a.planned, a.err = ask(ctx)
}

// takePlans takes the plans of a look, and reports whether one of them changed.
func (m *model) takePlans(all []Plan) (moved bool) {
	plans := make(map[string]Plan, len(all))
	for _, p := range all {
		id := p.Item.State.ID
		plans[id] = p
		old, ok := m.plans[id]
		moved = moved || !ok || old.seen() != p.seen()
	}
	if p, ok := m.plans[m.open]; ok && plans[m.open].Seq == 0 { // it is looked at, however long ago it ended
		plans[m.open] = p
	}
	moved = moved || len(plans) != len(m.plans)
	m.plans = plans
	return moved
}

// runs are all loops and plans.
func (m *model) runs() []view.Run {
	out := make([]view.Run, 0, len(m.loops)+len(m.plans)+len(m.all))
	for _, l := range m.loops {
		out = append(out, m.here(m.brief(l).Run(m.now)))
	}
	for _, p := range m.plans {
		out = append(out, m.here(p.Item.Run(m.now)))
	}
	for _, p := range m.all {
		out = append(out, p.run)
	}
	return out
}

// here is a run with the commands to type for it.
func (m *model) here(r view.Run) view.Run {
	if m.o.Root == "" {
		return r
	}
	return r.In(m.o.Root)
}

// run returns a loop or a plan, and whether it is there.
func (m *model) run(id string) (view.Run, bool) {
	if p, ok := m.plans[id]; ok {
		return m.here(p.Item.Run(m.now)), true
	}
	if p, ok := m.all[id]; ok {
		return p.run, true
	}
	l, ok := m.loops[id]
	if !ok {
		return view.Run{}, false
	}
	return m.here(m.brief(l).Run(m.now)), true
}

// waits reports whether a run waits for something, a person included.
func waits(r view.Run) bool { return r.Status == loop.Waiting || r.Question != nil && r.Plan }

// planPage returns the lines of a plan's page.
func (m *model) planPage(p Plan, w int) []string {
	text := view.PlanOf(p.Item, m.now).Show(m.now, view.Palette{Color: m.o.Palette.Color, ASCII: m.o.Palette.ASCII, Width: w - 1})
	return m.partLines(view.Part{Text: text}, w)
}
