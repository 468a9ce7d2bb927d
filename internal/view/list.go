package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// Nothing is the text of an empty list: the first commands.
const Nothing = `No loops here yet.
  Start one   ralph run "…" --until "…"
  Watch one   ralph demo
`

// OnlyArchived is the text of a list where everything is archived.
func OnlyArchived(n int) string {
	return "Nothing needs you.\n\n" + text.Plural(n, "archived run") + ": ralph status --all\n"
}

// Recently ended loops stand in the list; older ones are counted.
const (
	recent     = 24 * time.Hour
	mostRecent = 10
)

// List is `status` for people: needs you, running, waiting, ended recently (all:
// everything that ended). Plans come first in each group, with a summary of
// their tasks; items are the loops that belong to none. At most 80 columns, but
// a command is never cut.
func List(items []Item, plans []PlanItem, all bool, now time.Time, p Palette) string {
	if len(items)+len(plans) == 0 {
		return p.Out(Nothing)
	}
	ofPlans, loops := planRuns(plans, now), loopRuns(items, now)
	over := inGroup(loops, ended)
	shown := over
	if !all {
		shown = slices.DeleteFunc(slices.Clone(over), func(r Run) bool { return now.Sub(r.EndedAt) >= recent })
		shown = shown[:min(len(shown), mostRecent)]
	}
	loops = append(slices.DeleteFunc(loops, func(r Run) bool { return r.Group == ended }), shown...)
	var b strings.Builder
	for g := needsYou; g <= ended; g++ {
		in := append(inGroup(ofPlans, g), inGroup(loops, g)...)
		if g == needsYou && len(in) == 0 {
			b.WriteString(calm(shown, now) + "\n")
		}
		if len(in) > 0 {
			fmt.Fprintf(&b, "\n%s (%d)\n", p.bold(g.title()), len(in))
		}
		for _, r := range in {
			r.row(&b, now, p)
		}
	}
	if n := len(over) - len(shown); n > 0 {
		fmt.Fprintf(&b, "\n%s ended before: ralph status --all\n", text.Plural(n, "loop"))
	}
	return p.Out(strings.TrimPrefix(b.String(), "\n"))
}

// calm is the headline where nothing waits for a person. An agent that could not work
// is still for a person to look at: the newest loop of one is named.
func calm(over []Run, now time.Time) string {
	i := slices.IndexFunc(over, func(r Run) bool { return r.Reason == loop.AgentError })
	if i < 0 {
		return "Nothing needs you."
	}
	r := over[i]
	line := fmt.Sprintf("No question is open, but an agent could not work.\n  %s in %s, ended %s ago", cmp.Or(r.Agent, "an agent"), r.ID, text.Age(r.EndedAt, now))
	if r.Next == "" {
		return line
	}
	return line + "\n  " + r.Next
}

// loopRuns are loops in the one order.
func loopRuns(items []Item, now time.Time) []Run {
	out := make([]Run, 0, len(items))
	for _, i := range sorted(items) {
		out = append(out, i.Run(now))
	}
	return out
}

// planRuns are plans in the one order.
func planRuns(plans []PlanItem, now time.Time) []Run {
	out := make([]Run, 0, len(plans))
	for _, i := range sortedPlans(plans) {
		out = append(out, i.Run(now))
	}
	return out
}

// ListSchema is the name of ListObject's format.
const ListSchema = "ralph.status/v1"

// ListObject is `status --json`.
type ListObject struct {
	Schema string `json:"schema"`
	Counts Counts `json:"counts"`
	// More: other loops ended before those that are listed.
	More bool `json:"more"`
	// Loops are in the order in which people see them.
	Loops []Object `json:"loops"`
	// Plans are those that have not ended, and the newest that have.
	Plans []PlanRun `json:"plans"`
}

// ListOf is the object of a list: every item, nothing left out.
func ListOf(items []Item, now time.Time) ListObject {
	o := ListObject{Schema: ListSchema, Counts: countsOf(items), Loops: []Object{}, Plans: []PlanRun{}}
	for _, i := range sorted(items) {
		o.Loops = append(o.Loops, LoopOf(i, now).Object())
	}
	return o
}
