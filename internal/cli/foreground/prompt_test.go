package foreground

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/runs"
	"ralph/internal/loop"
)

// TestSince: what became of a question while the prompt stood.
func TestSince(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	open := runs.Question{Loop: "fix", Question: loop.Question{ID: "q1"}}
	timed := runs.Question{Loop: "fix", Question: loop.Question{ID: "q1", Deadline: now}}
	for name, c := range map[string]struct {
		s     runs.Waiting
		asked runs.Question
		want  turn
	}{
		"nothing changed":                {runs.Waiting{Questions: []runs.Question{open}}, open, staysOpen},
		"answered":                       {runs.Waiting{}, open, continues},
		"ended":                          {runs.Waiting{Stopped: true}, open, stopped},
		"answered, and run elsewhere":    {runs.Waiting{Live: true}, open, continues},
		"another process runs it":        {runs.Waiting{Live: true, Questions: []runs.Question{open}}, open, held},
		"its time is over":               {runs.Waiting{Questions: []runs.Question{timed}}, timed, isOver},
		"something else is due":          {runs.Waiting{Questions: []runs.Question{open}, Due: now}, open, isDue},
		"something else is not yet due":  {runs.Waiting{Questions: []runs.Question{open}, Due: now.Add(time.Second)}, open, staysOpen},
		"another question of the run":    {runs.Waiting{Questions: []runs.Question{{Loop: "fix", Question: loop.Question{ID: "q2"}}}}, open, continues},
		"the same id of another loop":    {runs.Waiting{Questions: []runs.Question{{Loop: "mend", Question: loop.Question{ID: "q1"}}}}, open, continues},
		"paused, and the question stays": {runs.Waiting{Stopped: true, Questions: []runs.Question{open}}, open, stopped},
	} {
		if got := since(c.s, []runs.Question{c.asked}, now); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// TestUntilMoved: a change counts when it is seen twice, and ends the prompt. That another
// process has the run may be the answer that is just being recorded.
func TestUntilMoved(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		seen  []turn
		want  turn
		looks int
	}{
		{[]turn{staysOpen, continues, staysOpen, stopped}, stopped, 5},
		{append(slices.Repeat([]turn{held}, 19), continues), continues, 21},
		{[]turn{held}, held, 20},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, over := context.WithCancelCause(t.Context())
			looks := 0
			got := untilMoved(ctx, over, func(context.Context) (turn, error) {
				looks++
				return c.seen[min(looks, len(c.seen))-1], nil
			})
			if got != c.want || looks != c.looks || !errors.Is(context.Cause(ctx), errMoved) {
				t.Errorf("%d after %d looks, want %d after %d: %v", got, looks, c.want, c.looks, context.Cause(ctx))
			}
		})
	}
}

// TestRefusal: the error of another process keeps its code and its hint.
func TestRefusal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		code int
		said string
		want exit.Error
	}{
		{exit.Busy, "note\n{\"message\": \"it runs\", \"hint\": \"wait\"}\n", exit.Error{Code: exit.Busy, Err: errors.New("it runs"), Hint: "wait"}},
		{2, "panic", exit.Error{Code: 2, Err: errors.New("exit code 2")}},
		{-1, "", exit.Error{Code: exit.Internal, Err: errors.New("killed")}},
	} {
		got := exit.Classify(refusal(c.code, []byte(c.said)))
		if got.Code != c.want.Code || got.Hint != c.want.Hint || !strings.Contains(got.Error(), c.want.Err.Error()) {
			t.Errorf("%d %q: %d %v %q", c.code, c.said, got.Code, got, got.Hint)
		}
	}
}
