package view

import (
	"fmt"
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// timeline is a picture of the work over time: a row for each loop, a bar for each
// attempt. Its units are those of the picture, not of a screen.
type timeline struct {
	Width, Height int
	From, To      string
	Label         string
	Rows          []timeRow
}

type timeRow struct {
	Y, TextY int
	Name     string
	Bars     []timeBar
}

type timeBar struct {
	X, W  int
	Mark  string
	Title string
}

const (
	mostRows  = 40
	nameWidth = 150
	barsWidth = 490
	rowHeight = 18
)

// timelineOf draws the attempts of the first loops; nil where there is no time
// to draw.
func timelineOf(loops []Loop, now time.Time) *timeline {
	var from, to time.Time
	for _, l := range loops {
		for _, a := range l.Attempts {
			if !a.StartedAt.IsZero() && (from.IsZero() || a.StartedAt.Before(from)) {
				from = a.StartedAt
			}
			if end := endOf(a, now); end.After(to) {
				to = end
			}
		}
	}
	if from.IsZero() || !to.After(from) {
		return nil
	}
	t := &timeline{Width: nameWidth + barsWidth, From: text.Clock(from, now), To: text.Clock(to, now)}
	for _, l := range loops {
		if len(t.Rows) == mostRows || len(l.Attempts) == 0 {
			continue
		}
		row := timeRow{Y: len(t.Rows)*rowHeight + 3, TextY: len(t.Rows)*rowHeight + 13, Name: text.Clip(l.ID, 24)}
		for _, a := range l.Attempts {
			row.Bars = append(row.Bars, barOf(a, from, to.Sub(from), now))
		}
		t.Rows = append(t.Rows, row)
	}
	t.Height = len(t.Rows)*rowHeight + 4
	t.Label = fmt.Sprintf("Timeline of %s, %s to %s", text.Plural(len(t.Rows), "loop"), t.From, t.To)
	return t
}

func endOf(a loop.Attempt, now time.Time) time.Time {
	if a.EndedAt.IsZero() && !a.StartedAt.IsZero() {
		return now
	}
	return a.EndedAt
}

func barOf(a loop.Attempt, from time.Time, whole time.Duration, now time.Time) timeBar {
	at := func(t time.Time) int {
		return nameWidth + min(max(int(float64(t.Sub(from))/float64(whole)*barsWidth), 0), barsWidth-2)
	}
	if a.StartedAt.IsZero() {
		return timeBar{X: nameWidth, W: 2, Mark: "go"}
	}
	b := timeBar{X: at(a.StartedAt), Mark: "go", Title: fmt.Sprintf("attempt %d, under way", a.N)}
	b.W = max(at(endOf(a, now))-b.X, 2)
	if a.Verdict != "" {
		b.Mark = "bad"
		if a.Verdict == loop.Passed {
			b.Mark = "ok"
		}
		b.Title = fmt.Sprintf("attempt %d %s after %s", a.N, a.Verdict, text.Duration(endOf(a, now).Sub(a.StartedAt)))
	}
	return b
}
