package view

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/text"
)

// TestsChart shows how many tests passed in each attempt; nil where fewer than two
// attempts know it.
func (l Loop) TestsChart() *Chart {
	var bars []bar
	for _, a := range l.Attempts {
		r := resultOf(a.Results, l.MainGate)
		if r == nil || r.Tests == nil || !r.Tests.Run.Known() {
			continue
		}
		passed := int(r.Tests.Run) - r.Tests.Failed
		words := fmt.Sprintf("attempt %d: %d of %d passed", a.N, passed, int(r.Tests.Run))
		bars = append(bars, bar{
			label: fmt.Sprint(a.N), parts: []barPart{{float64(passed), 0, words}, {float64(r.Tests.Failed), 1, words}},
			rows: [][]string{{fmt.Sprint(a.N), fmt.Sprint(passed), fmt.Sprint(r.Tests.Failed)}},
		})
	}
	if len(bars) < 2 {
		return nil
	}
	return chartOf("Tests by attempt", "tests", []string{"Attempt", "Passed", "Failed"}, bars, func(v float64) string { return fmt.Sprint(int(math.Round(v))) })
}

// GatesChart shows how long the gates of each attempt took; nil where none did. Each part
// of a bar is one gate.
func (l Loop) GatesChart() *Chart {
	var bars []bar
	for _, a := range l.Attempts {
		b := bar{label: fmt.Sprint(a.N)}
		for _, r := range a.Results {
			series := slices.IndexFunc(l.Spec.Gates, func(g loop.Gate) bool { return g.Name == r.Gate })
			name := text.Clip(r.Gate, 40)
			b.parts = append(b.parts, barPart{r.Duration.Seconds(), colorOf(series), fmt.Sprintf("attempt %d: %s %s", a.N, name, text.Duration(r.Duration))})
			b.rows = append(b.rows, []string{fmt.Sprint(a.N), name, text.Duration(r.Duration)})
		}
		if len(b.parts) > 0 {
			bars = append(bars, b)
		}
	}
	return chartOf("Time of the gates by attempt", "seconds", []string{"Attempt", "Gate", "Took"}, bars, func(v float64) string { return text.Duration(time.Duration(v * float64(time.Second))) })
}

// firstColor of the series is the first that means neither passed nor failed, and colors
// are how many there are of those.
const firstColor, colors = 2, 4

func colorOf(series int) int { return firstColor + max(series, 0)%colors }

// CostChart shows what the agents cost by day, and TokensChart what they used; nil where
// that is not known. Each part of a bar is one agent.
func (r Summary) CostChart(now time.Time) *Chart {
	return usageChart("Cost by day and agent", "USD", "Cost", r.loops, now, func(u loop.Usage) int64 {
		if u.CostMicroUSD == nil {
			return 0
		}
		return *u.CostMicroUSD
	}, money.Show)
}

// TokensChart is described at CostChart.
func (r Summary) TokensChart(now time.Time) *Chart {
	return usageChart("Tokens by day and agent", "tokens", "Tokens", r.loops, now, func(u loop.Usage) int64 {
		if sum := u.TotalTokens(); sum != nil {
			return *sum
		}
		return 0
	}, money.Count)
}

func usageChart(title, unit, head string, loops []Loop, now time.Time, value func(loop.Usage) int64, show func(int64) string) *Chart {
	type key struct{ day, agent string }
	spent := map[key]int64{}
	var days, agents []string
	for _, l := range loops {
		for _, a := range l.Attempts {
			used := value(usageOf(a))
			if used <= 0 || a.StartedAt.IsZero() {
				continue
			}
			k := key{a.StartedAt.In(now.Location()).Format(time.DateOnly), text.Line(cmp.Or(a.By, l.Agent, "agent"))}
			spent[k] += used
			days, agents = append(days, k.day), append(agents, k.agent)
		}
	}
	days, agents = sortedOnce(days), sortedOnce(agents)
	var bars []bar
	for _, day := range days {
		b := bar{label: strings.TrimPrefix(day, day[:5])}
		for i, agent := range agents {
			if used := spent[key{day, agent}]; used > 0 {
				b.parts = append(b.parts, barPart{float64(used), colorOf(i), day + ": " + agent + " " + show(used)})
				b.rows = append(b.rows, []string{day, agent, show(used)})
			}
		}
		bars = append(bars, b)
	}
	return chartOf(title, unit, []string{"Day", "Agent", head}, bars, func(v float64) string { return show(int64(v)) })
}

func sortedOnce(s []string) []string {
	slices.Sort(s)
	return slices.Compact(s)
}

// ThroughputChart shows how many tasks of a plan passed in each hour, or on each day of a
// longer run; nil where fewer than two have passed.
func (v Plan) ThroughputChart(now time.Time) *Chart {
	if len(v.passed) < 2 {
		return nil
	}
	times := slices.SortedFunc(slices.Values(v.passed), time.Time.Compare)
	// Half of an hour and of a day meet each of them, also where clocks change.
	step, label, name := time.Hour/2, "01-02 15h", "hour"
	if times[len(times)-1].Sub(times[0]) > (mostBars-2)*time.Hour {
		step, label, name = 12*time.Hour, "01-02", "day"
	}
	counts, order := map[string]int{}, []string{}
	last := times[len(times)-1]
	for at := times[0]; at.Before(last); at = at.Add(step) {
		order = append(order, at.In(now.Location()).Format(label))
	}
	order = append(order, last.In(now.Location()).Format(label))
	for _, at := range times {
		counts[at.In(now.Location()).Format(label)]++
	}
	var bars []bar
	for _, at := range slices.Compact(order) {
		n := counts[at]
		bars = append(bars, bar{label: at, parts: []barPart{{float64(n), 0, at + ": " + text.Plural(n, "task")}}, rows: [][]string{{at, fmt.Sprint(n)}}})
	}
	head := []string{strings.ToUpper(name[:1]) + name[1:], "Tasks"}
	return chartOf("Tasks that passed by "+name, "tasks", head, bars, func(v float64) string { return fmt.Sprint(int(math.Round(v))) })
}
