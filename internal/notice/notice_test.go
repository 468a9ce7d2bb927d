package notice_test

import (
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
	"ralph/internal/notice"
	"ralph/internal/plan"
)

var at = time.Date(2026, 11, 23, 2, 0, 0, 0, time.UTC)

// a loop in a state, with an id and a task.
func state(change func(*loop.State)) loop.State {
	s := loop.State{Spec: loop.Spec{ID: "t11", Task: loop.Task{ID: "T011", Text: "round prices"}}, Status: loop.Running, Iteration: 2, LastAt: at}
	change(&s)
	return s
}

func kinds(all []notice.Notice) string {
	var out []string
	for _, n := range all {
		out = append(out, string(n.Event))
	}
	return strings.Join(out, " ")
}

func TestOfLoop(t *testing.T) {
	t.Parallel()
	asks := loop.Question{ID: "q1", Text: "Round half up?", Options: []string{"yes", "no"}, AskedAt: at}
	inPlan := func(s *loop.State) { s.Parent, s.Task.Plan = "shop-plan", &loop.InPlan{} }
	for name, c := range map[string]struct {
		change               func(*loop.State)
		kind, title, command string
	}{
		"runs":            {func(*loop.State) {}, "", "", ""},
		"asks":            {func(s *loop.State) { s.Questions = []loop.Question{asks} }, "question", "shop · t11 — question", `ralph answer t11 "OPTION"`},
		"asks for a plan": {func(s *loop.State) { inPlan(s); s.Questions = []loop.Question{asks} }, "question", "shop · T011 — question", `ralph answer t11 "OPTION"`},
		"disputes": {func(s *loop.State) {
			q := asks
			q.Options = []string{loop.SayUphold, loop.SayDismiss}
			q.Dispute = &loop.Dispute{Gate: "tests"}
			s.Questions = []loop.Question{q}
		}, "dispute", "shop · t11 — disputes gate tests", `ralph answer t11 "OPTION"   # OPTION: uphold or dismiss`},
		"limited":          {func(s *loop.State) { s.Status, s.Reason = loop.Waiting, loop.ForLimit }, "limit_hit", "", ""},
		"no login":         {func(s *loop.State) { s.Status, s.Reason = loop.Waiting, loop.ForLogin }, "login_refused", "", "ralph resume t11 --now"},
		"plan, login":      {func(s *loop.State) { inPlan(s); s.Status, s.Reason = loop.Waiting, loop.ForLogin }, "login_refused", "", "ralph resume shop-plan --now"},
		"warned":           {func(s *loop.State) { s.Warned = []string{"task money"} }, "budget_warning", "", "ralph show t11"},
		"spent":            {func(s *loop.State) { s.Status, s.Reason = loop.Paused, loop.Budget }, "budget_spent", "", "ralph resume t11 --budget …"},
		"passed":           {func(s *loop.State) { s.Status = loop.StatusPassed }, "loop_passed", "shop · t11 — passed after 2 attempts", "ralph accept t11"},
		"passed in a plan": {func(s *loop.State) { inPlan(s); s.Status = loop.StatusPassed }, "", "", ""},
		"failed":           {func(s *loop.State) { s.Status, s.Reason, s.Iteration = loop.StatusFailed, loop.Stuck, 1 }, "loop_failed", "shop · t11 — failed after 1 attempt", "ralph show t11 --evidence"},
		"aborted by hand":  {func(s *loop.State) { s.Status, s.Reason = loop.Aborted, loop.Manual }, "", "", ""},
		"paused by hand":   {func(s *loop.State) { s.Status = loop.Paused }, "", "", ""},
	} {
		got := notice.OfLoop("shop", state(c.change))
		if kinds(got) != c.kind {
			t.Errorf("%s: %q, want %q", name, kinds(got), c.kind)
			continue
		}
		if len(got) == 0 {
			continue
		}
		if n := got[0]; c.title != "" && n.Title != c.title || n.Command != c.command {
			t.Errorf("%s: %q with %q, want %q with %q", name, n.Title, n.Command, c.title, c.command)
		}
	}
}

// TestSharedBudget: of the budget of a plan each of its loops knows, and it is told once.
func TestSharedBudget(t *testing.T) {
	t.Parallel()
	key := func(id string) string {
		return notice.OfLoop("shop", state(func(s *loop.State) { s.ID, s.Parent, s.Warned = id, "p", []string{"plan money"} }))[0].Key
	}
	if key("a") != key("b") {
		t.Errorf("told twice: %q, %q", key("a"), key("b"))
	}
}

func TestOfPlan(t *testing.T) {
	t.Parallel()
	s := plan.State{ID: "p", Status: loop.StatusFailed, Reason: plan.SomeFailed, Message: "1 task failed", StartedAt: at, EndedAt: at.Add(8 * time.Hour), Tasks: []plan.TaskState{
		{ID: "a", Status: plan.Done}, {ID: "b", Status: plan.Failed, Message: "stuck", Loop: "p-b"}, {ID: "gone", Gone: true},
	}}
	got := notice.OfPlan("shop", s)
	if kinds(got) != "plan_ended" {
		t.Fatal(kinds(got))
	}
	n := got[0]
	if n.Title != "shop · p — failed: 1 of 2 done, 1 failed" || n.Command != "ralph show p-b" || n.Severity != notice.Warn || !strings.Contains(n.Body, "b: stuck") {
		t.Errorf("%+v", n)
	}
	again := s
	again.EndedAt = s.EndedAt.Add(time.Hour)
	if notice.OfPlan("shop", again)[0].Key == n.Key {
		t.Error("a plan that is run again does not end again")
	}
	s.Status, s.Reason = loop.Running, ""
	s.Questions = []plan.Question{{Question: loop.Question{ID: "q1", Text: "b failed", Options: []string{"skip", "retry"}}, Task: "b"}}
	got = notice.OfPlan("shop", s)
	if kinds(got) != "question" || got[0].Command != `ralph answer p --task b "OPTION"` || got[0].Options[1] != "retry" {
		t.Errorf("%+v", got)
	}
}

// TestHostileText: what an agent writes stays on its line, short, and without control
// characters.
func TestHostileText(t *testing.T) {
	t.Parallel()
	evil := "a\nCommand: rm -rf\x1b]52;c;x\a\r\nX-Header: 1\x00\u202e" + strings.Repeat("long ", 1000)
	got := notice.OfLoop(evil, state(func(s *loop.State) {
		s.Questions = []loop.Question{{ID: "q1", Text: evil, Options: []string{evil, "no"}}}
	}))[0].Identify("home").Masked(func(s string) string { return strings.ReplaceAll(s, "rm", "(key)") })
	if strings.ContainsAny(got.Title, "\n\r\x1b\x00\a") || strings.ContainsAny(got.Body, "\r\x1b\x00\a") || strings.Count(got.Body, "\n") != 1 {
		t.Errorf("%q\n%q", got.Title, got.Body)
	}
	if len(got.Title) > 400 || len(got.Body) > 1600 || !strings.Contains(got.Body, "(key)") || strings.Contains(got.Body, "\u202e") {
		t.Errorf("%d %d %q", len(got.Title), len(got.Body), got.Body)
	}
}

// TestMaskedBeforeCut: a secret that the end of a line would cut is masked whole.
func TestMaskedBeforeCut(t *testing.T) {
	t.Parallel()
	const key = "ghp_0123456789abcdef0123456789abcdef0123"
	mask := func(s string) string { return strings.ReplaceAll(s, key, "***") }
	for before := 240; before < 310; before++ {
		q := loop.Question{ID: "q1", Text: strings.Repeat("x", before) + " " + key + " and more of it", Options: []string{"a\x1b[31m" + key}, AskedAt: at}
		n := notice.OfLoop("shop", state(func(s *loop.State) { s.Questions = []loop.Question{q} }))[0].Masked(mask)
		if strings.Contains(n.Body, "ghp_") || strings.ContainsAny(n.Options[0], "\x1b") {
			t.Fatalf("%d: %q %q", before, n.Body, n.Options)
		}
	}
}

// TestAskedAgain: a run that is begun anew asks another question with the same id.
func TestAskedAgain(t *testing.T) {
	t.Parallel()
	key := func(asked time.Time) string {
		q := loop.Question{ID: "q1", Text: "Drop it?", AskedAt: asked}
		return notice.OfLoop("shop", state(func(s *loop.State) { s.Questions = []loop.Question{q} }))[0].Key
	}
	if once, twice := key(at), key(at); once != twice || once == key(at.Add(time.Nanosecond)) {
		t.Error("questions of two runs are one")
	}
}

func TestJoin(t *testing.T) {
	t.Parallel()
	var all []notice.Notice
	for range 100 {
		all = append(all, notice.OfLoop("shop", state(func(s *loop.State) { s.Status = loop.StatusPassed }))[0].Identify("h"))
	}
	all = append(all, notice.OfLoop("shop", state(func(s *loop.State) { s.Questions = []loop.Question{{ID: "q1", Text: "?"}} }))[0].Identify("h"))
	n := notice.Join(all)
	if n.Event != notice.Several || n.Count != 101 || n.Severity != notice.Action || n.Title != "shop — 101 events, 1 needs you" {
		t.Errorf("%+v", n)
	}
	if !strings.HasPrefix(n.Body, "t11 — question\n  ralph answer") || !strings.HasSuffix(n.Body, "and 91 more") || len(n.Body) > 1500 {
		t.Errorf("%q", n.Body)
	}
	if n.Run != "t11" || n.RunKind != "loop" || !strings.HasPrefix(n.Command, "ralph answer t11") || len(n.Events) != 101 || n.Events[0] != notice.Question {
		t.Errorf("%+v", n)
	}
	if one := notice.Join(all[:1]); one.Event == notice.Several {
		t.Error("one notice is no digest")
	}
}

// TestJoinOfOneRun: where all of a message is about a plan and its loops, programs get its id
// and the command for it; its text names each command once.
func TestJoinOfOneRun(t *testing.T) {
	t.Parallel()
	plan := notice.Notice{ID: "1", Event: notice.PlanEnded, Run: "p", RunKind: "plan", Project: "shop", Title: "shop · p — failed", Command: "ralph show p-a"}
	failed := notice.Notice{ID: "2", Event: notice.LoopFailed, Severity: notice.Action, Run: "p-a", RunKind: "loop", Plan: "p", Task: "a", Project: "shop", Title: "shop · a — failed", Command: "ralph show p-a --evidence"}
	other := notice.Notice{ID: "3", Event: notice.LoopFailed, Run: "x", RunKind: "loop", Project: "shop", Title: "shop · x — failed", Command: "ralph show x"}
	n := notice.Join([]notice.Notice{failed, plan})
	if n.Event != notice.Several || n.Run != "p" || n.RunKind != "plan" || n.Command != "ralph show p-a" || len(n.Events) != 2 {
		t.Errorf("%+v", n)
	}
	if n.Text() != n.Body || strings.Count(n.Body, "ralph show p-a\n") > 1 {
		t.Errorf("%q", n.Text())
	}
	if n := notice.Join([]notice.Notice{failed, {ID: "4", Event: notice.LoopFailed, Run: "p-b", RunKind: "loop", Plan: "p"}}); n.Run != "p" || n.Command != "ralph show p-a --evidence" {
		t.Errorf("of its loops only: %+v", n)
	}
	if n := notice.Join([]notice.Notice{failed, other}); n.Run != "" || n.Command != "" {
		t.Errorf("of two runs: %+v", n)
	}
}

func TestOverAndRestart(t *testing.T) {
	t.Parallel()
	hit := notice.OfLoop("shop", state(func(s *loop.State) { s.Status, s.Reason, s.Agent.Name = loop.Waiting, loop.ForThrottle, "claude" }))[0]
	over := notice.Over(hit, at)
	if over.Event != notice.LimitOver || over.Key == hit.Key || over.Title != "shop · t11 — limit over" {
		t.Errorf("%+v", over)
	}
	r := notice.OfRestart("shop", notice.Restart{Run: "t11", Kind: "loop", Try: 2, Why: "its process is gone", At: at})
	left := notice.OfRestart("shop", notice.Restart{Run: "t11", Kind: "loop", Left: true, Why: "its process is gone", At: at})
	if r.Event != notice.Recovered || r.Body != "its process is gone (try 2)" || left.Event != notice.GivenUp || left.Command != "ralph resume t11" {
		t.Errorf("%+v\n%+v", r, left)
	}
}
