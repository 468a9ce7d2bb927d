package tui

import (
	"context"
	"maps"
	"slices"

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
// them, and opens its own page. Its place in the list depends on what it needs
// itself: the questions of its tasks have their own rows.

// asLoop returns what a plan has in common with a loop.
func (p Plan) asLoop() engine.Loop {
	s := p.Item.State
	l := engine.Loop{Seq: p.Seq}
	l.Live, l.Crashed = p.Item.Facts.Live, p.Item.Facts.Crashed
	l.State = loop.State{
		Spec: loop.Spec{ID: s.ID, Task: loop.Task{Text: p.Item.Title()}}, Message: s.Message, PauseAsked: s.PauseAsked,
		StartedAt: s.StartedAt, EndedAt: s.EndedAt,
	}
	l.State.Status, l.State.Reason = p.Item.Standing()
	if q := s.OpenQuestion(); q != nil {
		l.State.Questions = []loop.Question{q.Question}
	}
	return l
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

// takePlans adds plans to the loops, and reports whether one of them changed.
func (m *model) takePlans(loops map[string]engine.Loop, all []Plan) (moved bool) {
	plans := make(map[string]Plan, len(all))
	for _, p := range all {
		id := p.Item.State.ID
		plans[id], loops[id] = p, p.asLoop()
		moved = moved || seenOf(m.loops[id]) != seenOf(loops[id])
	}
	if p, ok := m.plans[m.open]; ok && plans[m.open].Seq == 0 { // it is looked at, however long ago it ended
		plans[m.open], loops[m.open] = p, p.asLoop()
	}
	m.plans = plans
	return moved
}

// rowOf returns the row of a loop or a plan.
func (m *model) rowOf(i view.Item) view.Row {
	if p, ok := m.plans[i.State.ID]; ok {
		return view.PlanRowOf(p.Item, m.now, m.o.Palette)
	}
	return view.RowOf(i, m.now, m.o.Palette)
}

// next returns the command to type now.
func (m *model) next(l engine.Loop) string {
	if p, ok := m.plans[l.State.ID]; ok {
		return view.PlanRowOf(p.Item, m.now, m.o.Palette).Next
	}
	return view.Next(l.State, m.facts(l))
}

// planPage returns the lines of a plan's page.
func (m *model) planPage(p Plan, w int) []string {
	text := view.PlanShow(p.Item.State, p.Item.Facts, m.now, view.Palette{Color: m.o.Palette.Color, ASCII: m.o.Palette.ASCII, Width: w - 1})
	return m.partLines(view.Part{Text: text}, w)
}

// onlyLoops returns the loops without the plans.
func (m *model) onlyLoops() map[string]engine.Loop {
	out := maps.Clone(m.loops)
	maps.DeleteFunc(out, func(id string, _ engine.Loop) bool { _, is := m.plans[id]; return is })
	return out
}

// needingUser counts what needs a user, and returns its kind: loop, plan, or both.
func (m *model) needingUser() (n int, what string) {
	for _, s := range m.needing() {
		is := "loop"
		if _, plan := m.plans[s]; plan {
			is = "plan"
		}
		if n++; what == "" || what == is {
			what = is
		} else {
			what = "of them"
		}
	}
	return n, what
}

func (m *model) needing() []string {
	var items []view.Item
	for _, l := range m.loops {
		items = append(items, view.Item{State: l.State, Facts: m.facts(l)})
	}
	sections := view.Sections(items)
	i := slices.IndexFunc(sections, func(s view.Section) bool { return s.NeedsYou })
	if i < 0 {
		return nil
	}
	var ids []string
	for _, item := range sections[i].Items {
		ids = append(ids, item.State.ID)
	}
	return ids
}
