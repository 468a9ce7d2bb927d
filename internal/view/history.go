package view

import (
	"fmt"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// Record is one event of a loop's history.
type Record struct {
	Seq   int64
	Event loop.Event
}

// History lists what happened, one line an event.
func History(records []Record, now time.Time, p Palette) string {
	var b strings.Builder
	for _, r := range records {
		head := fmt.Sprintf("%5d  %s  %-14s ", r.Seq, r.Event.When().In(now.Location()).Format("2006-01-02 15:04:05"), r.Event.Name())
		fmt.Fprintln(&b, strings.TrimRight(head+text.Clip(happened(r.Event), max(p.width()-text.Width(head), 20)), " "))
	}
	if len(records) == 0 {
		b.WriteString("Nothing has happened yet.\n")
	}
	return p.Out(b.String())
}

// Happened describes an event beyond its name, in one line; often it is empty.
func Happened(e loop.Event) string { return text.Line(happened(e)) }

// happened describes an event; gates and commits in the words of the report.
func happened(e loop.Event) string {
	switch e := e.(type) {
	case loop.Committed:
		if e.Changed {
			return short(e.Commit) + " " + listed(e.Files, 3)
		}
	case loop.GateEnded:
		return e.Result.Gate + ": " + finding(e.Result)
	}
	return e.Describe()
}
