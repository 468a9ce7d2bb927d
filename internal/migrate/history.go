package migrate

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// mostAttempts bounds the history of one loop. Unbounded stop hooks made thousands
// of iterations; the count is kept, the oldest are dropped.
const mostAttempts = 1000

// verbatim is how many of the newest attempts keep their output (seed 004).
const verbatim = 4

// history returns the attempts in ralph's form: in order, one per number, each but
// the last with a verdict, each with a time, which defaults to that of the one
// before.
func (f *Found) history(gates []loop.Gate, began, now time.Time) []loop.Attempt {
	all := slices.Clone(f.Attempts)
	slices.SortStableFunc(all, func(a, b loop.Attempt) int { return cmp.Compare(a.N, b.N) })
	all = slices.CompactFunc(all, func(a, b loop.Attempt) bool { return a.N == b.N })
	all = all[max(len(all)-mostAttempts, 0):]
	at := began
	for i := range all {
		a := &all[i]
		a.Results = slices.Clone(a.Results)
		last := i == len(all)-1
		if a.Verdict == "" && (!last || a.N < f.made()) {
			a.Verdict, a.Error = loop.Failed, "was cut off"
		}
		if a.FailedGate == "" && a.Verdict == loop.Failed && len(gates) > 0 {
			a.FailedGate = gates[0].Name
		}
		a.StartedAt = past(a.StartedAt, at, now)
		if a.Verdict != "" {
			a.EndedAt = past(a.EndedAt, past(a.StartedAt.Add(a.Agent.Duration), a.StartedAt, now), now)
			at = a.EndedAt
		}
		for j := range a.Results {
			a.Results[j].StartedAt = a.StartedAt
		}
		if i < len(all)-verbatim {
			for j := range a.Results {
				a.Results[j].Excerpt = ""
			}
		}
	}
	return all
}

// Losses returns the parts of f that are not converted. The clock of an open
// loop restarts.
func (f *Found) Losses() []Loss {
	lost := slices.Clone(f.Lost)
	if n := len(f.Attempts) - mostAttempts; n > 0 {
		lost = append(lost, Loss{"iterations", fmt.Sprintf("the oldest %d of %d; all are counted", n, len(f.Attempts))})
	}
	if loop.ValidID(f.ID) != nil && f.ID != "" {
		lost = append(lost, Loss{"the name " + text.Clip(fmt.Sprintf("%q", f.ID), 80), "it cannot name a loop here"})
	}
	return lost
}
