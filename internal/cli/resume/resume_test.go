package resume

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/cli/exit"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/recovery"
)

// TestFlagsForAnotherProcess: a process that resumes one of several runs gets the
// flags that apply to each of them.
func TestFlagsForAnotherProcess(t *testing.T) {
	t.Parallel()
	f := resumeFlags{Options: engine.Options{Now: true, Recovery: true, TakeOver: true, From: 3}, budget: []string{"+5USD"}}
	got := f.words()
	slices.Sort(got)
	if want := []string{"--now", "--rescue"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := (resumeFlags{}).words(); len(got) != 0 {
		t.Errorf("no flags: %v", got)
	}
}

// TestRunnable: gates of another runner's loop may be names only, which ralph
// cannot evaluate.
func TestRunnable(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		gates []loop.Gate
		want  bool
	}{
		"none":              {nil, false},
		"a command":         {[]loop.Gate{{Name: "tests", Run: "go test ./..."}}, true},
		"a name":            {[]loop.Gate{{Name: "tests", Run: "go test ./..."}, {Name: "promise"}}, false},
		"a person's answer": {[]loop.Gate{{Name: "ask", Kind: loop.KindAnswer}}, true},
		"a picture":         {[]loop.Gate{{Name: "page", Kind: loop.KindVisual}}, true},
	} {
		if got := runnable(c.gates); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestListed: without a terminal every crashed loop is named with its command.
func TestListed(t *testing.T) {
	t.Parallel()
	of := func(id string) engine.Loop {
		return engine.Loop{State: loop.State{Spec: loop.Spec{ID: id, Task: loop.Task{Text: "fix " + id}}}}
	}
	err := listed([]engine.Loop{of("one"), of("two")})
	f := exit.Classify(err)
	if f.Code != exit.Usage || !strings.Contains(f.Hint, "--crashed") {
		t.Errorf("%d %q", f.Code, f.Hint)
	}
	for _, want := range []string{"2 loops crashed", "ralph resume one   fix one", "ralph resume two   fix two"} {
		if !strings.Contains(f.Error(), want) {
			t.Errorf("%q lacks %q", f.Error(), want)
		}
	}
}

// TestDue: the recovery policy decides which crashed runs are resumed now, unless
// the user says so or paused the run.
func TestDue(t *testing.T) {
	t.Parallel()
	act := func(kind recovery.Kind, id string, verb recovery.Verb) recovery.Action {
		return recovery.Action{Run: recovery.Run{Kind: kind, ID: id}, Verb: verb}
	}
	l := crashedRun{kind: recovery.Loop, id: "a"}
	rests := crashedRun{kind: recovery.Plan, id: "a", rests: true}
	for name, c := range map[string]struct {
		run         crashedRun
		actions     []recovery.Action
		now         bool
		due, counts bool
	}{
		"resumed by the policy":       {l, []recovery.Action{act(recovery.Loop, "a", recovery.Resume)}, false, true, true},
		"waits for its back-off":      {l, nil, false, false, false},
		"left to the user":            {l, []recovery.Action{act(recovery.Loop, "a", recovery.Leave)}, false, false, false},
		"a plan of the same name":     {l, []recovery.Action{act(recovery.Plan, "a", recovery.Resume)}, false, false, false},
		"--now is not counted":        {l, []recovery.Action{act(recovery.Loop, "a", recovery.Resume)}, true, true, false},
		"a pause that the user asked": {rests, nil, false, true, false},
	} {
		out, rest := due([]crashedRun{c.run}, c.actions, c.now)
		if (len(out) == 1) != c.due || len(out)+len(rest) != 1 || c.due && (out[0].action != nil) != c.counts {
			t.Errorf("%s: due %d, rest %d", name, len(out), len(rest))
		}
	}
}

// TestAnew: a retry keeps the frozen task, gates and limits; only what was given
// replaces a part of them.
func TestAnew(t *testing.T) {
	t.Parallel()
	old := loop.Spec{
		ID: "old", Base: "b", Branch: "ralph/old", Sandbox: "off", Task: loop.Task{Text: "fix"},
		Limits: loop.Limits{MaxIterations: 5}, Budget: loop.Amounts{Attempts: 9, Tokens: 10},
	}
	got := anew(old, again{id: "new", base: "head", sandbox: "auto", writable: []string{"/x"}})
	want := old
	want.ID, want.RetryOf, want.Base, want.Branch = "new", "old", "head", "ralph/new"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("nothing given (-want +got):\n%s", diff)
	}
	got = anew(old, again{id: "new", base: "head", force: true, iterations: 3, budget: loop.Amounts{Attempts: 2}})
	if !got.Force || got.Limits.MaxIterations != 3 || got.Budget != (loop.Amounts{Attempts: 2, Tokens: 10}) {
		t.Errorf("given: %+v", got)
	}
	old.Sandbox = "" // made before there were any
	if got = anew(old, again{sandbox: "auto", writable: []string{"/x"}, asked: true}); got.Sandbox != "auto" || len(got.SandboxWrite) != 1 || !got.SandboxAsked {
		t.Errorf("without a sandbox: %+v", got)
	}
}

// TestEndedPlan: what is accepted is not said to have a rest.
func TestEndedPlan(t *testing.T) {
	t.Parallel()
	for want, l := range map[string]engine.Plan{
		"plan p has ended; ralph run p.md  # continues with the rest":                 {State: plan.State{Status: loop.StatusFailed}},
		"plan p has passed: there is nothing to resume; ralph accept p":               {State: plan.State{Status: loop.StatusPassed, Tip: "b"}},
		"plan p is accepted: there is nothing to resume; ralph archive p":             {State: plan.State{Status: loop.StatusPassed, Tip: "b", Accepted: "c"}},
		"plan p has passed and is archived: there is nothing to resume; ralph show p": {State: plan.State{Status: loop.StatusPassed, Tip: "b"}, RunFacts: engine.RunFacts{Archived: true}},
		"plan p is accepted and archived: there is nothing to resume; ralph show p":   {State: plan.State{Status: loop.StatusPassed, Tip: "b", Accepted: "c"}, RunFacts: engine.RunFacts{Archived: true}},
		"plan p has ended; ralph run p.md  # continues with the rest ":                {State: plan.State{Status: loop.StatusPassed, Reason: plan.PartDone, Tip: "b", Accepted: "c"}},
	} {
		l.State.ID = "p"
		f := exit.Classify(endedPlan(l, "ralph run p.md"))
		if got := f.Error() + "; " + f.Hint; got != strings.TrimSpace(want) || f.Code != exit.Usage {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestPassedLoop: the command that is left is to accept or to archive, not to do the work again.
func TestPassedLoop(t *testing.T) {
	t.Parallel()
	var passed loop.State
	passed.ID, passed.Base, passed.Commit = "l", "a", "b"
	passed.Status, passed.Reason = loop.StatusPassed, loop.Green
	accepted := passed
	accepted.Accepted = "c"
	for want, l := range map[string]engine.Loop{
		"loop l has passed: there is nothing to resume; ralph accept l":             {State: passed},
		"loop l is accepted: there is nothing to resume; ralph archive l":           {State: accepted},
		"loop l is accepted and archived: there is nothing to resume; ralph show l": {State: accepted, Facts: engine.Facts{RunFacts: engine.RunFacts{Archived: true}}},
	} {
		f := exit.Classify(passedLoop(l))
		if got := f.Error() + "; " + f.Hint; got != want || f.Code != exit.Usage {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
