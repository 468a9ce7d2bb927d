package view

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// planItem is a plan in the middle of a night: a task that landed, one that
// asks, one that failed, one whose landing conflicts, one that needs another.
func planItem(evil string) PlanItem {
	member := func(i Item, task string) Item {
		i.State.ID, i.State.Parent = "shop-1c68-"+strings.ToLower(task), "shop-1c68"
		i.State.Task.Plan, i.State.Task.Text = &loop.InPlan{Title: "shop"}, "task "+task+evil
		return i
	}
	ready, asks, red, clash := member(passed(), "T1"), member(asking(), "T2"), member(exhausted(), "T3"), member(passed(), "T4")
	s := plan.State{
		ID: "shop-1c68", Title: "shop" + evil, File: "/home/me/shop-api/plan.md", Rules: plan.Rules{Parallel: 3, PerTask: 5},
		Status: loop.Waiting, Reason: loop.ForHuman, Message: "1 question waits for a person", Stage: plan.Working,
		Branch: "ralph/shop-1c68/_landed", Base: "9f31c2e0aa11", Tip: "1111111aaaa", Attempts: 9,
		StartedAt: clockAt(1, 0), LastAt: clockAt(6, 0),
		Findings: []plan.Finding{{Kind: plan.EdgeCase, Text: "no currency" + evil}, {Kind: plan.Gap, Text: "done", Resolved: "review"}},
		Tasks: []plan.TaskState{
			{ID: "T1", Status: plan.Done, Loop: ready.State.ID, Landed: "1111111aaaa"},
			{ID: "T2", Status: plan.Running, Loop: asks.State.ID, Rests: loop.ForHuman},
			{ID: "T3", Status: plan.Failed, Loop: red.State.ID, Reason: loop.MaxAttempts, Message: "all attempts used" + evil},
			{ID: "T4", Status: plan.Failed, Loop: clash.State.ID, Reason: loop.Conflict, Message: "conflicts in price.go" + evil},
			{ID: "T5", Status: plan.Pending},
			{ID: "T6", Status: plan.Done},
			{ID: "T7", Status: plan.Pending, Gone: true},
		},
	}
	p := plan.Plan{Title: s.Title}
	for _, t := range s.Tasks[:6] {
		p.Tasks = append(p.Tasks, plan.Task{ID: t.ID, Title: "title of " + t.ID + evil})
	}
	p.Tasks[4].Needs = []plan.Need{{On: "T3"}}
	return PlanItem{State: s, Facts: PlanFacts{Plan: p}, Loops: []Item{ready, asks, red, clash}, Whole: true}
}

// completePlan has passed and was not accepted yet.
func completePlan() PlanItem {
	i := planItem("")
	i.State.ID, i.State.Status, i.State.Reason, i.State.Message = "done-2222", loop.StatusPassed, plan.AllDone, "every task is done and landed; unreviewed"
	i.State.Tasks, i.State.EndedAt = i.State.Tasks[:1], clockAt(7, 0)
	i.Loops = i.Loops[:1]
	return i
}

func planSummaryOf(evil string) Summary {
	return Summarize("shop-api", []Item{exhausted()}, []PlanItem{completePlan(), planItem(evil)}, now)
}

// TestATaskIsCutOff: a task whose process was killed with its plan's is told in the words
// of status, not among those that wait.
func TestATaskIsCutOff(t *testing.T) {
	t.Parallel()
	i := planItem("")
	i.State.Status, i.State.Reason = loop.Running, ""
	i.State.Tasks = []plan.TaskState{{ID: "T1", Status: plan.Running, Loop: i.Loops[0].State.ID}, {ID: "T5", Status: plan.Pending}}
	i.Loops = []Item{crashed()}
	i.Loops[0].State.ID, i.Loops[0].State.Parent = i.State.Tasks[0].Loop, i.State.ID
	i.Loops[0].State.Task.Plan = &loop.InPlan{}
	i.Facts.Crashed = true
	r := Summarize("shop-api", nil, []PlanItem{i}, now)
	page, err := HTML(r, now)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(r.Waiting); n != 2 || r.Waiting[0].Status != Crashed {
		t.Errorf("waiting: %d, %+v", n, r.Waiting)
	}
	for name, got := range map[string]string{"Markdown": Markdown(r, now), "HTML": page} {
		for _, want := range []string{"1 cut off, 1 waiting", "Cut off (1)", "crashed: its process is gone; it continues with the plan", "Waiting (1)"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s lacks %q:\n%s", name, want, got)
			}
		}
	}
}

func TestPlanGolden(t *testing.T) {
	t.Parallel()
	page := func(evil string) string {
		got, err := HTML(planSummaryOf(evil), now)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	for name, got := range map[string]string{
		"plan-list":         List([]Item{crashed()}, []PlanItem{completePlan(), planItem("")}, "", true, 0, now, Palette{}),
		"plan-list-ascii":   List(nil, []PlanItem{planItem("")}, "", true, 0, now, Palette{ASCII: true}),
		"plan-report":       Markdown(planSummaryOf(""), now),
		"plan-report-html":  page(""),
		"plan-report-junit": junit(t, planSummaryOf("")),
		"plan-hostile":      Markdown(planSummaryOf(hostile), now),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden(t, name, got)
		})
	}
}

const hostile = " </script><script>alert(1)</script> ]]> \x1b[31mred\x07 \u202e <img src=x onerror=alert(1)> --> \" ' `x` |"

func junit(t *testing.T, s Summary) string {
	t.Helper()
	got, err := JUnit(s)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestPageIsInert: whatever a plan, an agent or a test printed, the page loads
// nothing, runs nothing, and is well formed.
func TestPageIsInert(t *testing.T) {
	t.Parallel()
	for _, words := range []string{"", hostile, evil} {
		got, err := HTML(planSummaryOf(words), now)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"<script", "<img", "<link", "<iframe", "url(", "\x1b", "\u202e", "onerror=alert(1)>"} {
			if strings.Contains(strings.ToLower(got), bad) {
				t.Errorf("the page has %q", bad)
			}
		}
		if !strings.Contains(got, `content="default-src 'none'; style-src 'unsafe-inline'`) {
			t.Error("the page has no policy")
		}
		balanced(t, got)
	}
}

// balanced: each element that is opened is closed, in order.
func balanced(t *testing.T, page string) {
	t.Helper()
	var open []string
	for _, m := range regexp.MustCompile(`<(/?)([a-z][a-z0-9]*)[^>]*>`).FindAllStringSubmatch(page, -1) {
		if regexp.MustCompile(`\s(src|href|style|on\w+)=`).MatchString(m[0]) {
			t.Errorf("a tag that may load or do something: %s", m[0])
		}
		switch name := m[2]; {
		case name == "meta" || name == "br":
		case m[1] == "":
			open = append(open, name)
		case len(open) == 0 || open[len(open)-1] != name:
			t.Fatalf("</%s> closes %v", name, open)
		default:
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Errorf("not closed: %v", open)
	}
}

// TestJUnitReadsBack: the counts are those of the cases, and nothing that
// somebody printed leaves its element.
func TestJUnitReadsBack(t *testing.T) {
	t.Parallel()
	for _, words := range []string{"", hostile, evil} {
		text := junit(t, planSummaryOf(words))
		var doc junitDoc
		if err := xml.Unmarshal([]byte(text), &doc); err != nil {
			t.Fatal(err)
		}
		tests, failures, skipped := 0, 0, 0
		for _, s := range doc.Suites {
			if len(s.Cases) != s.Tests {
				t.Errorf("%s: %d cases, %d announced", s.Name, len(s.Cases), s.Tests)
			}
			for _, c := range s.Cases {
				tests++
				if c.Failure != nil {
					failures++
				}
				if c.Skipped != nil {
					skipped++
				}
			}
		}
		if tests != doc.Tests || failures != doc.Failures || skipped != doc.Skipped || len(doc.Suites) != 3 {
			t.Errorf("%d tests, %d failures, %d skipped, %d suites; announced %+v", tests, failures, skipped, len(doc.Suites), doc)
		}
		for _, r := range text {
			if unicode.IsControl(r) && r != '\n' {
				t.Fatalf("%U as itself", r)
			}
		}
		known := map[string]bool{"testsuites": true, "testsuite": true, "testcase": true, "failure": true, "error": true, "skipped": true, "system-out": true}
		for d := xml.NewDecoder(strings.NewReader(text)); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if e, ok := token.(xml.StartElement); ok && !known[e.Name.Local] {
				t.Fatalf("element %s", e.Name.Local)
			}
		}
	}
}

func TestPlansCountByTask(t *testing.T) {
	t.Parallel()
	r := Summarize("p", nil, []PlanItem{planItem("")}, now)
	if got := r.Title; got != "1 needs you, 2 failed, 2 passed, 1 waiting" || r.Completed != 2 || r.Total != 6 {
		t.Errorf("%s, %d of %d", got, r.Completed, r.Total)
	}
	if len(r.Ready) != 1 || r.Ready[0].Next != "ralph show shop-1c68-t1 --diff" {
		t.Errorf("%+v", r.Ready)
	}
	if r.EndedAt != nil {
		t.Error("a plan that waits has not ended")
	}
	if len(r.Loops) != 4 {
		t.Errorf("%d loops", len(r.Loops))
	}
}

// What was brought home waits for nobody.
func TestAcceptedPlansAreNotToReview(t *testing.T) {
	t.Parallel()
	i := completePlan()
	i.State.Accepted = "2222222bbbb"
	r := Summarize("p", nil, []PlanItem{i}, now)
	if len(r.Ready) != 0 || r.Completed != 1 || r.Counts.Passed != 1 {
		t.Errorf("%+v", r.Ready)
	}
	page := Markdown(r, now)
	if !strings.Contains(page, "accepted as `2222222`") || strings.Contains(page, "ralph accept") {
		t.Error(page)
	}
	if web, err := HTML(r, now); err != nil || !strings.Contains(web, "accepted as 2222222") || strings.Contains(web, "Ready to review") {
		t.Error(err, web)
	}
	i.State.Status, i.State.Reason = loop.StatusFailed, plan.SomeFailed // accepted as far as it went
	if r := Summarize("p", nil, []PlanItem{i}, now); len(r.Ready) != 0 || r.Plans[0].Take != nil {
		t.Errorf("%+v, %v", r.Ready, r.Plans[0].Take)
	}
}

func TestNothingAsksToAcceptATask(t *testing.T) {
	t.Parallel()
	i := planItem("")
	for _, l := range i.Loops {
		text := l.next() + strings.Join(LoopOf(Item{l.State, l.Facts}, now).Ending(Palette{}), "\n")
		if strings.Contains(text, "ralph accept") || strings.Contains(text, "ralph retry") {
			t.Errorf("%s: %s", l.State.ID, text)
		}
	}
	l := i.Loops[0]
	l.State.Status, l.Facts.Crashed = loop.Running, true
	if got := l.next(); got != "ralph resume shop-1c68" {
		t.Error(got)
	}
}

func TestPlanListIsEightyColumnsWide(t *testing.T) {
	t.Parallel()
	for _, words := range []string{"", hostile, strings.Repeat("漢字 ", 60)} {
		i := planItem(words)
		for n := range 20 {
			i.State.Tasks = append(i.State.Tasks, plan.TaskState{ID: fmt.Sprint("more", n), Status: plan.Failed, Message: words})
		}
		for line := range strings.SplitSeq(List(nil, []PlanItem{i}, "", true, 0, now, Palette{}), "\n") {
			if text.Width(line) > 80 {
				t.Errorf("%d columns: %s", text.Width(line), line)
			}
		}
	}
}

func TestAnsweredPlanIsResumed(t *testing.T) {
	t.Parallel()
	i := planItem("")
	for n := range i.Loops[1].State.Questions {
		i.Loops[1].State.Questions[n].Answered = true
	}
	i.Loops[1].State.Status, i.Loops[1].State.Reason = loop.Paused, ""
	if got := i.next(); got != "ralph resume shop-1c68" {
		t.Error(got)
	}
	r := Summarize("p", nil, []PlanItem{i}, now)
	if len(r.NeedsYou) != 1 || *r.NeedsYou[0].Next != "ralph resume shop-1c68" {
		t.Errorf("%+v", r.NeedsYou)
	}
}

// TestQuestionsOfAPlanAreOneRun: what is answered is not counted any more, and a plan
// needs a person once, however much it asks.
func TestQuestionsOfAPlanAreOneRun(t *testing.T) {
	t.Parallel()
	i := planItem("")
	i.State.Message = "2 questions wait for a person"
	one := PlanAsk{Task: "T2", Loop: "x", Question: loop.Question{Text: "How?"}}
	for n, want := range []string{"every question is answered; the plan is not running", "1 question waits for a person", "2 questions wait for a person"} {
		i.Facts.Asks = slices.Repeat([]PlanAsk{one}, n)
		if n == 0 {
			i.Loops[1].State.Status, i.Loops[1].State.Reason = loop.Paused, ""
		} else {
			i.Loops[1].State.Status, i.Loops[1].State.Reason = loop.Waiting, loop.ForHuman
		}
		if got := PlanOf(i, now).Object.Message; got != want {
			t.Errorf("%d questions: %q, want %q", n, got, want)
		}
	}
	part := planItem("")
	part.State.ID, part.Facts.Of = "part", i.State.ID
	plans := []PlanItem{i, part}
	r := Summarize("p", []Item{asking()}, plans, now)
	if l := ListOf([]Item{asking()}, plans, now); r.Counts.NeedsYou != 2 || l.Counts != r.Counts {
		t.Errorf("report %+v, list %+v", r.Counts, l.Counts)
	}
	if !strings.HasPrefix(r.Title, "2 need you") || !strings.Contains(List([]Item{asking()}, plans, "", false, 0, now, Palette{}), "NEEDS YOU (2)") {
		t.Errorf("%s", r.Title)
	}
}

// TestTasksOfACrashedPlanDoNotRun: no process works on them.
func TestTasksOfACrashedPlanDoNotRun(t *testing.T) {
	t.Parallel()
	i := planItem("")
	i.State.Status, i.State.Reason, i.Facts.Crashed = loop.Running, "", true
	i.State.Tasks = append(i.State.Tasks, plan.TaskState{ID: "T9", Status: plan.Running, Loop: "gone"})
	if r := Summarize("p", nil, []PlanItem{i}, now); len(r.Running) != 0 {
		t.Errorf("running: %+v", r.Running)
	}
	list, show := List(nil, []PlanItem{i}, "", false, 0, now, Palette{}), PlanOf(i, now).Show(now, Palette{})
	if !strings.Contains(list, "cut off") || strings.Contains(list, " running") || strings.Contains(list+show, "●") || !strings.Contains(show, "○ cut off    T9") {
		t.Errorf("%s\n%s", list, show)
	}
}

// TestCrashedAndAsks: the next command answers; what continues the run stands beside it.
func TestCrashedAndAsks(t *testing.T) {
	t.Parallel()
	l, i := asking(), planItem("")
	l.Facts.Live, l.Facts.Crashed = false, true
	i.Facts.Live, i.Facts.Crashed = false, true
	i.State.Status, i.State.Reason = loop.Running, ""
	i.Facts.Asks = []PlanAsk{{Task: "T2", Loop: "x", Question: *l.State.Open(), Next: "ralph answer x yes"}}
	list := List([]Item{l}, []PlanItem{i}, "", false, 0, now, Palette{})
	for _, want := range []string{"ralph answer ralph-tax", "ralph resume " + l.State.ID, "ralph answer x yes", "ralph resume " + i.State.ID} {
		if !strings.Contains(list, want) {
			t.Errorf("no %s in:\n%s", want, list)
		}
	}
}

func TestTimelineHasEdges(t *testing.T) {
	t.Parallel()
	if timelineOf(nil, now) != nil {
		t.Error("a picture of nothing")
	}
	s := started("a", "b", now)
	s.Recent = []loop.Attempt{{N: 1, StartedAt: now, EndedAt: now}}
	if timelineOf(loopsOf([]Item{{State: s}}, now), now) != nil {
		t.Error("a picture of no time")
	}
	s.Recent = []loop.Attempt{{N: 1, StartedAt: now, EndedAt: now.Add(-time.Hour)}, {N: 2, StartedAt: now.Add(-time.Minute)}}
	got := timelineOf(loopsOf([]Item{{State: s}}, now), now)
	for _, b := range got.Rows[0].Bars {
		if b.W < 1 || b.X < 0 || b.X+b.W > barsWidth {
			t.Errorf("%+v", b)
		}
	}
}

// TestReviewsOfAPlanStandInItsCost: in rows of their own, and in every sum.
func TestReviewsOfAPlanStandInItsCost(t *testing.T) {
	t.Parallel()
	i := planItem("")
	bare := Summarize("p", nil, []PlanItem{i}, now)
	i.Facts.Spent = []loop.AgentSpent{{
		Name: "oracle", Use: "api", Model: "m", Review: true, Runs: 3, CostUnknown: 1,
		Usage: loop.Usage{InputTokens: new(int64(5000)), CostMicroUSD: new(int64(2_000_000)), CostSource: money.Reported},
	}}
	i.Facts.Budgets = []money.Balance{{Level: loop.PlanLevel, ID: i.State.ID, Limit: loop.Amounts{Tokens: 9000}, Used: loop.Amounts{Tokens: 5000}}}
	r := Summarize("p", nil, []PlanItem{i}, now)
	at := slices.IndexFunc(r.Agents, func(a AgentUse) bool { return a.Agent.Name == "oracle" })
	if at < 0 || !r.Agents[at].Review || r.Agents[at].Runs != 3 || r.Agents[at].Unknown != 1 || *r.Agents[at].Usage.CostMicroUSD != 2_000_000 {
		t.Errorf("agents: %+v", r.Agents)
	}
	before := int64(0)
	if n := bare.Spent.Usage.CostMicroUSD; n != nil {
		before = *n
	}
	if *r.Spent.Usage.CostMicroUSD != before+2_000_000 || r.Spent.CostUnknown != bare.Spent.CostUnknown+1 {
		t.Errorf("all together: %+v", r.Spent)
	}
	if p := r.Plans[0]; *p.Usage.CostMicroUSD != before+2_000_000 || !strings.Contains(p.Cost, "n/a for") || len(p.Spent) != 1 {
		t.Errorf("the plan: %s, %+v", p.Cost, p.Spent)
	}
	for _, want := range []string{"reviews  oracle m (review): 3 runs", "budget   5k of 9k tokens"} {
		if got := PlanOf(PlanItem{State: i.State, Facts: i.Facts}, now).Show(now, Palette{}); !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

// Who has not voted is told; nobody is called the author who is not.
func TestDegradedReview(t *testing.T) {
	t.Parallel()
	i := completePlan()
	i.State.Review = &plan.Review{Pass: true, Degraded: true, Reason: "council approved: 2 approve, 1 without a verdict; degraded: 1 of 3 without a vote (bad: malformed)"}
	got := PlanOf(PlanItem{State: i.State, Facts: i.Facts}, now).Show(now, Palette{})
	if !strings.Contains(got, "reviewed, degraded: council approved") || strings.Contains(got, "own agent") {
		t.Error(got)
	}
}

// A loop that wrote how a task is to be done has not done the task.
func TestPlanIsWritten(t *testing.T) {
	t.Parallel()
	e := plan.Stopped{Task: "one", Status: loop.StatusPassed, Attempts: 1, Output: "it stands in agreed/one.md"}
	if got := PlanLines(plan.State{}, e, Palette{}); len(got) != 1 || !strings.Contains(got[0], "its plan is written") || strings.Contains(got[0], "passed") {
		t.Error(got)
	}
}

// TestATaskThatWaitsForItsProvider: nothing works on it, so it is not counted as running; once
// the process of the plan is gone, nobody waits either.
func TestATaskThatWaitsForItsProvider(t *testing.T) {
	t.Parallel()
	i := planItem("")
	i.State.Status, i.State.Reason = loop.Running, ""
	waits := i.Loops[0]
	waits.State.Status, waits.State.Reason, waits.State.Wake, waits.Facts = loop.Waiting, loop.ForLimit, now.Add(time.Hour), Facts{Live: true}
	i.State.Tasks = []plan.TaskState{{ID: "T1", Status: plan.Running, Loop: waits.State.ID}}
	i.Loops, i.Facts.Live = []Item{waits}, true
	v := PlanOf(i, now)
	if got := v.Line(Palette{}); strings.Contains(got, "running, ") || strings.Contains(got, "1 running") {
		t.Error(got)
	}
	if got := v.Show(now, Palette{}); !strings.Contains(got, "○ waiting    T1") {
		t.Error(got)
	}
	if got := List(nil, []PlanItem{i}, "", false, 0, now, Palette{}); !strings.Contains(got, "1 waiting") || !strings.Contains(got, "waits for the provider") {
		t.Error(got)
	}
	i.State.Tasks[0].Rests = loop.ForLimit
	i.Facts.Crashed, i.Facts.Live, i.Loops[0].Facts = true, false, Facts{Crashed: true}
	if got := List(nil, []PlanItem{i}, "", false, 0, now, Palette{}); !strings.Contains(got, "1 cut off") || strings.Contains(got, "for the provider") {
		t.Error(got)
	}
	if got := PlanOf(i, now).Line(Palette{}); strings.Contains(got, "1 running") {
		t.Error(got)
	}
}

// TestATaskWhoseRepairIsPaused: a limit paused the loop that resolves a conflict. Nothing is asked.
func TestATaskWhoseRepairIsPaused(t *testing.T) {
	t.Parallel()
	i := planItem("")
	i.State.Status, i.State.Reason = loop.Paused, loop.Budget
	repairs := i.Loops[0]
	repairs.State.Status, repairs.State.Reason, repairs.State.Message = loop.Paused, loop.Budget, "used up: $3 of $3"
	i.State.Tasks = []plan.TaskState{{ID: "T1", Status: plan.Landing, Loop: "it", Repair: repairs.State.ID, Rests: loop.Budget, Message: "used up: $3 of $3"}}
	i.Loops = []Item{repairs}
	if got := PlanOf(i, now).Show(now, Palette{}); !strings.Contains(got, "○ paused     T1") || !strings.Contains(got, "used up: $3 of $3") {
		t.Error(got)
	}
	if got := List(nil, []PlanItem{i}, "", false, 0, now, Palette{}); !strings.Contains(got, "1 paused") || strings.Contains(got, "1 asks") {
		t.Error(got)
	}
}

// TestWhatAPersonAbortedNeedsNoAttention: it stands apart from what failed.
func TestWhatAPersonAbortedNeedsNoAttention(t *testing.T) {
	t.Parallel()
	aborted := exhausted()
	aborted.State.ID, aborted.State.Status, aborted.State.Reason, aborted.State.Message = "stopped-1", loop.Aborted, loop.Manual, "not wanted"
	got := Markdown(Summarize("p", []Item{exhausted(), aborted}, nil, now), now)
	if !strings.Contains(got, "## Failed, require human attention (1)") || !strings.Contains(got, "## Aborted by a person, or retried (1)") || strings.Contains(got, "manual") {
		t.Error(got)
	}
}
