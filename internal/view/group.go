package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
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
		return needsYou // nothing goes on before a person decides
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
