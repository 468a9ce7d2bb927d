package view

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"ralph/internal/money"
	"ralph/internal/text"
)

// Chart is a bar chart for SVG, and the same as a table. Its units are those of the
// picture.
type Chart struct {
	Title, Unit   string
	Width, Height int
	Bars          []ChartBar
	Ticks         []ChartTick
	Head          []string
	Rows          [][]string
}

// ChartBar is one bar; Series is its colour, from 0.
type ChartBar struct {
	X, Y, W, H, Series int
	Title              string
}

// ChartTick is a line of the value axis, or with Y 0 a label of the other one.
type ChartTick struct {
	X, Y  int
	Label string
}

// The measures of a chart.
const (
	chartWidth, chartHeight = 640, 150
	chartLeft, chartBottom  = 56, 18
	mostBars                = 60
)

// bar is a column of a chart, in parts from the bottom.
type bar struct {
	label string
	parts []barPart
}

type barPart struct {
	value  float64
	series int
	title  string
}

// chartOf draws bars; show writes a value with its unit.
func chartOf(title, unit string, bars []bar, show func(float64) string) *Chart {
	c := &Chart{Title: title, Unit: unit, Width: chartWidth, Height: chartHeight}
	bars = bars[max(0, len(bars)-mostBars):]
	top := 0.0
	for _, b := range bars {
		sum := 0.0
		for _, p := range b.parts {
			sum += p.value
		}
		top = max(top, sum)
	}
	if top <= 0 {
		return nil
	}
	room, height := float64(chartWidth-chartLeft), float64(chartHeight-chartBottom-8)
	step := room / float64(len(bars))
	for i, b := range bars {
		x, y := chartLeft+float64(i)*step, float64(chartHeight-chartBottom)
		for _, p := range b.parts {
			h := p.value / top * height
			y -= h
			c.Bars = append(c.Bars, ChartBar{int(x), int(math.Round(y)), max(int(min(step-2, 48)), 2), max(int(math.Round(h)), 1), p.series, p.title})
		}
		if every := max(1, len(bars)/8); i%every == 0 {
			c.Ticks = append(c.Ticks, ChartTick{X: int(x), Label: b.label})
		}
	}
	for _, part := range []float64{1, 0.5} {
		label := show(top * part)
		if part < 1 && label == c.Ticks[len(c.Ticks)-1].Label {
			continue // too few to halve
		}
		c.Ticks = append(c.Ticks, ChartTick{Y: chartHeight - chartBottom - int(part*height), Label: label})
	}
	return c
}

// TestsChart shows how many tests passed in each attempt; nil where fewer than two
// attempts know it.
func (l Loop) TestsChart() *Chart {
	var bars []bar
	rows := [][]string{}
	for _, a := range l.Attempts {
		r := resultOf(a.Results, l.MainGate)
		if r == nil || r.Tests == nil || !r.Tests.Run.Known() {
			continue
		}
		passed := int(r.Tests.Run) - r.Tests.Failed
		words := fmt.Sprintf("attempt %d: %d of %d passed", a.N, passed, int(r.Tests.Run))
		bars = append(bars, bar{fmt.Sprint(a.N), []barPart{{float64(passed), 0, words}, {float64(r.Tests.Failed), 1, words}}})
		rows = append(rows, []string{fmt.Sprint(a.N), fmt.Sprint(passed), fmt.Sprint(r.Tests.Failed)})
	}
	if len(bars) < 2 {
		return nil
	}
	c := chartOf("Tests by attempt", "tests", bars, func(v float64) string { return fmt.Sprint(int(math.Round(v))) })
	if c != nil {
		c.Head, c.Rows = []string{"Attempt", "Passed", "Failed"}, rows
	}
	return c
}

// CostChart shows what the agents cost by day; nil where no cost is known. Each part of
// a bar is one agent.
func (r Summary) CostChart(now time.Time) *Chart {
	type key struct{ day, agent string }
	spent := map[key]int64{}
	var days, agents []string
	for _, l := range r.loops {
		for _, a := range l.Attempts {
			u := usageOf(a)
			if u.CostMicroUSD == nil || a.StartedAt.IsZero() {
				continue
			}
			k := key{a.StartedAt.In(now.Location()).Format(time.DateOnly), text.Line(cmp.Or(a.By, l.Agent, "agent"))}
			spent[k] += *u.CostMicroUSD
			if !slices.Contains(days, k.day) {
				days = append(days, k.day)
			}
			if !slices.Contains(agents, k.agent) {
				agents = append(agents, k.agent)
			}
		}
	}
	slices.Sort(days)
	slices.Sort(agents)
	var bars []bar
	rows := [][]string{}
	for _, day := range days {
		b := bar{label: strings.TrimPrefix(day, day[:5])}
		for i, agent := range agents {
			if cost := spent[key{day, agent}]; cost > 0 {
				b.parts = append(b.parts, barPart{float64(cost), i, day + ": " + agent + " " + money.Show(cost)})
				rows = append(rows, []string{day, agent, money.Show(cost)})
			}
		}
		bars = append(bars, b)
	}
	if len(bars) == 0 {
		return nil
	}
	c := chartOf("Cost by day and agent", "USD", bars, func(v float64) string { return money.Show(int64(v)) })
	if c != nil {
		c.Head, c.Rows = []string{"Day", "Agent", "Cost"}, rows
	}
	return c
}
