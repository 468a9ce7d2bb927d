package view

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/plan"
	"ralph/internal/testing/tier"
)

// TestGatesChart: each attempt is a bar with a part for each gate, no two in one color.
func TestGatesChart(t *testing.T) {
	t.Parallel()
	i := exhausted()
	i.State.Gates = []loop.Gate{{Name: "tests"}, {Name: "lint"}}
	for n := range i.State.Recent {
		i.State.Recent[n].Results = []loop.Result{{Gate: "tests", Duration: 3 * time.Second}, {Gate: "lint", Duration: time.Second}}
	}
	c := LoopOf(i, now).GatesChart()
	if c == nil || len(c.Bars) != 2*len(i.State.Recent) || len(c.Rows) != len(c.Bars) {
		t.Fatalf("%+v", c)
	}
	if c.Bars[0].Series == c.Bars[1].Series || c.Bars[0].H < 2*c.Bars[1].H || c.Bars[0].Title != "attempt 1: tests 3.0s" {
		t.Errorf("%+v", c.Bars[:2])
	}
	if c := (Loop{}).GatesChart(); c != nil {
		t.Errorf("no attempt: %+v", c)
	}
	var long Loop
	for n := range mostBars + 1 {
		long.Attempts = append(long.Attempts, loop.Attempt{N: n + 1, Results: []loop.Result{{Gate: "tests", Duration: time.Second}}})
	}
	if c := long.GatesChart(); len(c.Bars) != mostBars || len(c.Rows) != mostBars || c.Rows[0][0] != "2" {
		t.Errorf("%d attempts: %d bars and %d rows, from %v", mostBars+1, len(c.Bars), len(c.Rows), c.Rows[0])
	}
}

// TestThroughputChart counts every task once, by hour or by day, also where clocks change.
// Loops of an earlier try, of a repair and of the whole plan are no tasks.
func TestThroughputChart(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		tier.SkipLacking(t, "time zones", err)
	}
	from := time.Date(2026, 3, 28, 23, 30, 0, 0, zone) // clocks change in that night
	for _, c := range []struct {
		every time.Duration
		n     int
		bars  string
	}{{20 * time.Minute, 30, "hour"}, {7 * time.Hour, 30, "day"}, {time.Hour, 1, ""}} {
		item := PlanItem{State: plan.State{ID: "p"}, Whole: true}
		for n := range c.n {
			id, at := fmt.Sprint(n), from.Add(time.Duration(n)*c.every)
			item.State.Tasks = append(item.State.Tasks, plan.TaskState{ID: id, Status: plan.Done, Loop: "loop-" + id, Repair: "repair-" + id})
			for _, of := range []string{"loop-", "earlier-", "repair-"} {
				item.Loops = append(item.Loops, Item{State: loop.State{Spec: loop.Spec{ID: of + id}, Status: loop.StatusPassed, EndedAt: at}})
			}
		}
		item.State.Tasks = append(item.State.Tasks, plan.TaskState{ID: "open", Status: plan.Pending, Loop: "earlier-0"})
		chart := PlanOf(item, from).ThroughputChart(from)
		if c.bars == "" {
			if chart != nil {
				t.Errorf("one task makes a chart: %+v", chart)
			}
			continue
		}
		sum, seen := 0, map[string]bool{}
		for _, row := range chart.Rows {
			var n int
			_, _ = fmt.Sscan(row[1], &n)
			sum += n
			if seen[row[0]] {
				t.Errorf("%s twice", row[0])
			}
			seen[row[0]] = true
		}
		if ends := []string{chart.Rows[0][1], chart.Rows[len(chart.Rows)-1][1]}; slices.Contains(ends, "0") {
			t.Errorf("%s begins or ends with nothing: %v", chart.Title, chart.Rows)
		}
		if sum != c.n || chart.Title != "Tasks that passed by "+c.bars {
			t.Errorf("%s: %d of %d in %v", chart.Title, sum, c.n, chart.Rows)
		}
	}
}

// TestMeters: what is used of each limit, at most the whole of it.
func TestMeters(t *testing.T) {
	t.Parallel()
	l := Loop{Budgets: []money.Balance{{Level: "loop", Limit: loop.Amounts{Tokens: 1000, Wall: time.Hour}, Used: loop.Amounts{Tokens: 4000, Wall: 15 * time.Minute}}}}
	l.Made, l.Spec.Limits.MaxIterations = 2, 5
	got := fmt.Sprint(l.meters())
	if want := "[{attempts 2 of 5 40} {loop budget: tokens 4k of 1k 100} {loop budget: time 15m00s of 1h00m 25}]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
