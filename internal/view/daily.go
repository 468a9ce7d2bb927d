package view

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// DayRow is what one agent was used for with one model on one day. Model is "n/a" where the
// agent does not report it.
type DayRow struct{ Day, Agent, Model, Iterations, Tokens, Cost string }

// mostDayRows bounds the table of days: a month of three agents.
const mostDayRows = 100

// DayRows are the attempts of the report by day, agent and model, the newest day first, and
// how many older rows are left out. An attempt counts on the day it began; its reviewers'
// usage is part of it.
func (r Summary) DayRows(now time.Time) (rows []DayRow, more int) {
	type key struct{ day, agent, model string }
	type sum struct {
		n, unknown int
		usage      loop.Usage
	}
	sums := map[key]*sum{}
	var keys []key
	for _, l := range r.loops {
		for _, a := range l.counted() {
			if a.StartedAt.IsZero() {
				continue
			}
			k := key{a.StartedAt.In(now.Location()).Format(time.DateOnly), text.Line(cmp.Or(a.By, l.Agent, "agent")), text.Line(cmp.Or(a.Agent.Model, "n/a"))}
			if sums[k] == nil {
				sums[k], keys = &sum{}, append(keys, k)
			}
			s := sums[k]
			s.n, s.unknown, s.usage = s.n+1, s.unknown+a.CostUnknown, s.usage.Add(usageOf(a))
		}
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(b.day, a.day), cmp.Compare(a.agent, b.agent), cmp.Compare(a.model, b.model))
	})
	shown := keys[:min(len(keys), mostDayRows)]
	for _, k := range shown {
		s := sums[k]
		rows = append(rows, DayRow{k.day, k.agent, k.model, fmt.Sprint(s.n), kinds(s.usage), costOf(s.usage, s.unknown)})
	}
	return rows, len(keys) - len(shown)
}
