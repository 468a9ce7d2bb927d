package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/plan"
	"ralph/internal/recovery"
)

// changed returns an item with some changes.
func changed(i Item, how func(*loop.State, *Facts)) Item {
	how(&i.State, &i.Facts)
	return i
}

// TestLoopOf holds what the builder works out for every renderer.
func TestLoopOf(t *testing.T) {
	t.Parallel()
	type want struct {
		status           loop.Status
		group            Group
		progress, next   string
		why              string // its beginning
		worktree, keptOn bool
		stuck            bool
		look             int
	}
	for name, c := range map[string]struct {
		item Item
		want want
	}{
		"passed": {passed(), want{
			status: loop.StatusPassed, group: GroupReady, progress: "2", next: "ralph accept ralph-reject-expired-tokens-a1b2c3d4",
			why: "green: every hard gate passed", look: 2,
		}},
		"accepted": {changed(passed(), func(s *loop.State, _ *Facts) { s.Accepted = "abc" }), want{
			status: loop.StatusPassed, group: GroupEnded, progress: "2", next: "ralph archive ralph-reject-expired-tokens-a1b2c3d4", why: "green", look: 2,
		}},
		"attempts used up": {exhausted(), want{
			status: loop.StatusFailed, group: GroupNeedsYou, progress: "2/2", next: "ralph show ralph-price-service-00ff00ff --evidence",
			why: "max_attempts: 2 of 2", keptOn: true, look: 1,
		}},
		"stuck": {stuckLoop(), want{
			status: loop.StatusFailed, group: GroupNeedsYou, progress: "5/5", next: "ralph show ralph-rate-limiting-0123abcd --evidence",
			why: "stuck: the same failure", keptOn: true, stuck: true,
		}},
		"out of time": {timedOut(), want{
			status: loop.Aborted, group: GroupNeedsYou, progress: "0/5", next: "ralph show ralph-slow-7 --evidence", why: "timeout: the loop's time",
		}},
		"asks": {asking(), want{
			status: loop.Waiting, group: GroupNeedsYou, progress: "1/5", next: `ralph answer ralph-tax-rounding-0badcafe "half up"`,
			why: "asks: Round half up", worktree: true,
		}},
		"at a limit": {limited(), want{
			status: loop.Waiting, group: GroupWaiting, progress: "2/5", next: "ralph resume ralph-cart-totals-1 --now",
			why: "for the provider of claude until 15:01", worktree: true,
		}},
		"paused": {paused(), want{
			status: loop.Paused, group: GroupWaiting, progress: "1/5", next: "ralph resume ralph-address-form-2", why: "paused on request", worktree: true,
		}},
		"paused by its budget": {changed(paused(), func(s *loop.State, _ *Facts) { s.Reason, s.Message = loop.Budget, "$5 of $5 is used" }), want{
			status: loop.Paused, group: GroupNeedsYou, progress: "1/5", next: "ralph resume ralph-address-form-2 --budget …", why: "$5 of $5", worktree: true,
		}},
		"crashed": {crashed(), want{
			status: Crashed, group: GroupNeedsYou, progress: "3/5", next: "ralph resume ralph-order-totals-3", why: "the process that ran this loop is gone", worktree: true,
		}},
		"crashed while it waited": {changed(limited(), func(_ *loop.State, f *Facts) { f.Crashed = true }), want{
			status: loop.Waiting, group: GroupNeedsYou, progress: "2/5", next: "ralph resume ralph-cart-totals-1", why: "for the provider of claude", worktree: true,
		}},
		"given up by recovery": {changed(crashed(), func(_ *loop.State, f *Facts) { f.Recovery = recovery.Restarts{Tries: 5, Left: true} }), want{
			status: Crashed, group: GroupNeedsYou, progress: "3/5", next: "ralph resume ralph-order-totals-3", why: "the process that ran this loop is gone", worktree: true,
		}},
		"works": {atWork(), want{
			status: loop.Running, group: GroupRunning, progress: "3/5", why: "agent at work", worktree: true,
		}},
		"asks while its agent works": {changed(atWork(), func(s *loop.State, _ *Facts) { s.Questions = []loop.Question{{Text: "Red?"}} }), want{
			status: loop.Running, group: GroupNeedsYou, progress: "3/5", next: `ralph answer ralph-search-index-4 "…"`, why: "asks: Red?", worktree: true,
		}},
		"answered while its agent works": {changed(atWork(), func(s *loop.State, _ *Facts) { s.Questions = []loop.Question{{Text: "Red?", Answered: true}} }), want{
			status: loop.Running, group: GroupRunning, progress: "3/5", why: "agent at work", worktree: true,
		}},
		"starts": {changed(atWork(), func(s *loop.State, f *Facts) { s.Status = loop.Pending }), want{
			status: loop.Pending, group: GroupRunning, progress: "3/5", worktree: true,
		}},
		"not started": {changed(atWork(), func(s *loop.State, f *Facts) { s.Status, f.Live = loop.Pending, false }), want{
			status: loop.Pending, group: GroupWaiting, progress: "3/5", next: "ralph resume ralph-search-index-4", why: "not started yet", worktree: true,
		}},
		"in place, ended": {changed(passed(), func(s *loop.State, _ *Facts) { s.InPlace = true }), want{
			status: loop.StatusPassed, group: GroupReady, progress: "2", next: "ralph accept ralph-reject-expired-tokens-a1b2c3d4", why: "green", worktree: true, look: 2,
		}},
	} {
		l := LoopOf(c.item, now)
		got := want{l.Status, l.Group, l.Progress, l.Next, l.Why, l.Worktree != "", l.KeptOn != "", l.Stuck, len(l.LookTwice)}
		if strings.HasPrefix(got.why, c.want.why) {
			got.why = c.want.why
		}
		if diff := gocmp.Diff(c.want, got, gocmp.AllowUnexported(want{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if l.ID != c.item.State.ID || l.Title != c.item.State.Task.Text || len(l.Details) < 2 {
			t.Errorf("%s: %+v", name, l.Run)
		}
		if (l.Question != nil) != strings.HasPrefix(name, "asks") {
			t.Errorf("%s: question %+v", name, l.Question)
		}
	}
}

// TestLoopOfResults: every renderer shows the newest evaluation that left a result.
func TestLoopOfResults(t *testing.T) {
	t.Parallel()
	l := LoopOf(exhausted(), now)
	if l.Round != 2 || len(l.Results) != 3 || l.Failed == nil || l.Failed.N != 2 || l.MainGate != "coverage" || *l.Floor != 80 {
		t.Errorf("round %d, %d results, failed %+v, main gate %s", l.Round, len(l.Results), l.Failed, l.MainGate)
	}
	i := exhausted()
	i.Facts.History, i.State.Recent = i.State.Recent, i.State.Recent[1:]
	if l := LoopOf(i, now); len(l.Attempts) != 2 {
		t.Errorf("%d attempts of a history of 2", len(l.Attempts))
	}
	green := LoopOf(alreadyGreen(), now)
	if green.Round != 0 || len(green.Results) != 2 || green.Failed != nil {
		t.Errorf("on the base: round %d, %d results", green.Round, len(green.Results))
	}
	if g := l.gate("lint"); g.Run != "golangci-lint run" {
		t.Errorf("gate %+v", g)
	}
	if g := l.gate("none"); g.Name != "" {
		t.Errorf("a gate that is not there: %+v", g)
	}
}

// TestPlanRun holds what a plan has in common with a loop.
func TestPlanRun(t *testing.T) {
	t.Parallel()
	question := plan.Question{Question: loop.Question{ID: "q1", Text: "Accept it?"}}
	waits := []plan.TaskState{{ID: "a", Status: plan.Running, Loop: "p-a", Rests: loop.ForHuman}}
	for name, c := range map[string]struct {
		item   PlanItem
		status loop.Status
		group  Group
		next   string
	}{
		"runs":                   {PlanItem{State: plan.State{Status: loop.Running}}, loop.Running, GroupRunning, ""},
		"starts":                 {PlanItem{State: plan.State{Status: loop.Pending}, Facts: PlanFacts{Live: true}}, loop.Pending, GroupRunning, ""},
		"crashed":                {PlanItem{State: plan.State{Status: loop.Running}, Facts: PlanFacts{Crashed: true}}, Crashed, GroupNeedsYou, "ralph resume p"},
		"crashed, and asks":      {PlanItem{State: plan.State{Status: loop.Running, Questions: []plan.Question{question}}, Facts: PlanFacts{Crashed: true}}, Crashed, GroupNeedsYou, `ralph answer p "…"`},
		"asks":                   {PlanItem{State: plan.State{Status: loop.Running, Questions: []plan.Question{question}}}, loop.Running, GroupNeedsYou, `ralph answer p "…"`},
		"a task asks":            {PlanItem{State: plan.State{Status: loop.Waiting, Reason: loop.ForHuman, Tasks: waits}}, loop.Waiting, GroupNeedsYou, `ralph answer p-a "…"`},
		"asks beside its tasks":  {PlanItem{State: plan.State{Status: loop.Waiting, Tasks: waits, Questions: []plan.Question{question}}}, loop.Waiting, GroupNeedsYou, `ralph answer p "…"`},
		"all is answered":        {PlanItem{State: plan.State{Status: loop.Waiting, Reason: loop.ForHuman}}, loop.Waiting, GroupNeedsYou, "ralph resume p"},
		"paused":                 {PlanItem{State: plan.State{Status: loop.Paused}}, loop.Paused, GroupWaiting, "ralph resume p"},
		"paused by its budget":   {PlanItem{State: plan.State{Status: loop.Paused, Reason: loop.Budget}}, loop.Paused, GroupNeedsYou, "ralph resume p --budget …"},
		"passed":                 {PlanItem{State: plan.State{Status: loop.StatusPassed, Tip: "b"}}, loop.StatusPassed, GroupReady, "ralph accept p"},
		"passed, accepted":       {PlanItem{State: plan.State{Status: loop.StatusPassed, Tip: "b", Accepted: "c"}}, loop.StatusPassed, GroupEnded, ""},
		"passed, a gap is open":  {PlanItem{State: plan.State{Status: loop.StatusPassed, Findings: []plan.Finding{{Text: "no limit"}}}}, loop.StatusPassed, GroupNeedsYou, ""},
		"one failed, it runs on": {PlanItem{State: plan.State{Status: loop.Running, Tasks: []plan.TaskState{{ID: "a", Status: plan.Failed}}}}, loop.Running, GroupRunning, ""},
		"one failed, it waits":   {PlanItem{State: plan.State{Status: loop.Waiting, Tasks: []plan.TaskState{{ID: "a", Status: plan.Failed}}}}, loop.Waiting, GroupNeedsYou, ""},
		"ended by a user":        {PlanItem{State: plan.State{Status: loop.Aborted, Reason: loop.Manual, Base: "a", Tip: "a"}}, loop.Aborted, GroupEnded, "ralph run p.md"},
		"ended, work landed":     {PlanItem{State: plan.State{Status: loop.Aborted, Reason: loop.Manual, Base: "a", Tip: "b"}}, loop.Aborted, GroupReady, "ralph run p.md"},
		"archived":               {PlanItem{State: plan.State{Status: loop.StatusFailed}, Facts: PlanFacts{Archived: true}}, loop.StatusFailed, GroupEnded, "ralph run p.md"},
		"failed":                 {PlanItem{State: plan.State{Status: loop.StatusFailed}}, loop.StatusFailed, GroupNeedsYou, "ralph run p.md"},
	} {
		c.item.State.ID, c.item.State.File = "p", "p.md"
		r := c.item.Run(now)
		if r.Status != c.status || r.Group != c.group || r.Next != c.next || !r.Plan || r.Title != "p.md" {
			t.Errorf("%s: %s in %s, next %q, title %q", name, r.Status, r.Group.Title(), r.Next, r.Title)
		}
		if told := slices.Contains(r.Details, "asks: Accept it?"); told != (len(c.item.State.Questions) > 0) {
			t.Errorf("%s: %q", name, r.Details)
		}
	}
}

// TestPlanOf holds the tasks that a list shows, and what the page and the report add.
func TestPlanOf(t *testing.T) {
	t.Parallel()
	v := PlanOf(planItem(""), now)
	var tasks []string
	for _, r := range v.Tasks {
		tasks = append(tasks, r.Mark+" "+strings.Fields(r.Words)[0]+" "+r.Next)
	}
	want := []string{
		`? T2 ralph answer shop-1c68-t2 "half up"`, "✗ T3 ralph show shop-1c68-t3", "✗ T4 ralph show shop-1c68-t4",
	}
	if diff := gocmp.Diff(want, tasks); diff != "" {
		t.Errorf("tasks (-want +got):\n%s", diff)
	}
	if v.Group != GroupNeedsYou || v.Verdict != "unreviewed" || v.Object.PlanID != v.ID || len(v.Object.Tasks) < 4 {
		t.Errorf("%s, %s, %s", v.Group.Title(), v.Verdict, v.Object.PlanID)
	}
	many := planItem("")
	for n := range mostTasks {
		many.State.Tasks = append(many.State.Tasks, plan.TaskState{ID: fmt.Sprint("more", n), Status: plan.Failed})
	}
	if v := PlanOf(many, now); len(v.Tasks) != mostTasks || v.More != 3 {
		t.Errorf("%d tasks and %d more", len(v.Tasks), v.More)
	}
	if v := PlanOf(completePlan(), now); len(v.Tasks)+v.More != 0 || v.Group != GroupReady {
		t.Errorf("of a plan that passed: %+v", v.Tasks)
	}
	partly := planItem("")
	partly.State.Status, partly.State.Base, partly.State.Tip = loop.Aborted, "a", "b"
	if v := PlanOf(partly, now); v.Take != "ralph accept "+v.ID || *v.Object.Take != v.Take {
		t.Errorf("take %q", v.Take)
	}
}

// TestVerdict holds the words on the review of a whole plan.
func TestVerdict(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]*plan.Review{
		"unreviewed":                 nil,
		"unreviewed: too few":        {Unreviewed: true, TooFew: true, Reason: "too few"},
		"reviewed: fine":             {Pass: true, Reason: "fine"},
		"reviewed, degraded: 2 of 3": {Pass: true, Degraded: true, Reason: "2 of 3"},
		"review not passed: gaps":    {Reason: "gaps"},
	} {
		if got := reviewedWords(plan.State{Review: r}); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := reviewedWords(plan.State{Review: &plan.Review{Unreviewed: true}}); got != "unreviewed" {
		t.Error(got)
	}
}

// TestOneOrder: loops and plans share one order, by urgency: what has not ended first,
// the longest waiting first, the newest ended first; and the loops of a plan follow it.
func TestOneOrder(t *testing.T) {
	t.Parallel()
	at := func(id string, g Group, start, end int) Run {
		r := Run{ID: id, Group: g, Status: loop.Running, StartedAt: clockAt(start, 0)}
		if end > 0 {
			r.Status, r.EndedAt = loop.StatusFailed, clockAt(end, 0)
		}
		return r
	}
	of := func(r Run, plan string) Run { r.Of = plan; return r }
	plan := at("plan", GroupReady, 1, 9)
	plan.Plan, plan.Parts = true, []string{"task-2"}
	needs := at("needs", GroupNeedsYou, 1, 2)
	needs.Plan, needs.Parts = true, []string{"needs-passed", "needs-failed"}
	passed := of(at("needs-passed", GroupEnded, 1, 2), "needs")
	passed.Status = loop.StatusPassed
	want := []Run{
		at("asks", GroupNeedsYou, 3, 0), at("asks-2", GroupNeedsYou, 4, 0), at("failed", GroupNeedsYou, 1, 9), at("failed before", GroupNeedsYou, 1, 8),
		needs, of(at("needs-failed", GroupEnded, 1, 2), "needs"),
		plan, of(at("task", GroupWaiting, 2, 0), "plan"), of(at("task-2", GroupEnded, 2, 3), "plan"), at("passed", GroupReady, 1, 8),
		at("a", GroupRunning, 2, 0), at("b", GroupRunning, 2, 0), of(at("lost", GroupWaiting, 1, 0), "gone"),
		at("newest", GroupEnded, 1, 9), at("old", GroupEnded, 5, 8),
	}
	// A later loop has replaced task-1 and needs-1; what passed needs no one.
	mixed := append(slices.Clone(want), of(at("task-1", GroupEnded, 2, 3), "plan"), of(at("needs-1", GroupEnded, 1, 2), "needs"), passed)
	slices.Reverse(mixed)
	var got []Run
	var titles []string
	for _, s := range Sections(mixed) {
		got, titles = append(got, s.Runs...), append(titles, fmt.Sprintf("%s %d %t", s.Title, s.Count, s.NeedsYou))
	}
	if diff := gocmp.Diff(want, got, gocmp.AllowUnexported(Run{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := gocmp.Diff([]string{"NEEDS YOU 5 true", "READY TO ACCEPT 2 false", "RUNNING 2 false", "WAITING 1 false", "ENDED 2 false"}, titles); diff != "" {
		t.Error(diff)
	}
}

// TestClosed holds what ends the need for a person after a loop has ended.
func TestClosed(t *testing.T) {
	t.Parallel()
	set := func(i Item, change func(*loop.State, *Facts)) Item { return changed(i, change) }
	inPlan := func(s *loop.State, _ *Facts) { s.Parent, s.Task.Plan = "p", &loop.InPlan{} }
	clashes := func(s *loop.State, _ *Facts) { s.Clash = new(loop.NewClash("main", "m", s.Commit, []string{"a.go"})) }
	answered := func(s *loop.State, _ *Facts) { s.Status, s.Reason, s.Unowned = loop.Paused, "", true }
	for name, c := range map[string]struct {
		item Item
		want Group
	}{
		"failed":                 {exhausted(), GroupNeedsYou},
		"failed, retried":        {set(exhausted(), func(s *loop.State, _ *Facts) { s.RetriedBy = "again" }), GroupEnded},
		"failed, archived":       {set(exhausted(), func(_ *loop.State, f *Facts) { f.Archived = true }), GroupEnded},
		"failed, its plan tells": {set(exhausted(), inPlan), GroupEnded},
		"aborted by a user":      {set(timedOut(), func(s *loop.State, _ *Facts) { s.Reason = loop.Manual }), GroupEnded},
		"failed elsewhere":       {set(exhausted(), func(s *loop.State, _ *Facts) { s.Reason = loop.Imported }), GroupEnded},
		"passed, of a plan":      {set(passed(), inPlan), GroupEnded},
		"passed, conflict":       {set(passed(), clashes), GroupNeedsYou},
		"conflict, retried":      {set(set(passed(), clashes), func(s *loop.State, _ *Facts) { s.RetriedBy = "again" }), GroupEnded},
		"conflict, accepted":     {set(set(passed(), clashes), func(s *loop.State, _ *Facts) { s.Accepted = "abc" }), GroupEnded},
		"passed, retried":        {set(passed(), func(s *loop.State, _ *Facts) { s.RetriedBy = "again" }), GroupReady},
		"passed by its agent":    {set(passed(), func(s *loop.State, _ *Facts) { s.Mode = loop.AgentDriven }), GroupEnded},
		"green before":           {alreadyGreen(), GroupEnded},
		"answered, not resumed":  {set(exhausted(), answered), GroupNeedsYou},
		"answered, running":      {set(set(exhausted(), answered), func(_ *loop.State, f *Facts) { f.Live = true }), GroupWaiting},
		"answered, of a plan":    {set(set(exhausted(), answered), inPlan), GroupWaiting},
		"paused by a user":       {set(set(exhausted(), answered), func(s *loop.State, _ *Facts) { s.Unowned = false }), GroupWaiting},
		"no login":               {set(limited(), func(s *loop.State, _ *Facts) { s.Reason = loop.ForLogin }), GroupNeedsYou},
	} {
		if got := c.item.Run(now).Group; got != c.want {
			t.Errorf("%s: %s", name, got.Title())
		}
	}
}

// TestCountsOf counts each run once by its group, and those of a plan with it.
func TestCountsOf(t *testing.T) {
	t.Parallel()
	o := ListOf(everyItem(), nil, now)
	want := Counts{NeedsYou: 5, Undecided: 3, Ready: 1, Running: 1, Waiting: 2, Ended: 1, Paused: 1, Crashed: 1, Passed: 2, Failed: 2, Aborted: 1, AtWork: 1}
	if o.Counts != want {
		t.Errorf("got %+v, want %+v", o.Counts, want)
	}
	if r := Summarize("", everyItem(), nil, now); r.Counts != want {
		t.Errorf("the report has %+v", r.Counts)
	}
	if all := want.NeedsYou + want.Ready + want.Running + want.Waiting + want.Ended; all != len(everyItem()) {
		t.Errorf("%d of %d", all, len(everyItem()))
	}
	inPlan := Run{ID: "t", Of: "p", Group: GroupNeedsYou, Status: Crashed}
	if c := CountsOf([]Run{{ID: "p", Plan: true, Group: GroupNeedsYou, Status: loop.Waiting}, inPlan}); c != (Counts{NeedsYou: 1}) {
		t.Errorf("a plan and its loop: %+v", c)
	}
	atWork := Run{ID: "u", Of: "p", Group: GroupRunning, Status: loop.Running}
	asks := Run{ID: "p", Plan: true, Group: GroupNeedsYou, Status: loop.Running}
	if c := CountsOf([]Run{asks, inPlan, atWork}); c != (Counts{NeedsYou: 1, AtWork: 1}) {
		t.Errorf("a plan that asks while a loop of it runs: %+v", c)
	}
}

// TestSummarize holds where each loop and task stands in the morning report.
func TestSummarize(t *testing.T) {
	t.Parallel()
	accepted := changed(passed(), func(s *loop.State, _ *Facts) { s.ID, s.Accepted = "home", "abc" })
	imported := changed(passed(), func(s *loop.State, _ *Facts) { s.ID, s.Reason = "imported", loop.Imported })
	r := Summarize("p", append(everyItem(), accepted, imported), []PlanItem{planItem("")}, now)
	ids := map[string][]string{}
	for name, all := range map[string][]Open{"needs": r.NeedsYou, "running": r.Running, "waiting": r.Waiting} {
		for _, o := range all {
			ids[name] = append(ids[name], o.LoopID)
		}
	}
	for _, o := range r.Ready {
		ids["ready"] = append(ids["ready"], o.LoopID)
	}
	for _, o := range r.Failed {
		ids["failed"] = append(ids["failed"], o.LoopID)
	}
	for _, o := range r.Accepted {
		ids["accepted"] = append(ids["accepted"], o.LoopID)
	}
	for name, want := range map[string][]string{
		"needs":    {crashed().State.ID, asking().State.ID, "shop-1c68-t2"},
		"running":  {atWork().State.ID},
		"ready":    {passed().State.ID, alreadyGreen().State.ID, "shop-1c68-t1"},
		"accepted": {"home"},
		"failed":   {exhausted().State.ID, stuckLoop().State.ID, timedOut().State.ID, "shop-1c68-t3", "shop-1c68-t4"},
	} {
		slices.Sort(want)
		got := slices.Sorted(slices.Values(ids[name]))
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if r.EndedAt != nil || r.StartedAt == nil || !r.Scripted || len(r.Plans) != 1 || len(r.Loops) != len(everyItem())+2+4 {
		t.Errorf("ended %v, started %v, scripted %t, %d loops", r.EndedAt, r.StartedAt, r.Scripted, len(r.Loops))
	}
	if !slices.ContainsFunc(r.LookTwice, func(n Note) bool { return n.LoopID == "imported" }) {
		t.Error("nothing about what another runner passed")
	}
}

// TestObject: the JSON of a loop shows unknown as null, never as zero or "".
func TestObject(t *testing.T) {
	t.Parallel()
	bare := LoopOf(Item{State: loop.New(spec("bare", "t"), time.Time{})}, now).Object()
	if bare.Commit != nil || bare.Owner != nil || bare.Question != nil || bare.EndedAt != nil || bare.Recovery != nil || bare.Accepted != nil || bare.ForcedOver != nil {
		t.Errorf("%+v", bare)
	}
	if bare.Gates == nil || bare.Attempts == nil || bare.Overlaps == nil || bare.Spent == nil || bare.Budgets == nil || bare.Fingerprints == nil {
		t.Error("a list is null")
	}
	for _, g := range bare.Gates {
		if g.Status != NotRun || g.Attempt != nil {
			t.Errorf("%+v", g)
		}
	}
	full := changed(crashed(), func(s *loop.State, f *Facts) {
		s.ForcedOver = 3
		f.Recovery = recovery.Restarts{Tries: 2, Next: clockAt(13, 0), Why: "no disk"}
		f.Budgets = []money.Balance{{Level: loop.TaskLevel}}
	})
	o := LoopOf(full, now).Object()
	if o.Status != Crashed || *o.ForcedOver != 3 || o.Paths == nil || o.Recovery.Tries != 2 || o.Recovery.NextAt == nil || len(o.Budgets) != 1 || *o.Owner == "" {
		t.Errorf("%+v", o)
	}
}

// TestRetriedLoops: a failed loop whose task another one does needs no attention, and is no task
// of its own.
func TestRetriedLoops(t *testing.T) {
	t.Parallel()
	old, accepted := exhausted(), passed()
	old.State.RetriedBy = accepted.State.ID
	r := Summarize("", []Item{old, accepted}, nil, now)
	if r.Total != 1 || r.Completed != 1 || len(r.failures(false)) != 0 || strings.Contains(r.verdict(), "failed") || !strings.Contains(r.verdict(), "1 retried") {
		t.Errorf("%d of %d, %q", r.Completed, r.Total, r.verdict())
	}
	if got := Markdown(r, now); strings.Contains(got, "require human attention") || !strings.Contains(got, "retried by "+accepted.State.ID) {
		t.Error(got)
	}
	if got := Markdown(Summarize("", []Item{old}, nil, now), now); strings.Contains(got, "No runs to report") {
		t.Error(got)
	}
}
