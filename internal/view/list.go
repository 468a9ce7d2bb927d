package view

import (
	"fmt"
	"strings"
	"time"

	"ralph/internal/next"
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

// NoRoom is said while a disk is full that runs need.
const NoRoom = "! A disk is full: runs wait, or are interrupted, until there is room."

// Recently ended loops stand in the list; older ones are counted.
const (
	recent     = 24 * time.Hour
	mostRecent = 10
)

// mostInGroup of a group stand in a list that does not show all.
const mostInGroup = 20

// List is `status` for people: the groups (all: everything that ended). Plans come
// first in each, with a summary of their tasks; items are the loops that belong to
// none. At most 80 columns, but a command is never cut. full is a directory whose disk is
// full, if any; as many runs as unread ended too, and were not read.
func List(items []Item, plans []PlanItem, full string, all bool, unread int, now time.Time, p Palette) string {
	if len(items)+len(plans) == 0 && full == "" {
		return p.Out(Nothing)
	}
	runs, before := append(planRuns(plans, now), loopRuns(items, now)...), 0
	runs, _ = apart(runs)
	if !all {
		runs, before = lately(runs, now)
	}
	var b strings.Builder
	switch c := CountsOf(runs); {
	case full != "":
		b.WriteString(p.bold(NoRoom) + "\n  " + text.Line(full) + "\n  what ralph can delete: " + next.CleanLook() + "\n")
	case c.NeedsYou+c.Ready == 0:
		b.WriteString("Nothing needs you.\n")
	}
	heads := ColumnHeads
	for g := GroupNeedsYou; g <= GroupEnded; g++ {
		in := inGroup(runs, g)
		if len(in) > 0 {
			fmt.Fprintf(&b, "\n%s\n", groupHead(g, len(in), heads, p))
			heads = ""
		}
		for n, r := range in {
			if n == mostInGroup && !all {
				fmt.Fprintf(&b, "%d more: ralph status --all\n", len(in)-n)
				break
			}
			r.row(&b, now, p)
		}
	}
	if before += unread; before > 0 {
		fmt.Fprintf(&b, "\n%s ended before: ralph status --all\n", text.Plural(before, "run"))
	}
	return p.Out(strings.TrimPrefix(b.String(), "\n"))
}

// ColumnHeads stand above the last columns of a list: attempts of a loop or tasks of a plan,
// and the time since the run started, stopped or ended.
const ColumnHeads = "count  age"

// groupHead is the title of a group; above the first one are the heads of the columns too.
func groupHead(g Group, n int, heads string, p Palette) string {
	title := fmt.Sprintf("%s (%d)", g.Title(), n)
	head := p.bold(g.Title()) + strings.TrimPrefix(title, g.Title())
	if heads == "" {
		return head
	}
	return head + strings.Repeat(" ", max(2, p.width()-1-text.Width(title)-len(heads))) + p.dim(heads)
}

// lately leaves out the loops that ended some time ago and need nothing more, and
// counts them.
func lately(runs []Run, now time.Time) (out []Run, before int) {
	kept := 0
	for _, r := range runs {
		if r.Group == GroupEnded && !r.Plan {
			if now.Sub(r.EndedAt) >= recent || kept == mostRecent {
				before++
				continue
			}
			kept++
		}
		out = append(out, r)
	}
	return out, before
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
	// FullDisk is a directory whose disk is full, if any: runs wait for room.
	FullDisk string `json:"full_disk,omitempty"`
	// Loops are in the order in which people see them.
	Loops []Object `json:"loops"`
	// Plans are those that have not ended, and the newest that have.
	Plans []PlanRun `json:"plans"`
}

// ListOf is the object of a list: every item, nothing left out.
func ListOf(items []Item, plans []PlanItem, now time.Time) ListObject {
	o := ListObject{Schema: ListSchema, Loops: []Object{}, Plans: []PlanRun{}}
	var runs []Run
	for _, i := range sorted(items) {
		l := LoopOf(i, now)
		o.Loops, runs = append(o.Loops, l.Object()), append(runs, l.Run)
	}
	for _, i := range sortedPlans(plans) {
		p := PlanOf(i, now)
		o.Plans, runs = append(o.Plans, p.Object), append(runs, p.Run)
	}
	o.Counts = CountsOf(runs)
	return o
}
