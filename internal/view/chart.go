package view

import "math"

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

// bar is a column of a chart, in parts from the bottom; rows say the same in the table.
type bar struct {
	label string
	parts []barPart
	rows  [][]string
}

type barPart struct {
	value  float64
	series int
	title  string
}

// chartOf draws the last bars, at most mostBars of them; show writes a value with its unit.
// It is nil where all are 0.
func chartOf(title, unit string, head []string, bars []bar, show func(float64) string) *Chart {
	c := &Chart{Title: title, Unit: unit, Head: head, Width: chartWidth, Height: chartHeight}
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
		c.Rows = append(c.Rows, b.rows...)
		x, y := chartLeft+float64(i)*step, float64(chartHeight-chartBottom)
		for _, p := range b.parts {
			if p.value <= 0 {
				continue
			}
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
