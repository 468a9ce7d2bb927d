package view

import (
	"fmt"
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// Detail is a loop as rows of text, for front ends that lay out by themselves. All of it
// is safe to show as text.
type Detail struct {
	Task   string
	Facts  []Fact
	Meters []Meter
	Gates  []GateRow
	// Attempts are the newest ones; Before tells where those before them are.
	Attempts []pageAttempt
	Before   string
	// Failure is the heading of Failures, the outputs of the gates that failed last.
	Failure  string
	Failures []pageOutput
	// Notes are what gates cannot judge.
	Notes []string
	// Tests and Took are charts over the attempts; nil where there is nothing to draw.
	Tests, Took *Chart
}

// Fact is a name with its values.
type Fact struct {
	Name   string
	Values []string
}

// GateRow is a gate with its newest result. Mark is ok, bad or go.
type GateRow struct{ Mark, Name, Words string }

// unfolded is a width at which no fact is folded.
const unfolded = 1 << 20

// Detail returns the rows.
func (l Loop) Detail(now time.Time) Detail {
	d := Detail{Task: text.Clean(l.Spec.Task.Text), Tests: l.TestsChart(), Took: l.GatesChart(), Meters: l.meters()}
	newest, before := l.newestAttempts()
	d.Before = before
	for _, a := range newest {
		d.Attempts = append(d.Attempts, l.attemptRow(a))
	}
	l.eachFact(Palette{Width: unfolded}, now, func(name, value string) {
		switch n := len(d.Facts); {
		case value == "" || name == "task":
		case name == "" && n > 0:
			d.Facts[n-1].Values = append(d.Facts[n-1].Values, text.Clean(value))
		default:
			d.Facts = append(d.Facts, Fact{name, []string{text.Clean(value)}})
		}
	})
	for _, g := range l.Spec.Gates {
		d.Gates = append(d.Gates, l.gateRow(g))
	}
	if a := l.Failed; a != nil && l.Status != loop.StatusPassed {
		d.Failure = fmt.Sprintf("Last failure (attempt %d)", a.N)
		for _, r := range blocking(a.Results) {
			d.Failures = append(d.Failures, pageOutput{text.Line(r.Gate) + ": " + text.SpacedLine(r.Reason), excerpt(r)})
		}
		if len(d.Failures) == 0 {
			d.Failures = append(d.Failures, pageOutput{text.SpacedLine(a.Error), ""})
		}
	}
	for _, n := range l.LookTwice {
		d.Notes = append(d.Notes, text.SpacedLine(n))
	}
	return d
}

func (l Loop) gateRow(g loop.Gate) GateRow {
	row := GateRow{"go", text.Line(g.Name), "not run"}
	if r := resultOf(l.Results, g.Name); r != nil {
		row.Mark, row.Words = markOfVerdict(r.Verdict), rowWords(*r, l.Round)
	}
	return row
}
