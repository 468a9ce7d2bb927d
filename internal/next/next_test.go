package next

import (
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// TestLoop holds what to type for a loop, by what is known of it.
func TestLoop(t *testing.T) {
	t.Parallel()
	task := func(st loop.Status) loop.State {
		return loop.State{Status: st, Spec: loop.Spec{Parent: "p", Task: loop.Task{Plan: &loop.InPlan{}}}}
	}
	asks := func(q loop.Question) loop.State {
		q.ID = "q1"
		return loop.State{Status: loop.Waiting, Reason: loop.ForHuman, Questions: []loop.Question{q}}
	}
	clashes := loop.State{Status: loop.StatusPassed, Reason: loop.Green, Commit: "c", Clash: &loop.Clash{Work: "c"}}
	again := clashes
	again.RetriedBy = "m"
	unproved := func(p loop.Proof) loop.State {
		return loop.State{Status: loop.StatusFailed, Reason: loop.MaxAttempts, FailureRef: "wip/x", Recent: []loop.Attempt{{N: 1, FailedGate: loop.FailedProof, Proof: &p}}}
	}
	for name, c := range map[string]struct {
		s    loop.State
		f    Facts
		want string
	}{
		"runs":                         {s: loop.State{Status: loop.Running}},
		"begins in another":            {s: loop.State{Status: loop.Pending}, f: Facts{Live: true}},
		"not begun":                    {s: loop.State{Status: loop.Pending}, want: "ralph resume l"},
		"crashed":                      {s: loop.State{Status: loop.Running}, f: Facts{Crashed: true}, want: "ralph resume l"},
		"crashed, and asks":            {s: loop.State{Status: loop.Running, Questions: []loop.Question{{ID: "q1", Options: []string{"yes", "no"}}}}, f: Facts{Crashed: true}, want: `ralph answer l "OPTION"`},
		"crashed while it waited":      {s: loop.State{Status: loop.Waiting, Reason: loop.ForLimit, Wake: time.Unix(1, 0)}, f: Facts{Crashed: true}, want: "ralph resume l"},
		"at a limit":                   {s: loop.State{Status: loop.Waiting, Reason: loop.ForLimit}, want: "ralph resume l --now"},
		"asks":                         {s: asks(loop.Question{}), want: `ralph answer l "…"`},
		"asks, with a default":         {s: asks(loop.Question{Default: "yes, do"}), want: `ralph answer l "yes, do"`},
		"asks, default is a trap":      {s: asks(loop.Question{Default: "$(rm -r .)"}), want: `ralph answer l "…"`},
		"asks for work":                {s: asks(loop.Question{Work: true}), want: "ralph answer l done"},
		"passed":                       {s: loop.State{Status: loop.StatusPassed}, want: "ralph accept l"},
		"passed and accepted":          {s: loop.State{Status: loop.StatusPassed, Accepted: "abc"}, want: "ralph archive l"},
		"met a conflict":               {s: clashes, want: "ralph retry l"},
		"met it, done again":           {s: again, want: "ralph show m"},
		"unproved tests":               {s: unproved(loop.Proof{Why: loop.OnlyTests}), want: "ralph retry l --with-work --kind chore"},
		"unproved documents":           {s: unproved(loop.Proof{Undone: []string{"docs/usage.md", "docs/a.txt", "README.rst"}, UndoneCount: 3}), want: "ralph retry l --with-work --kind docs"},
		"more than is listed":          {s: unproved(loop.Proof{Undone: []string{"docs/usage.md"}, UndoneCount: 2}), want: "ralph show l --evidence"},
		"unproved product":             {s: unproved(loop.Proof{Undone: []string{"docs/usage.md", "a.py"}, UndoneCount: 2}), want: "ralph show l --evidence"},
		"failed, done again":           {s: loop.State{Status: loop.StatusFailed, Reason: loop.MaxAttempts, RetriedBy: "m"}, want: "ralph show m"},
		"in another runner":            {s: loop.State{Status: loop.StatusFailed, Reason: loop.Imported}, want: "ralph show l"},
		"its session is spent":         {s: loop.State{Status: loop.Paused, Reason: loop.Budget, SpentLevel: loop.SessionLevel}, want: "ralph resume l"},
		"aborted by its budget":        {s: loop.State{Status: loop.Aborted, Reason: loop.Budget}, want: "ralph retry l --budget …"},
		"aborted by its agent":         {s: loop.State{Status: loop.Aborted, Reason: loop.Manual, Spec: loop.Spec{Mode: loop.AgentDriven}}, want: "ralph archive l"},
		"a task, crashed":              {s: task(loop.Running), f: Facts{Crashed: true}, want: "ralph resume p"},
		"a task runs":                  {s: task(loop.Running)},
		"a task, paused":               {s: task(loop.Paused), want: "ralph resume p"},
		"a task, failed":               {s: task(loop.StatusFailed), want: "ralph show l --evidence"},
		"a task, passed":               {s: task(loop.StatusPassed), want: "ralph show p"},
		"failed":                       {s: loop.State{Status: loop.StatusFailed, Reason: loop.AgentError}, want: "ralph logs l"},
		"failed in its set-up":         {s: loop.State{Status: loop.StatusFailed, Reason: loop.SetupError}, want: "ralph doctor"},
		"paused, its budget spent":     {s: loop.State{Status: loop.Paused, Reason: loop.Budget}, want: "ralph resume l --budget …"},
		"paused, its own budget spent": {s: loop.State{Status: loop.Paused, Reason: loop.Budget, SpentLevel: loop.TaskLevel, Spec: loop.Spec{Budget: loop.Amounts{MoneyMicroUSD: 1_250_000}}}, want: "ralph resume l --budget 2.5USD"},
		"aborted by its own tokens":    {s: loop.State{Status: loop.Aborted, Reason: loop.Budget, SpentLevel: loop.TaskLevel, Spec: loop.Spec{Budget: loop.Amounts{Tokens: 1000}}}, want: "ralph retry l --budget tokens=2000"},
		"its own budget has two parts": {s: loop.State{Status: loop.Paused, Reason: loop.Budget, SpentLevel: loop.TaskLevel, Spec: loop.Spec{Budget: loop.Amounts{Tokens: 1000, Attempts: 2}}}, want: "ralph resume l --budget …"},
		"green before any work": {
			s:    loop.State{Status: loop.StatusPassed, Reason: loop.AlreadyGreen, Spec: loop.Spec{Task: loop.Task{Text: "x"}, Gates: []loop.Gate{{Run: "make"}}}},
			want: "ralph run 'x' --until 'make' --force",
		},
	} {
		c.s.ID = "l"
		if got := Loop(c.s, c.f); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// TestPlan holds what to type for a plan.
func TestPlan(t *testing.T) {
	t.Parallel()
	failed := []plan.TaskState{{ID: "a", Status: plan.Failed, Loop: "p-a"}}
	waits := []plan.TaskState{{ID: "a", Status: plan.Running, Loop: "p-a", Rests: loop.ForHuman}}
	for name, c := range map[string]struct {
		s    plan.State
		f    PlanFacts
		want string
	}{
		"runs":                  {s: plan.State{Status: loop.Running}},
		"crashed":               {s: plan.State{Status: loop.Running}, f: PlanFacts{Crashed: true}, want: "ralph resume p"},
		"a task asks":           {s: plan.State{Status: loop.Running}, f: PlanFacts{Asks: []string{"ralph answer p-a 1"}}, want: "ralph answer p-a 1"},
		"a task waits":          {s: plan.State{Status: loop.Waiting, Tasks: waits}, want: `ralph answer p-a "…"`},
		"a task is at a limit":  {s: plan.State{Status: loop.Running}, f: PlanFacts{AtLimit: true}, want: "ralph resume p --now"},
		"all is answered":       {s: plan.State{Status: loop.Waiting, Reason: loop.ForHuman}, f: PlanFacts{Answered: true}, want: "ralph resume p"},
		"paused":                {s: plan.State{Status: loop.Paused}, want: "ralph resume p"},
		"passed":                {s: plan.State{Status: loop.StatusPassed, Tip: "b"}, want: "ralph accept p"},
		"passed and accepted":   {s: plan.State{Status: loop.StatusPassed, Tip: "b", Accepted: "c"}},
		"passed, nothing new":   {s: plan.State{Status: loop.StatusPassed}},
		"a part of it is done":  {s: plan.State{Status: loop.StatusPassed, Reason: plan.PartDone}, want: "ralph run p.md"},
		"some tasks of it":      {s: plan.State{Status: loop.StatusPassed, Reason: plan.PartDone, Rules: plan.Rules{Flags: []string{"--task", "b", "--parallel", "2", "--task", "c"}}}, want: "ralph run p.md --parallel 2"},
		"not proved":            {s: plan.State{Status: loop.StatusFailed, Reason: plan.Unproved, Final: "p-final"}, want: "ralph show p-final --evidence"},
		"a task failed":         {s: plan.State{Status: loop.StatusFailed, Tasks: failed}, want: "ralph show p-a"},
		"a task never began":    {s: plan.State{Status: loop.StatusFailed, Tasks: failed}, f: PlanFacts{Absent: map[string]bool{"p-a": true}}, want: "ralph run p.md"},
		"aborted by its budget": {s: plan.State{Status: loop.Aborted, Reason: loop.Budget, Rules: plan.Rules{Attempts: 4}}, want: "ralph run p.md --budget …"},
	} {
		c.s.ID, c.s.File = "p", "p.md"
		if got := Plan(c.s, c.f); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// TestEveryStop walks every status, reason and fact: a run that stands still names a
// command, and a run that a process drives names none.
func TestEveryStop(t *testing.T) {
	t.Parallel()
	reasons := loop.Reasons()
	reasons[loop.Running], reasons[loop.Pending], reasons[loop.Paused] = []loop.Reason{""}, []loop.Reason{""}, []loop.Reason{"", loop.Budget, loop.ForLimit}
	for status, all := range reasons {
		for _, r := range all {
			for _, mode := range []loop.Mode{loop.Supervised, loop.AgentDriven} {
				for _, f := range []Facts{{}, {Live: true}, {Crashed: true}} {
					s := loop.State{Spec: loop.Spec{ID: "l", Mode: mode}, Status: status, Reason: r}
					runs := !f.Crashed && (status == loop.Running || status == loop.Pending && f.Live)
					if got := Loop(s, f); runs != (got == "") || !runs && !strings.HasPrefix(got, "ralph ") {
						t.Errorf("%s/%s %s %+v: %q", status, r, mode, f, got)
					}
					p := plan.State{ID: "p", File: "p.md", Base: "a", Tip: "b", Status: status, Reason: r}
					if got := Plan(p, PlanFacts{Live: f.Live, Crashed: f.Crashed}); got != "" && !strings.HasPrefix(got, "ralph ") || got == "" && status.Terminal() {
						t.Errorf("plan %s/%s %+v: %q", status, r, f, got)
					}
				}
			}
		}
	}
}

// TestTake holds when a part of a plan's work may be accepted.
func TestTake(t *testing.T) {
	t.Parallel()
	s := plan.State{ID: "p", Status: loop.Aborted, Base: "a", Tip: "b"}
	if got := Take(s, false); got != "ralph accept p" {
		t.Error(got)
	}
	passed, accepted, empty := s, s, s
	passed.Status, accepted.Accepted, empty.Tip = loop.StatusPassed, "c", "a"
	for _, other := range []plan.State{passed, accepted, empty} {
		if got := Take(other, false); got != "" {
			t.Errorf("%+v: %s", other, got)
		}
	}
	if got := Take(s, true); got != "" {
		t.Error(got)
	}
}

// TestAnswer holds how one of several questions of a plan is answered.
func TestAnswer(t *testing.T) {
	t.Parallel()
	for want, q := range map[string]plan.Question{
		`ralph answer p --task a "…"`:      {Task: "a"},
		`ralph answer p --task 'a b' "…"`:  {Task: "a b"},
		`ralph answer p --question q1 "…"`: {Question: loop.Question{ID: "q1"}},
	} {
		if got := AnswerOwn("p", q); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestProposal: an agent writes the default, a person pastes the command.
func TestProposal(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"half up": `"half up"`, "": `"…"`, "$(rm -rf ~)": `"…"`, "`id`": `"…"`, `a"; rm b; "`: `"…"`, "-rf": `"…"`, "ja, ü": `"ja, ü"`,
	} {
		if got := proposal(&loop.Question{Default: in}); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
	if got := proposal(&loop.Question{Work: true}); got != "done" {
		t.Error(got)
	}
}

// TestSpentPlanNamesItsFlag: what to type names what was used up.
func TestSpentPlanNamesItsFlag(t *testing.T) {
	t.Parallel()
	rules := plan.Rules{Attempts: 4}
	spent := plan.TaskState{ID: "a", Status: plan.Failed, Reason: loop.Budget, Loop: "p-a"}
	for _, row := range []struct {
		s    plan.State
		want string
	}{
		{plan.State{Status: loop.Aborted, Attempts: 1, Rules: rules, Tasks: []plan.TaskState{spent}}, "ralph run p.md --budget …"},
		{plan.State{Status: loop.Aborted, Attempts: 4, Rules: rules, Tasks: []plan.TaskState{spent}}, "ralph run p.md --budget …"},
		{plan.State{Status: loop.Aborted, Attempts: 4, Rules: rules}, "ralph run p.md --max-attempts …"},
		{plan.State{Status: loop.Paused, Attempts: 1, Rules: rules}, "ralph resume p --budget …"},
	} {
		row.s.ID, row.s.File, row.s.Reason = "p", "p.md", loop.Budget
		if got := Plan(row.s, PlanFacts{}); got != row.want {
			t.Errorf("%+v: %q, want %q", row.s, got, row.want)
		}
	}
}

// TestTask holds what to type for a task of a plan.
func TestTask(t *testing.T) {
	t.Parallel()
	of := func(st plan.Status) plan.TaskState { return plan.TaskState{Status: st, Loop: "p-a"} }
	repaired := of(plan.Failed)
	repaired.Repair = "p-a-fix"
	for name, c := range map[string]struct {
		task plan.TaskState
		f    TaskFacts
		want string
	}{
		"failed":                      {task: of(plan.Failed), want: "ralph show p-a"},
		"failed to land":              {task: repaired, want: "ralph show p-a-fix"},
		"failed with no run":          {task: plan.TaskState{Status: plan.Failed}, want: "ralph show p"},
		"runs":                        {task: of(plan.Running)},
		"runs, a command of its loop": {task: of(plan.Running), f: TaskFacts{Loop: "ralph resume p-a"}},
		"asks":                        {task: of(plan.Running), f: TaskFacts{Asks: true}, want: `ralph answer p-a "…"`},
		"asks, its loop was read":     {task: of(plan.Running), f: TaskFacts{Asks: true, Loop: "ralph answer p-a done"}, want: "ralph answer p-a done"},
		"a loop inside it asks":       {task: of(plan.Running), f: TaskFacts{Asks: true, Asker: "p-a-b"}, want: `ralph answer p-a-b "…"`},
	} {
		c.f.Plan = "p"
		if got := Task(c.task, c.f); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// TestPathsAreWords: the name of a file comes from a repository, and a command is pasted.
func TestPathsAreWords(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"plan.md":                "ralph run plan.md",
		"x;touch${IFS}pwn;.md":   "ralph run 'x;touch${IFS}pwn;.md'",
		"-p $(id).md":            "ralph run './-p $(id).md'",
		"-x.md":                  "ralph run './-x.md'",
		"it's.md":                `ralph run 'it'\''s.md'`,
		"a\x1b]0;x\x07\nplan.md": `ralph run "…"`,
	} {
		if got := Run(file); got != want {
			t.Errorf("%q: %s, want %s", file, got, want)
		}
	}
}

// TestPermitted: what failed only for judge files is tried again with permission for them.
func TestPermitted(t *testing.T) {
	t.Parallel()
	refused := func(files ...string) loop.Result {
		return loop.Result{Gate: "tests", Level: loop.Hard, Verdict: loop.Failed, Judging: &loop.Judging{Verdict: loop.Failed, SetAside: files, Changed: len(files)}}
	}
	cut, lost, red := refused("a_test.go"), refused("a_test.go"), refused("a_test.go")
	cut.Judging.Changed = 60
	lost.Judging.Verdict, lost.Reason = loop.Passed, "tests are missing ("+loop.RemedyLost+")"
	red.Judging = nil
	for name, c := range map[string]struct {
		results []loop.Result
		want    string
	}{
		"one file":        {[]loop.Result{refused("a_test.go")}, "ralph retry x --with-work --may-change a_test.go"},
		"of two gates":    {[]loop.Result{refused("b test.go"), refused("a_test.go")}, "ralph retry x --with-work --may-change a_test.go --may-change 'b test.go'"},
		"a removed test":  {[]loop.Result{lost}, "ralph retry x --with-work --may-change a_test.go"},
		"more than named": {[]loop.Result{cut}, `ralph retry x --with-work --may-change "…"`},
		"a pattern":       {[]loop.Result{refused("a[1].go")}, `ralph retry x --with-work --may-change "…"`},
		"red by itself":   {[]loop.Result{refused("a_test.go"), red}, ""},
		"nothing":         {nil, ""},
	} {
		s := loop.State{Spec: loop.Spec{ID: "x"}, Status: loop.StatusFailed, FailureRef: "wip/x", Recent: []loop.Attempt{{N: 1, Results: c.results}}}
		if got := Permitted(s); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		s.FailureRef = ""
		if got := Permitted(s); got != "" {
			t.Errorf("%s, and no work is kept: %q", name, got)
		}
	}
}
