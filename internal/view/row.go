package view

import (
	"fmt"
	"slices"
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

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

// Standing is where a plan stands by itself: what waits only for an answer to the
// loop of a task, or to a plan in its place, needs nobody but there.
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
