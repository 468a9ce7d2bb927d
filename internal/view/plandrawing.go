package view

import (
	"fmt"
	"slices"

	"ralph/internal/plan"
	"ralph/internal/text"
)

// Drawing is a plan as a graph, for SVG: columns of tasks from left to right, each right
// of those that it needs. Its units are those of the picture.
type Drawing struct {
	Width, Height int
	Boxes         []DrawnTask
	Lines         []DrawnNeed
	Label         string
}

// DrawnTask is the box of a task. Mark is one of ok, bad, ask, go and dim.
type DrawnTask struct {
	X, Y, W, H         int
	ID, Title, Kind    string
	Mark, Loop, Needs  string
	Critical           bool
	TextX, IDY, TitleY int
}

// DrawnNeed is the line from a task to one that needs it.
type DrawnNeed struct {
	Path     string
	Critical bool
}

// The measures of the drawing. Larger plans are shown as a table only: a graph that does
// not fit on a screen is of no use.
const (
	mostDrawn           = 150
	boxWidth, boxHeight = 190, 44
	gapX, gapY          = 46, 14
	sweeps              = 4
)

// Drawing draws the plan; nil where there is nothing to draw, or too much.
func (v Plan) Drawing() *Drawing {
	tasks := slices.DeleteFunc(slices.Clone(v.AllTasks), func(t Task) bool { return t.Gone })
	if len(tasks) == 0 || len(tasks) > mostDrawn {
		return nil
	}
	columns := ordered(columnsOf(tasks), tasks)
	d := &Drawing{Label: fmt.Sprintf("Graph of %s; the table below lists the same", text.Plural(len(tasks), "task"))}
	at := map[string]DrawnTask{}
	for x, column := range columns {
		for y, n := range column {
			b := box(tasks[n], x, y, slices.Contains(v.Longest, tasks[n].ID))
			at[tasks[n].ID] = b
			d.Boxes = append(d.Boxes, b)
			d.Width, d.Height = max(d.Width, b.X+b.W+2), max(d.Height, b.Y+b.H+2)
		}
	}
	for _, t := range tasks {
		for _, need := range t.Needs {
			if from, found := at[need]; found {
				d.Lines = append(d.Lines, line(from, at[t.ID]))
			}
		}
	}
	return d
}

func box(t Task, x, y int, critical bool) DrawnTask {
	b := DrawnTask{
		X: 2 + x*(boxWidth+gapX), Y: 2 + y*(boxHeight+gapY), W: boxWidth, H: boxHeight, ID: text.Clip(t.ID, 20), Title: text.Clip(Unmarked(t.Title), 28),
		Kind: t.Kind, Mark: markOfKind(t.Kind), Critical: critical,
	}
	b.TextX, b.IDY, b.TitleY = b.X+10, b.Y+18, b.Y+34
	if t.Loop != nil {
		b.Loop = *t.Loop
	}
	return b
}

// line is a curve from the right side of a box to the left side of another.
func line(from, to DrawnTask) DrawnNeed {
	x1, y1, x2, y2 := from.X+from.W, from.Y+from.H/2, to.X, to.Y+to.H/2
	bend := max((x2-x1)/2, 12)
	return DrawnNeed{fmt.Sprintf("M%d %dC%d %d %d %d %d %d", x1, y1, x1+bend, y1, x2-bend, y2, x2, y2), from.Critical && to.Critical}
}

func markOfKind(kind string) string {
	switch kind {
	case string(plan.Done):
		return "ok"
	case "failed", "conflict", "blocked":
		return "bad"
	case "asks":
		return "ask"
	case "running", "landing", "in review":
		return "go"
	}
	return "dim"
}

// columnsOf puts each task right of all that it needs: its column is the length of the
// longest chain before it.
func columnsOf(tasks []Task) [][]int {
	number := map[string]int{}
	for n, t := range tasks {
		number[t.ID] = n
	}
	rank := make([]int, len(tasks))
	for range tasks { // as often as the longest chain could ask for; a cycle ends there
		moved := false
		for n, t := range tasks {
			for _, need := range t.Needs {
				if m, found := number[need]; found && rank[m]+1 > rank[n] && rank[m]+1 < len(tasks) {
					rank[n], moved = rank[m]+1, true
				}
			}
		}
		if !moved {
			break
		}
	}
	columns := make([][]int, slices.Max(rank)+1)
	for n, r := range rank {
		columns[r] = append(columns[r], n)
	}
	return columns
}

// ordered sorts each column by the mean place of what its tasks need, so that fewer
// lines cross (the barycenter heuristic of Sugiyama, Tagawa and Toda, 1981).
func ordered(columns [][]int, tasks []Task) [][]int {
	place := map[string]float64{}
	note := func(column []int) {
		for y, n := range column {
			place[tasks[n].ID] = float64(y)
		}
	}
	for _, c := range columns {
		note(c)
	}
	for range sweeps {
		for _, column := range columns {
			mean := func(n int) float64 {
				sum, known := 0.0, 0.0
				for _, need := range tasks[n].Needs {
					if y, found := place[need]; found {
						sum, known = sum+y, known+1
					}
				}
				if known == 0 {
					return place[tasks[n].ID]
				}
				return sum / known
			}
			slices.SortStableFunc(column, func(a, b int) int {
				if x, y := mean(a), mean(b); x < y {
					return -1
				} else if x > y {
					return 1
				}
				return 0
			})
			note(column)
		}
	}
	return columns
}
