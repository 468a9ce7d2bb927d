package view

import (
	"fmt"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

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
func ListOf(items []Item) ListObject {
	o := ListObject{Schema: ListSchema, Counts: CountsOf(items), Loops: []Object{}, Plans: []PlanRun{}}
	for _, i := range sorted(items) {
		o.Loops = append(o.Loops, Of(i.State, i.Facts))
	}
	return o
}

// Nothing is the text of an empty list: the first commands.
const Nothing = `No loops here yet.
  Start one   ralph run "…" --until "…"
  Watch one   ralph demo
`

// List is `status` for people: needs you, running, waiting, ended recently (all:
// everything that ended). Plans come first in each group, with a summary of
// their tasks; items are the loops that belong to none. At most 80 columns, but
// a command is never cut.
func List(items []Item, plans []PlanItem, all bool, now time.Time, p Palette) string {
	if len(items)+len(plans) == 0 {
		return p.Out(Nothing)
	}
	items, plans = sorted(items), sortedPlans(plans)
	var b strings.Builder
	if len(inGroup(items, needsYou))+len(plansIn(plans, needsYou)) == 0 {
		b.WriteString("Nothing needs you.\n")
	}
	over := inGroup(items, ended)
	shown := over
	if !all {
		shown = recentlyEnded(items, now)
	}
	for g := range ended {
		listGroup(&b, g, plansIn(plans, g), inGroup(items, g), now, p)
	}
	listGroup(&b, ended, plansIn(plans, ended), shown, now, p)
	if n := len(over) - len(shown); n > 0 {
		fmt.Fprintf(&b, "\n%s ended before: ralph status --all\n", text.Plural(n, "loop"))
	}
	return p.Out(strings.TrimPrefix(b.String(), "\n"))
}

func listGroup(b *strings.Builder, g group, plans []PlanItem, items []Item, now time.Time, p Palette) {
	if len(items)+len(plans) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s (%d)\n", p.bold(g.title()), len(items)+len(plans))
	for _, i := range plans {
		planRow(b, i, now, p)
	}
	for _, i := range items {
		row(b, i, now, p)
	}
}

// indent is where the words of a row begin: behind "? needs you  ".
const indent = 13

func row(b *strings.Builder, i Item, now time.Time, p Palette) {
	r := RowOf(i, now, p)
	gap := strings.Repeat(" ", max(1, indent-text.Width(r.Status)))
	room := p.width() - indent
	fmt.Fprintf(b, "%s%s%s %5s %4s\n", r.Status, gap, text.Pad(text.Clip(r.ID, room-11), room-11), r.Iteration, r.Age)
	for _, d := range r.Details {
		for _, l := range text.Wrap(d, room, 2) {
			fmt.Fprintf(b, "%*s%s\n", indent, "", l)
		}
	}
	if r.Next != "" {
		fmt.Fprintf(b, "%*s%s\n", indent, "", p.dim(r.Next))
	}
}

// since returns the time whose age a list shows.
func since(s loop.State) time.Time {
	switch {
	case !s.EndedAt.IsZero():
		return s.EndedAt
	case s.Status == loop.Running:
		return s.StartedAt
	}
	return s.LastAt
}

// details returns the lines under a loop: its task, its state, and other loops
// that declare the same files.
func details(i Item, now time.Time) []string {
	s := i.State
	task := text.Clip(s.Task.Text, 100) + " · " + agentName(s.Agent)
	if s.Parent != "" {
		task += " · part of " + text.Line(s.Parent)
	}
	out := []string{task}
	switch groupOf(i) {
	case needsYou:
		out = append(out, needs(i, now))
		out = append(out, dueOf(i, now)...)
	case running:
		if s.Mode == loop.AgentDriven {
			out = append(out, drivenFacts(s, now))
		} else {
			out = append(out, doing(s))
		}
	case waiting:
		out = append(out, stopped(s, i.Facts, now))
		out = append(out, openBehind(i, now)...)
	case ended:
		out = append(out, verdictWords(s))
		switch {
		case s.Accepted != "":
			out = append(out, work(s))
		case s.FailureRef != "":
			out = append(out, "kept on "+text.Line(s.FailureRef))
		}
	}
	for _, o := range i.Facts.Overlaps {
		out = append(out, o.Words())
	}
	return out
}

// needs is why a loop needs a person: its question, or that its process is gone.
func needs(i Item, now time.Time) string {
	if q := i.State.Open(); q != nil && !i.Facts.Crashed {
		return "asks: " + asked(q)
	}
	return stopped(i.State, i.Facts, now)
}

func asked(q *loop.Question) string {
	words := text.Line(q.Text)
	if len(q.Options) > 0 {
		words += " [" + listed(q.Options, 6) + "]"
	}
	return words
}
