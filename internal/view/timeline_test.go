package view

import (
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
)

// TestTimelineDrawsWaits: attempts, the time between them, and questions until they
// are answered; a loop that waits is drawn up to now, and its whole name is there.
func TestTimelineDrawsWaits(t *testing.T) {
	t.Parallel()
	s := started("a-loop-with-a-name-as-long-as-names-get-a1b2", "b", clockAt(1, 0))
	s.Status, s.Reason, s.LimitWait = loop.Waiting, loop.ForLimit, 2*time.Hour
	s.Recent = []loop.Attempt{
		{N: 1, StartedAt: clockAt(1, 0), EndedAt: clockAt(2, 0), Verdict: loop.Failed},
		{N: 2, StartedAt: clockAt(4, 0), EndedAt: clockAt(5, 0), Verdict: loop.Passed},
	}
	s.Questions = []loop.Question{
		{ID: "q1", Text: "Which?", AskedAt: clockAt(2, 0), Answered: true, AnsweredAt: clockAt(3, 0), By: "nina"},
		{ID: "q2", Text: "And now?", AskedAt: clockAt(5, 0)},
	}
	got := timelineOf(loopsOf([]Item{{State: s}}, clockAt(9, 0)), clockAt(9, 0))
	if name := got.Rows[0].Name; name != s.ID+" · 2h00m of it waiting for the provider" {
		t.Error(name)
	}
	var marks []string
	for _, b := range got.Rows[0].Bars {
		marks = append(marks, b.Mark)
	}
	if m := strings.Join(marks, " "); m != "bad wait ok wait person person" {
		t.Fatal(m)
	}
	bars := got.Rows[0].Bars
	hour := barsWidth / 8
	for i, want := range []timeBar{{X: 0, W: hour}, {X: hour, W: 2 * hour}, {X: 3 * hour, W: hour}, {X: 4 * hour, W: 4 * hour}, {X: hour, W: hour}, {X: 4 * hour, W: 4 * hour}} {
		if bars[i].X != want.X || bars[i].W != want.W {
			t.Errorf("bar %d: %+v, want %+v", i, bars[i], want)
		}
	}
	if !strings.Contains(bars[4].Title, "answered by nina: Which?") || !strings.Contains(bars[5].Title, "waits for an answer: And now?") {
		t.Errorf("%s, %s", bars[4].Title, bars[5].Title)
	}
}

// TestTicks: round times, few enough to be read, none over another or over the edge.
func TestTicks(t *testing.T) {
	t.Parallel()
	for _, span := range []time.Duration{time.Second, 7 * time.Second, time.Minute, 50 * time.Minute, 8 * time.Hour, 30 * time.Hour, 400 * 24 * time.Hour} {
		from := clockAt(22, 7)
		s := scale{from: from, to: from.Add(span), now: from.Add(span)}
		ticks := s.ticks()
		if len(ticks) > mostTicks+1 {
			t.Errorf("%s: %d ticks", span, len(ticks))
		}
		for i, tick := range ticks {
			left, right := tick.X, tick.X+labelWidth
			if tick.Anchor == "end" {
				left, right = tick.X-labelWidth, tick.X
			}
			if left < 0 || right > barsWidth || i > 0 && left < ticks[i-1].X+labelWidth && ticks[i-1].Anchor == "start" {
				t.Errorf("%s: tick %d of %+v", span, i, ticks)
			}
		}
	}
}

// TestTimelineEndsWithItsLoop: an attempt that the end of its loop cut off is not under way.
func TestTimelineEndsWithItsLoop(t *testing.T) {
	t.Parallel()
	s := started("a", "b", clockAt(1, 0))
	s.Status, s.Reason, s.EndedAt = loop.Aborted, loop.Manual, clockAt(2, 0)
	s.Recent = []loop.Attempt{{N: 1, StartedAt: clockAt(1, 0)}}
	bars := timelineOf(loopsOf([]Item{{State: s}}, clockAt(9, 0)), clockAt(9, 0)).Rows[0].Bars
	if len(bars) != 1 || bars[0].Mark != "bad" || bars[0].Title != "attempt 1, cut off after 1h00m" {
		t.Errorf("%+v", bars)
	}
}
