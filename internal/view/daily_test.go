package view

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
)

// TestDayRows: by day, agent and model, the newest day first; what is not reported is n/a.
func TestDayRows(t *testing.T) {
	t.Parallel()
	day := func(n int) time.Time { return time.Date(2026, 3, n, 12, 0, 0, 0, time.UTC) }
	attempt := func(at time.Time, by, model string, micro int64) loop.Attempt {
		return loop.Attempt{StartedAt: at, By: by, Runs: 1, Agent: loop.Outcome{Model: model}, Usage: loop.Usage{CostMicroUSD: &micro, CostSource: "reported", InputTokens: new(int64(10)), OutputTokens: new(int64(2))}}
	}
	unknown := loop.Attempt{StartedAt: day(3), By: "codex", Runs: 1, CostUnknown: 1}
	r := Summary{loops: []Loop{
		{Attempts: []loop.Attempt{attempt(day(2), "claude", "m1", 1e6), attempt(day(2).Add(time.Hour), "claude", "m1", 5e5), attempt(day(3), "claude", "m2", 1e6)}},
		{Attempts: []loop.Attempt{unknown, {N: 1}}},
	}}
	rows, more := r.DayRows(day(4))
	want := []DayRow{
		{"2026-03-03", "claude", "m2", "1", "10 / n/a / 2", "$1.00 (reported)"},
		{"2026-03-03", "codex", "n/a", "1", "n/a", "n/a"},
		{"2026-03-02", "claude", "m1", "2", "20 / n/a / 4", "$1.50 (reported)"},
	}
	if diff := cmp.Diff(want, rows); diff != "" || more != 0 {
		t.Errorf("%d more, %s", more, diff)
	}
	for n := range mostDayRows + 5 {
		r.loops[1].Attempts = append(r.loops[1].Attempts, attempt(day(5), fmt.Sprint("agent", n), "", 1))
	}
	if rows, more := r.DayRows(day(6)); len(rows) != mostDayRows || more != 8 {
		t.Errorf("%d rows, %d more", len(rows), more)
	}
}
