package view

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

func verbs(all []Action) (out []string) {
	for _, a := range all {
		out = append(out, string(a.Verb))
	}
	return out
}

// TestActions: what can be done depends on where the run stands.
func TestActions(t *testing.T) {
	t.Parallel()
	inPlan := passed()
	inPlan.State.Parent, inPlan.State.Task.Plan = "p", &loop.InPlan{}
	accepted := passed()
	accepted.State.Accepted = "abc"
	live := asking()
	live.Facts.Live = true
	for name, c := range map[string]struct {
		item Item
		want string
	}{
		"passed":           {passed(), "accept"},
		"accepted":         {accepted, "archive"},
		"of a plan":        {inPlan, ""},
		"failed":           {exhausted(), "retry archive"},
		"paused":           {paused(), "resume abort steer"},
		"asks":             {live, "pause abort steer"},
		"its process died": {crashed(), "resume abort steer"},
	} {
		if got := strings.Join(verbs(LoopOf(c.item, now).Actions()), " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	for _, a := range LoopOf(passed(), now).Actions() {
		if !strings.HasPrefix(a.Command, "ralph "+string(a.Verb)+" ") {
			t.Errorf("%s shows %s", a.Verb, a.Command)
		}
	}
}

// TestCards: a card has the answers of its question, and a dispute the two rulings.
func TestCards(t *testing.T) {
	t.Parallel()
	i := asking()
	q := i.State.Open()
	cards := LoopOf(i, now).Cards(now)
	if len(cards) != 1 || cards[0].Run != i.State.ID || cards[0].Instance != q.Instance() || !slices.Equal(cards[0].Options, q.Options) || !cards[0].Free {
		t.Fatalf("%+v", cards)
	}
	q.Dispute, q.Options = &loop.Dispute{Gate: "tests", Why: "it is wrong"}, []string{loop.SayDismiss}
	if c := LoopOf(i, now).Cards(now)[0]; c.With != "" || !c.Free {
		t.Errorf("a dispute that knows no file: %+v", c)
	}
	q.Options = []string{loop.SayUphold, loop.SayDismiss}
	if c := LoopOf(i, now).Cards(now)[0]; c.With != loop.SayUphold || !slices.Equal(c.Options, []string{loop.SayUphold, loop.SayDismiss}) {
		t.Errorf("%+v", c)
	}
	if n := len(LoopOf(passed(), now).Cards(now)); n != 0 {
		t.Errorf("a loop that has passed asks %d", n)
	}
	p := plan.State{ID: "p", Status: loop.Running, Questions: []plan.Question{
		{Question: loop.Question{ID: "q1", Text: "b?", Options: []string{"retry", "skip"}, AskedAt: now.Add(time.Minute)}, About: plan.AboutFailure, Task: "t"},
		{Question: loop.Question{ID: "q2", Text: "a?", Options: []string{"approve"}, AskedAt: now}, About: plan.AboutApproach, Task: "t"},
	}}
	all := PlanOf(PlanItem{State: p, Facts: PlanFacts{Texts: map[string]string{"q2": "how"}}}, now).Cards(now)
	if len(all) != 2 || all[0].Text != "a?" || all[0].Approves != "how" || !all[0].Free || all[1].Free {
		t.Errorf("%+v", all)
	}
}

// TestDrawing: a task stands right of all that it needs; large plans are not drawn.
func TestDrawing(t *testing.T) {
	t.Parallel()
	task := func(id string, needs ...string) Task {
		return Task{PlanTask: PlanTask{ID: id, Needs: needs}, Kind: "done"}
	}
	v := Plan{AllTasks: []Task{task("d", "b", "c"), task("a"), task("b", "a"), task("c", "a", "gone")}, Longest: []string{"a", "b", "d"}}
	d := v.Drawing()
	x := map[string]int{}
	for _, b := range d.Boxes {
		x[b.ID] = b.X
		if b.X+b.W > d.Width || b.Y+b.H > d.Height || b.Mark != "ok" {
			t.Errorf("%+v outside of %d×%d", b, d.Width, d.Height)
		}
	}
	if x["a"] >= x["b"] || x["b"] != x["c"] || x["c"] >= x["d"] || len(d.Lines) != 4 {
		t.Errorf("%v, %d lines", x, len(d.Lines))
	}
	v.AllTasks = []Task{task("a", "b"), task("b", "a")} // a cycle ends
	if v.Drawing() == nil {
		t.Error("a cycle is not drawn")
	}
	v.AllTasks = slices.Repeat([]Task{task("a")}, mostDrawn+1)
	if v.Drawing() != nil || (Plan{}).Drawing() != nil {
		t.Error("too much, or nothing, is drawn")
	}
}

// TestCharts: bars stay inside of the picture and add up; a table has the same.
func TestCharts(t *testing.T) {
	t.Parallel()
	c := chartOf("t", "u", nil, []bar{{label: "a", parts: []barPart{{3, 0, ""}, {1, 1, ""}}}, {label: "b", parts: []barPart{{2, 0, ""}}}}, func(v float64) string { return number(&v) })
	for _, b := range c.Bars {
		if b.X < chartLeft || b.X+b.W > c.Width || b.Y < 0 || b.Y+b.H > c.Height-chartBottom+1 {
			t.Errorf("%+v", b)
		}
	}
	if chartOf("t", "u", nil, []bar{{label: "a"}}, nil) != nil || LoopOf(passed(), now).TestsChart() != nil {
		t.Error("nothing is drawn")
	}
	i := exhausted()
	if tests := LoopOf(i, now).TestsChart(); tests != nil && len(tests.Rows) < 2 {
		t.Errorf("%+v", tests)
	}
	paid := func(by string, at time.Time, cost int64) loop.Attempt {
		return loop.Attempt{By: by, StartedAt: at, Runs: 1, Usage: loop.Usage{CostMicroUSD: &cost}}
	}
	sum := Summary{loops: []Loop{{Attempts: []loop.Attempt{paid("a", now, 1e6), paid("b", now, 2e6), paid("a", now.Add(-24*time.Hour), 3e6), {}}}}}
	if cost := sum.CostChart(now); cost == nil || len(cost.Rows) != 3 || len(cost.Bars) != 3 || cost.Rows[0][1] != "a" || cost.Rows[2][1] != "b" {
		t.Errorf("%+v", cost)
	}
}

// TestDetail: rows have each fact once, and the report's body and timeline stand alone.
func TestDetail(t *testing.T) {
	t.Parallel()
	d := LoopOf(exhausted(), now).Detail(now)
	if len(d.Gates) == 0 || len(d.Attempts) == 0 || len(d.Failures) == 0 || !slices.ContainsFunc(d.Facts, func(f Fact) bool { return f.Name == "kept on" && len(f.Values) == 1 }) {
		t.Errorf("%+v", d)
	}
	sum := Summarize("p", everyItem(), nil, now)
	body, err := ReportBody(sum, now)
	line, lineErr := TimelineBody(sum, now)
	if err != nil || lineErr != nil || strings.Contains(string(body), "<main>") || !strings.Contains(string(body), "Needs you") || !strings.Contains(string(line), "<svg") || strings.Contains(string(line), "Needs you") {
		t.Errorf("%v %v\n%s\n%s", err, lineErr, body, line)
	}
	if !strings.HasPrefix(strings.TrimSpace(ReportStyle()), ":root{") {
		t.Error(ReportStyle()[:20])
	}
}
