package view

import (
	"fmt"
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// timeline is a picture of the work over time, for SVG: an axis, and a row for each
// loop with a bar for each attempt and each wait. Its units are those of the picture.
type timeline struct {
	Width, Height int
	From, To      string
	Label         string
	Ticks         []timeTick
	Rows          []timeRow
	// More is how many loops have no row.
	More int
}

// timeTick is a line of the axis. Anchor is where its label stands: start or end.
type timeTick struct {
	X      int
	Label  string
	Anchor string
}

// timeRow has the loop's name above its bars, so that neither hides the other.
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

// The picture's measures. A label of an axis is at most labelWidth wide.
const (
	mostRows   = 40
	barsWidth  = 720
	axisHeight = 20
	rowHeight  = 34
	labelWidth = 76
	mostTicks  = 8
)

// scale places times on the picture.
type scale struct {
	from, to, now time.Time
}

func (s scale) x(t time.Time) int {
	part := float64(t.Sub(s.from)) / float64(s.to.Sub(s.from))
	return min(max(int(part*barsWidth), 0), barsWidth)
}

// bar is a bar of at least two units, so that it can be seen.
func (s scale) bar(from, to time.Time, mark, title string) timeBar {
	x := min(s.x(from), barsWidth-2)
	return timeBar{X: x, W: max(s.x(to)-x, 2), Mark: mark, Title: title}
}

// timelineOf draws the attempts of the first loops; nil where there is no time
// to draw.
func timelineOf(loops []Loop, now time.Time) *timeline {
	s := scale{now: now}
	for _, l := range loops {
		for _, a := range l.Attempts {
			if !a.StartedAt.IsZero() && (s.from.IsZero() || a.StartedAt.Before(s.from)) {
				s.from = a.StartedAt
			}
			if end := l.endOf(a, now); end.After(s.to) {
				s.to = end
			}
		}
		if len(l.Attempts) > 0 && l.rests() {
			s.to = now
		}
	}
	if s.from.IsZero() || !s.to.After(s.from) {
		return nil
	}
	t := &timeline{Width: barsWidth, From: text.Clock(s.from, now), To: text.Clock(s.to, now), Ticks: s.ticks()}
	for _, l := range loops {
		switch {
		case len(l.Attempts) == 0:
		case len(t.Rows) == mostRows:
			t.More++
		default:
			y := axisHeight + len(t.Rows)*rowHeight
			t.Rows = append(t.Rows, timeRow{Y: y + 16, TextY: y + 12, Name: rowName(l), Bars: s.bars(l)})
		}
	}
	t.Height = axisHeight + len(t.Rows)*rowHeight
	t.Label = fmt.Sprintf("Timeline of %s, %s to %s", text.Plural(len(t.Rows), "loop"), t.From, t.To)
	return t
}

// rests reports whether the loop waits now, or is paused.
func (l Loop) rests() bool { return l.Status == loop.Waiting || l.Status == loop.Paused }

func rowName(l Loop) string {
	if l.LimitWait > 0 {
		return fmt.Sprintf("%s · %s of it waiting for the provider", l.ID, text.Duration(l.LimitWait))
	}
	return l.ID
}

// endOf is the end of an attempt: now where it is under way. One that was cut off by the
// end of its loop ended with it.
func (l Loop) endOf(a loop.Attempt, now time.Time) time.Time {
	if a.EndedAt.IsZero() && !a.StartedAt.IsZero() {
		if l.Status.Terminal() && !l.EndedAt.IsZero() {
			return l.EndedAt
		}
		return now
	}
	return a.EndedAt
}

// bars are the attempts of a loop and what lies between them, and over these the
// questions, from when each was asked until it was answered.
func (s scale) bars(l Loop) []timeBar {
	var out []timeBar
	last := time.Time{}
	for _, a := range l.Attempts {
		if a.StartedAt.IsZero() {
			continue
		}
		if !last.IsZero() && a.StartedAt.Sub(last) > s.to.Sub(s.from)/barsWidth {
			out = append(out, s.bar(last, a.StartedAt, "wait", "no attempt for "+text.Duration(a.StartedAt.Sub(last))+": waiting or paused"))
		}
		out = append(out, s.attempt(l, a))
		last = l.endOf(a, s.now)
	}
	if l.rests() && s.now.After(last) {
		out = append(out, s.bar(last, s.now, "wait", string(l.Status)+" for "+text.Duration(s.now.Sub(last))+": "+text.Line(l.Why)))
	}
	for _, q := range l.Questions {
		if !q.AskedAt.IsZero() && !q.AskedAt.Before(s.from) {
			out = append(out, s.question(q))
		}
	}
	return out
}

func (s scale) attempt(l Loop, a loop.Attempt) timeBar {
	took := text.Duration(l.endOf(a, s.now).Sub(a.StartedAt))
	mark, title := "go", fmt.Sprintf("attempt %d, under way for %s", a.N, took)
	switch {
	case a.Verdict == loop.Passed:
		mark, title = "ok", fmt.Sprintf("attempt %d %s after %s", a.N, a.Verdict, took)
	case a.Verdict != "":
		mark, title = "bad", fmt.Sprintf("attempt %d %s after %s", a.N, a.Verdict, took)
	case l.awaitsRuling(a):
		mark, title = "wait", fmt.Sprintf("attempt %d, disputed, waits for an answer", a.N)
	case l.Status.Terminal():
		mark, title = "bad", fmt.Sprintf("attempt %d, cut off after %s", a.N, took)
	}
	return s.bar(a.StartedAt, l.endOf(a, s.now), mark, title)
}

func (s scale) question(q loop.Question) timeBar {
	end, title := s.now, "waits for an answer"
	if q.Answered {
		end, title = q.AnsweredAt, "answered by "+text.Line(q.By)
		if end.IsZero() {
			end = q.AskedAt
		}
	}
	return s.bar(q.AskedAt, end, "person", fmt.Sprintf("question %s, %s: %s", text.Duration(end.Sub(q.AskedAt)), title, text.Clip(text.Line(q.Text), 200)))
}

// steps are the distances between ticks that people read easily.
var steps = []time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
}

// ticks are at most mostTicks round times of the local clock.
func (s scale) ticks() []timeTick {
	step := steps[len(steps)-1]
	for _, d := range steps {
		if s.to.Sub(s.from)/d < mostTicks {
			step = d
			break
		}
	}
	for s.to.Sub(s.from)/step >= mostTicks {
		step *= 2
	}
	at := s.from.In(s.now.Location())
	midnight := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, at.Location())
	var out []timeTick
	before := time.Time{}
	for t := midnight.Add(at.Sub(midnight).Truncate(step)); !t.After(s.to); t = t.Add(step) {
		if t.Before(s.from) {
			continue
		}
		tick := timeTick{X: s.x(t), Label: tickLabel(t, before, step), Anchor: "start"}
		if tick.X+labelWidth > barsWidth {
			tick.Anchor = "end"
		}
		if n := len(out); n == 0 || tick.Anchor == "start" || tick.X-out[n-1].X > 2*labelWidth {
			out = append(out, tick)
			before = t
		}
	}
	return out
}

// tickLabel is the time, with the date where the day is another than at the tick before.
func tickLabel(t, before time.Time, step time.Duration) string {
	form := "15:04"
	switch {
	case step >= 24*time.Hour:
		return t.Format("Jan 2")
	case step < time.Minute:
		form = "15:04:05"
	}
	if before.IsZero() || t.YearDay() != before.YearDay() {
		form = "Jan 2 15:04"
	}
	return t.Format(form)
}
