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

// group is where a loop stands in every list, in the order of urgency.
type group int

const (
	needsYou group = iota
	running
	waiting
	ended
)

func (g group) title() string {
	switch g {
	case needsYou:
		return "NEEDS YOU"
	case running:
		return "RUNNING"
	case waiting:
		return "WAITING"
	}
	return "ENDED"
}

func groupOf(i Item) group {
	switch st := Status(i.State, i.Facts); {
	case st.Terminal():
		return ended
	case st == loop.Paused && i.State.Stopped():
		return needsYou // it stays paused until a person decides
	case st == Crashed, st == loop.Waiting && i.State.Reason == loop.ForHuman:
		return needsYou
	case st == loop.Running, st == loop.Pending && i.Facts.Live:
		return running
	}
	return waiting
}

// sorted is the one order of every list: by group, the longest waiting first,
// the newest ended first.
func sorted(items []Item) []Item {
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b Item) int {
		ga, gb := groupOf(a), groupOf(b)
		if ga != gb {
			return cmp.Compare(ga, gb)
		}
		when := a.State.StartedAt.Compare(b.State.StartedAt)
		if ga == ended {
			when = b.State.EndedAt.Compare(a.State.EndedAt)
		}
		return cmp.Or(when, strings.Compare(a.State.ID, b.State.ID))
	})
	return items
}

func inGroup(items []Item, g group) []Item {
	var out []Item
	for _, i := range items {
		if groupOf(i) == g {
			out = append(out, i)
		}
	}
	return out
}

// Recently ended loops stand in the list; older ones are counted.
const (
	recent     = 24 * time.Hour
	mostRecent = 10
)

func recentlyEnded(items []Item, now time.Time) []Item {
	var out []Item
	for _, i := range inGroup(items, ended) {
		if len(out) < mostRecent && now.Sub(i.State.EndedAt) < recent {
			out = append(out, i)
		}
	}
	return out
}

// Counts of loops by where they stand.
type Counts struct {
	// NeedsYou are questions and crashed loops; the latter are in Crashed too.
	NeedsYou int `json:"needs_you"`
	Running  int `json:"running"`
	Waiting  int `json:"waiting"`
	Paused   int `json:"paused"`
	Crashed  int `json:"crashed"`
	Passed   int `json:"passed"`
	Failed   int `json:"failed"`
	Aborted  int `json:"aborted"`
}

// CountsOf counts loops by where they stand.
func CountsOf(items []Item) Counts {
	var c Counts
	for _, i := range items {
		switch st := Status(i.State, i.Facts); {
		case st == Crashed:
			c.NeedsYou++
			c.Crashed++
		case groupOf(i) == needsYou:
			c.NeedsYou++
		case st == loop.Paused:
			c.Paused++
		case st == loop.StatusPassed:
			c.Passed++
		case st == loop.StatusFailed:
			c.Failed++
		case st == loop.Aborted:
			c.Aborted++
		case groupOf(i) == running:
			c.Running++
		default:
			c.Waiting++
		}
	}
	return c
}

// words are the counts that are not zero: "4 passed, 1 needs you, 1 failed".
func (c Counts) words() string {
	var parts []string
	for _, p := range []struct {
		n    int
		word string
	}{
		{c.Passed, "passed"},
		{c.NeedsYou, "needs you"},
		{c.Failed, "failed"},
		{c.Aborted, "aborted"},
		{c.Crashed, "crashed"},
		{c.Running, "running"},
		{c.Waiting, "waiting"},
		{c.Paused, "paused"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.word))
		}
	}
	if len(parts) == 0 {
		return "no loops"
	}
	return strings.Join(parts, ", ")
}

// Row is a loop of a list in words. All of them are safe to show.
type Row struct {
	// Status is the mark and the word, in the colours of the palette.
	Status string
	// Iteration is "3/5", Age in one unit since the loop started, stopped or
	// ended.
	ID, Iteration, Age string
	// Details: the task with its agent, then what there is to know, most
	// telling first.
	Details []string
	// Next is the command to type now, whole; empty while the loop runs by
	// itself.
	Next string
}

// RowOf is the row of a loop.
func RowOf(i Item, now time.Time, p Palette) Row {
	s := i.State
	return Row{
		Status: p.Out(p.status(Status(s, i.Facts), s.Reason)),
		ID:     text.Line(s.ID), Iteration: iteration(s), Age: text.Age(since(s), now),
		Details: p.outAll(details(i, now)), Next: p.Out(text.Line(Next(s, i.Facts))),
	}
}

// PlanRowOf is the row of a plan; its iteration is "3/5" of its tasks.
func PlanRowOf(i PlanItem, now time.Time, p Palette) Row {
	done, total := i.progress()
	details := append([]string{"plan " + i.Title() + i.sums()}, i.words()...)
	return Row{
		Status: p.Out(p.status(i.status(), i.State.Reason)),
		ID:     text.Line(i.State.ID), Iteration: fmt.Sprintf("%d/%d", done, total), Age: text.Age(i.when(), now),
		Details: p.outAll(details), Next: p.Out(text.Line(i.next())),
	}
}

// Standing returns the status of the plan itself: a plan that waits only for an
// answer to a task's loop, or to a plan in its place, is not waiting for a person.
func (i PlanItem) Standing() (loop.Status, loop.Reason) {
	s := i.State
	switch {
	case s.Status.Terminal():
	case s.OpenQuestion() != nil:
		return loop.Waiting, loop.ForHuman
	case s.Status == loop.Waiting && slices.ContainsFunc(s.Tasks, i.asks):
		return loop.Waiting, ""
	}
	return s.Status, s.Reason
}

// Section is a group of a list.
type Section struct {
	Title string
	// NeedsYou: these loops stand still until a person does something.
	NeedsYou bool
	Items    []Item
}

// Sections are the groups of every list, the most urgent first, each in the one
// order of all lists. Empty ones are left out.
func Sections(items []Item) []Section {
	items = sorted(items)
	var out []Section
	for g := needsYou; g <= ended; g++ {
		if in := inGroup(items, g); len(in) > 0 {
			out = append(out, Section{g.title(), g == needsYou, in})
		}
	}
	return out
}
