package stream

import (
	"testing"
	"time"

	"ralph/internal/agent"
)

// Once the protocol has begun, the standard error is no progress: a program that
// reports its retries there may hang for hours.
func TestStandardErrorIsNoProgress(t *testing.T) {
	t.Parallel()
	tally := newTally(agent.Job{})
	began := time.Now().Add(-time.Hour)
	tally.life.output = began
	to := tally.overheard(agent.NewLines(func([]byte) {}))
	_, _ = to.Write([]byte("starting up\n"))
	if !tally.life.heard || !tally.life.output.After(began) {
		t.Error("a program that starts was not heard")
	}
	tally.begun, tally.life.output = true, began
	_, _ = to.Write([]byte("Attempt 1 failed\n"))
	if !tally.life.output.Equal(began) {
		t.Error("a report on the standard error is progress")
	}
}

// Between two tries a program prints events that say nothing new: the retry lasts
// since its first report.
func TestARetryContinues(t *testing.T) {
	t.Parallel()
	tally := newTally(agent.Job{})
	d := threeWords{}
	tally.line(d, []byte(`{"trouble"}`))
	since := tally.life.since
	tally.line(d, []byte(`{"waiting"}`))
	if tally.life.trouble == nil || !tally.life.since.Equal(since) {
		t.Error("the retry has ended")
	}
	tally.line(d, []byte(`{"news"}`))
	if tally.life.trouble != nil {
		t.Error("the retry has not ended")
	}
}

type threeWords struct{ Dialect }

func (threeWords) Line(t *Tally, line []byte) bool {
	switch string(line) {
	case `{"trouble"}`:
		t.Trouble(Down("503"))
	case `{"waiting"}`:
		t.Waiting()
	}
	return true
}
