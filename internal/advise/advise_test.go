package advise

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/text"
)

var update = flag.Bool("update", false, "write the golden files")

// ended is a single loop of a model, with two attempts.
func ended(reason loop.Reason, calls *int64) loop.Whole {
	s := loop.Whole{State: loop.State{Status: loop.StatusFailed, Reason: reason, Active: 10 * time.Minute}}
	s.Agent = loop.Agent{Name: "claude", Use: "command"}
	switch reason {
	case loop.Green, loop.AlreadyGreen:
		s.Status = loop.StatusPassed
	case loop.Regression, loop.Stalled, loop.Timeout, loop.Budget, loop.Manual, loop.Policy:
		s.Status = loop.Aborted
	}
	for n := 1; n <= 2; n++ {
		a := loop.Attempt{N: n, Results: []loop.Result{{Duration: 40 * time.Second}, {Duration: 20 * time.Second}}}
		a.Agent.Usage.ToolCalls = calls
		s.Attempts = append(s.Attempts, a)
	}
	return s
}

// past is a history with so many loops that passed, and failed.
func past(passed, failed int, calls *int64) (all []loop.Whole) {
	for range passed {
		all = append(all, ended(loop.Green, calls))
	}
	for range failed {
		all = append(all, ended(loop.MaxAttempts, calls))
	}
	return all
}

// free is a plan of n tasks that do not wait for each other, row of n that do.
func free(n int) *plan.Plan {
	p := &plan.Plan{Title: "Shop"}
	for i := range n {
		p.Tasks = append(p.Tasks, plan.Task{ID: fmt.Sprint("t", i+1), Title: "t", Line: i + 1})
	}
	return p
}

func row(n int, why plan.Why) *plan.Plan {
	p := free(n)
	for i := 1; i < n; i++ {
		p.Tasks[i].Needs = []plan.Need{{On: p.Tasks[i-1].ID, Why: why}}
	}
	return p
}

func ask(t *testing.T, q Question) Advice {
	t.Helper()
	if q.Max == 0 {
		q.Max = 4
	}
	a, err := Advise(q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func reason(a Advice, code string) Reason {
	for _, r := range a.Reasons {
		if r.Code == code {
			return r
		}
	}
	return Reason{}
}

// How many loops for so many independent tasks: the least that is as fast as any
// allowed, 4 at most, 3 while nothing is known, groups from 8.
func TestWidths(t *testing.T) {
	t.Parallel()
	known := past(2, 8, new(int64(3)))
	for _, c := range []struct {
		tasks int
		past  []loop.Whole
		max   int
		want  Recommendation
		loops int
		paths int
		band  string
	}{
		{1, known, 4, OneLoop, 1, 0, "1"},
		{2, known, 4, Loops, 2, 1, "2"},
		{3, known, 4, Loops, 3, 3, "3–4"},
		{4, known, 4, Loops, 4, 6, "3–4"},
		{4, nil, 4, Loops, 2, 1, "2"}, // three take two turns as well
		{5, known, 4, Loops, 3, 3, "3–4"},
		{5, nil, 4, Loops, 3, 3, "3–4"},
		{7, known, 4, Loops, 4, 6, "3–4"},
		{7, known, 100, Loops, 4, 6, "3–4"},
		{7, nil, 4, Loops, 3, 3, "3–4"},
		{7, known, 2, Loops, 2, 1, "2"},
		{7, known, 1, OneLoop, 1, 0, "1"},
		{8, known, 4, Hierarchical, 3, 10, "8+"}, // 3+3+2: 3+3+1 and 3 among the groups
		{8, nil, 4, Hierarchical, 3, 10, "8+"},
		{9, known, 4, Hierarchical, 3, 12, "8+"},
		{8, known, 2, Hierarchical, 2, 6, "8+"},
	} {
		a := ask(t, Question{Plan: free(c.tasks), Past: c.past, Max: c.max})
		if a.Recommendation != c.want || a.Loops != c.loops || a.Paths != c.paths || a.Band != c.band {
			t.Errorf("%d tasks, %d loops past, max %d: %s, %d loops, %d paths, band %s", c.tasks, len(c.past), c.max, a.Recommendation, a.Loops, a.Paths, a.Band)
		}
	}
}

// The edges of the completion rate: 45 % may pay, more does not.
func TestCompletion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		passed, failed int
		says           Side
		want           Recommendation
		text           string
	}{
		{0, 10, ForMany, Loops, "completes 0 % of"},
		{9, 11, ForMany, Loops, "completes 45 % of"},
		{451, 549, ForOne, OneLoop, "completes 45.1 % of"},
		{4501, 5499, ForOne, OneLoop, "completes 45.0100 % of"},
		{4499, 5501, ForMany, Loops, "completes 44.9900 % of"},
		{1, 0, ForOne, OneLoop, "completes 100 % of its tasks (1 of 1; 95 % certain: 21–100 %)"},
	} {
		a := ask(t, Question{Plan: free(4), Past: past(c.passed, c.failed, nil)})
		r := reason(a, "completion")
		if r.Favors != c.says || a.Recommendation != c.want || !strings.Contains(r.Text, c.text) {
			t.Errorf("%d of %d: %s, %s: %s", c.passed, c.passed+c.failed, a.Recommendation, r.Favors, r.Text)
		}
		if wantFrom := fmt.Sprintf("this repository, %s", text.Plural(c.passed+c.failed, "loop")); r.From != wantFrom || *r.Limit != 45 {
			t.Errorf("from %q, limit %v", r.From, *r.Limit)
		}
	}
}

// The edges of tool calls: 8 may pay, 9 do not; unknown is not 0.
func TestToolCalls(t *testing.T) {
	t.Parallel()
	mixed := past(0, 2, new(int64(8)))
	mixed[0].Attempts[0].Agent.Usage.ToolCalls = new(int64(9))
	mixed[1].Attempts[1].Agent.Usage.ToolCalls = nil
	for name, c := range map[string]struct {
		past []loop.Whole
		says Side
		want Recommendation
		text string
		from string
	}{
		"8":       {past(0, 5, new(int64(8))), ForMany, Loops, "an attempt makes 8 tool calls", "this repository, 10 of 10 attempts"},
		"9":       {past(0, 5, new(int64(9))), ForOne, OneLoop, "an attempt makes 9 tool calls", "this repository, 10 of 10 attempts"},
		"8.3":     {mixed, ForOne, OneLoop, "an attempt makes 8.3 tool calls", "this repository, 3 of 4 attempts"},
		"0":       {past(0, 5, new(int64(0))), ForMany, Loops, "an attempt makes 0 tool calls", "this repository, 10 of 10 attempts"},
		"unknown": {past(0, 5, nil), Unknown, Loops, "n/a", ""},
	} {
		a := ask(t, Question{Plan: free(4), Past: c.past})
		r := reason(a, "tool_calls")
		if r.Favors != c.says || a.Recommendation != c.want || !strings.Contains(r.Text, c.text) || r.From != c.from {
			t.Errorf("%s: %s, %s: %s [%s]", name, a.Recommendation, r.Favors, r.Text, r.From)
		}
		if name == "unknown" && (r.Value != nil || a.History.ToolCalls != nil) {
			t.Errorf("unknown became a number: %v", r)
		}
	}
}

// Bringing the work of four together costs three rounds of gates: as long as a
// task is too long.
func TestOverhead(t *testing.T) {
	t.Parallel()
	for task, want := range map[time.Duration]Side{3*time.Minute + 1*time.Millisecond: ForMany, 3 * time.Minute: ForOne, time.Minute: ForOne} {
		all := past(0, 3, nil)
		for i := range all {
			all[i].Active = task
		}
		a := ask(t, Question{Plan: free(4), Past: all})
		if r := reason(a, "overhead"); r.Favors != want || *r.Value != 180000 {
			t.Errorf("%s: %+v", task, r)
		}
		if one := a.Recommendation == OneLoop; one != (want == ForOne) {
			t.Errorf("%s: %s", task, a.Recommendation)
		}
	}
}

func TestSequential(t *testing.T) {
	t.Parallel()
	a := ask(t, Question{Plan: row(3, plan.Order), Format: "checklist", Past: past(0, 9, nil)})
	if a.Recommendation != OneLoop || !strings.Contains(reason(a, "width").Text, "39–70 % worse") || *a.Plan.Sequential != 1 {
		t.Errorf("%+v", a)
	}
	if diff := cmp.Diff([]string{"the order of the tasks in a file of the format checklist is meant"}, a.Assumed); diff != "" {
		t.Error(diff)
	}
	if a := ask(t, Question{Plan: row(3, plan.Stated)}); len(a.Assumed) != 0 || a.Plan.Stated != 2 || a.Plan.Ordered != 0 {
		t.Errorf("stated order: %+v", a)
	}
	done := row(3, plan.Stated)
	for i := range done.Tasks {
		done.Tasks[i].Status = plan.Done
	}
	if a := ask(t, Question{Plan: done}); a.Recommendation != Nothing || a.Loops != 0 || a.Plan.Width != nil {
		t.Errorf("a plan that is done: %+v", a)
	}
	done.Tasks[1].Status = plan.Failed
	if a := ask(t, Question{Plan: done}); a.Recommendation != OneLoop || a.First[0] != "t2" {
		t.Errorf("one task left: %+v", a)
	}
	done.Tasks[1].ID = ""
	if _, err := Advise(Question{Plan: done}); err == nil {
		t.Error("a plan that is not sound was advised on")
	}
}

// Which loops count as single loops that tell something.
func TestHistory(t *testing.T) {
	t.Parallel()
	var all []loop.Whole
	for _, reasons := range loop.Reasons() {
		for _, r := range reasons {
			all = append(all, ended(r, nil))
		}
	}
	script, person, child, running := ended(loop.Green, nil), ended(loop.Green, nil), ended(loop.Green, nil), ended(loop.Green, nil)
	script.Agent.Use, person.Agent.Use, child.Parent, running.Status = "script", "human", "orch", loop.Running
	h := historyOf(append(all, script, person, child, running), true)
	// green; max_attempts, stuck, plateau, no_change; regression, stalled,
	// timeout, budget. The reasons of waiting stand in states that failed here,
	// so that budget, which is one of them too, counts twice.
	if h.Loops != 10 || h.Completed != 1 || h.Attempts != 20 || h.Counted != 0 || !h.Cut {
		t.Errorf("%+v", h)
	}
	if h.LeftOut != len(all)-10+3 {
		t.Errorf("left out %d of %d", h.LeftOut, len(all))
	}
	if *h.TaskMS != 600000 || *h.GatesMS != 60000 || h.ToolCalls != nil {
		t.Errorf("%+v", h)
	}
	if empty := historyOf(nil, false); empty.Completion != nil || empty.Interval != nil || empty.TaskMS != nil || empty.GatesMS != nil {
		t.Errorf("from nothing: %+v", empty)
	}
}

// Known values of Wilson's interval.
func TestWilson(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		k, n int
		want string
	}{{0, 1, "0–79"}, {1, 1, "21–100"}, {5, 10, "24–76"}, {9, 20, "26–66"}, {50, 100, "40–60"}, {0, 100, "0–4"}, {100, 100, "96–100"}} {
		i := wilson(c.k, c.n)
		if got := fmt.Sprintf("%.0f–%.0f", i[0], i[1]); got != c.want {
			t.Errorf("%d of %d: %s, want %s", c.k, c.n, got, c.want)
		}
	}
}

func running(n int) (all []loop.State) {
	for i := range n {
		s := loop.State{Status: loop.Running}
		s.ID, s.Task.Text = fmt.Sprint("loop-", i+1), fmt.Sprint("task number ", i+1)
		if i == 1 {
			s.Task.Scope, s.Parent = []string{"internal/auth/**"}, "orch"
		}
		all = append(all, s)
	}
	return all
}

// One more loop beside so many.
func TestNow(t *testing.T) {
	t.Parallel()
	weak, strong := past(2, 8, nil), past(8, 2, nil)
	for _, c := range []struct {
		active int
		past   []loop.Whole
		max    int
		want   Recommendation
	}{
		{0, strong, 4, GoAhead},
		{1, strong, 4, Wait},
		{1, weak, 4, GoAhead},
		{1, nil, 4, GoAhead},
		{3, weak, 4, GoAhead},
		{4, weak, 4, Wait},
		{4, weak, 100, Wait},
		{1, weak, 1, Wait},
		{6, weak, 100, Wait},
		{7, weak, 4, Hierarchical},
		{9, nil, 4, Hierarchical},
	} {
		a := ask(t, Question{Active: running(c.active), Past: c.past, Max: c.max})
		if a.Recommendation != c.want || a.Loops != c.active+1 || a.Paths != loop.Paths(c.active+1) {
			t.Errorf("beside %d, max %d: %s, %d loops, %d paths", c.active, c.max, a.Recommendation, a.Loops, a.Paths)
		}
	}
}

func TestGolden(t *testing.T) {
	t.Parallel()
	shop := free(7)
	shop.Tasks[0].Status = plan.Done
	for i, needs := range map[int][]string{2: {"t1"}, 3: {"t3"}, 4: {"t3"}, 6: {"t4", "t5"}} {
		for _, n := range needs {
			shop.Tasks[i].Needs = append(shop.Tasks[i].Needs, plan.Need{On: n, Why: plan.Stated})
		}
	}
	hostile := free(2)
	hostile.Title = "evil\x1b[2J title"
	hostile.Tasks[0].ID = strings.Repeat("long", 40) + "\x1b]0;x\a"
	for name, q := range map[string]Question{
		"plan_unknown":      {Plan: shop, File: "prd.json", Format: "prd"},
		"plan_known":        {Plan: shop, File: "prd.json", Format: "prd", Past: past(3, 9, new(int64(6))), Cut: true},
		"plan_one":          {Plan: shop, File: "prd.json", Format: "prd", Past: past(8, 2, new(int64(12)))},
		"plan_hierarchical": {Plan: free(11), File: "prd.json", Format: "prd", Past: past(1, 3, nil)},
		"plan_sequential":   {Plan: row(9, plan.Order), File: "docs/fix_plan.md", Format: "checklist"},
		"plan_beside":       {Plan: free(4), File: "prd.json", Format: "stories", Past: past(1, 9, new(int64(2))), Active: running(2)},
		"plan_done":         {Plan: &plan.Plan{Tasks: []plan.Task{{ID: "a", Title: "a", Status: plan.Done}}}, File: "a.md", Format: "tasks"},
		"plan_hostile":      {Plan: hostile, File: "x\x1b[31m.json", Format: "prd"},
		"now_first":         {},
		"now_second":        {Active: running(1), Past: past(8, 2, nil)},
		"now_fifth":         {Active: running(4), Past: past(3, 9, new(int64(6)))},
		"now_eighth":        {Active: running(7)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := ask(t, q)
			words := Text(a)
			for line := range strings.Lines(words) {
				if n := text.Width(strings.TrimRight(line, "\n")); n > text.Columns {
					t.Errorf("%d columns: %s", n, line)
				}
				if strings.ContainsAny(line, "\x1b\a") || strings.HasSuffix(line, " \n") {
					t.Errorf("%q", line)
				}
			}
			data, err := json.MarshalIndent(a, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			golden(t, name, words+"\n"+string(data)+"\n")
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}
