package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
)

func gates(passed ...string) []loop.Result {
	var out []loop.Result
	for _, name := range []string{GateUnderstood, GateClarified, GatePlanned} {
		r := loop.Result{Gate: name, Verdict: loop.Failed}
		for _, p := range passed {
			if p == name {
				r.Verdict = loop.Passed
			}
		}
		out = append(out, r)
	}
	return out
}

// TestPhaseOf: each phase ends on its criterion and on nothing else.
func TestPhaseOf(t *testing.T) {
	t.Parallel()
	wrote := func(results ...[]loop.Result) *loop.State {
		l := &loop.State{Status: loop.Running, Step: loop.StepAgent}
		for _, r := range results {
			l.Recent = append(l.Recent, loop.Attempt{Results: r})
		}
		return l
	}
	at := func(step loop.Step) *loop.State { return &loop.State{Status: loop.Running, Step: step} }
	asks := func(l *loop.State) *loop.State {
		l.Questions = []loop.Question{{ID: "q1", Text: "Which?"}}
		return l
	}
	for name, row := range map[string]struct {
		task TaskState
		loop *loop.State
		want Phase
	}{
		"nobody has begun":                   {TaskState{Status: Pending}, nil, ""},
		"its plan is about to be written":    {TaskState{Status: Approving}, nil, Understand},
		"its agent reads":                    {TaskState{Status: Approving}, wrote(nil), Understand},
		"nothing was understood":             {TaskState{Status: Approving}, wrote(gates(GateClarified, GatePlanned), nil), Understand},
		"a question stands in the file":      {TaskState{Status: Approving}, wrote(gates(GateUnderstood, GatePlanned), nil), Clarify},
		"a question is asked":                {TaskState{Status: Approving}, asks(wrote(gates(GateUnderstood, GateClarified))), Clarify},
		"steps are missing":                  {TaskState{Status: Approving}, wrote(gates(), gates(GateUnderstood, GateClarified)), Design},
		"the gates have just passed":         {TaskState{Status: Approving}, wrote(gates(GateUnderstood, GateClarified, GatePlanned)), Design},
		"somebody is to agree":               {TaskState{Status: Approving, Passed: true, Rests: ForPerson}, nil, Approve},
		"it was agreed to":                   {TaskState{Status: Pending, Passed: true, Agreed: "x"}, nil, ""},
		"its loop is about to begin":         {TaskState{Status: Running}, nil, Execute},
		"its agent works":                    {TaskState{Status: Running}, at(loop.StepAgent), Execute},
		"its work is committed":              {TaskState{Status: Running}, at(loop.StepCommit), Execute},
		"its agent asks":                     {TaskState{Status: Running}, asks(at(loop.StepAgent)), Clarify},
		"a person is its last gate":          {TaskState{Status: Running}, asks(at(loop.StepGates)), Verify},
		"its gates run":                      {TaskState{Status: Running}, at(loop.StepGates), Verify},
		"its loop has ended":                 {TaskState{Status: Running}, at(loop.StepDone), Verify},
		"it is a plan":                       {TaskState{Status: Running, Child: true}, at(loop.StepGates), Execute},
		"it is reviewed":                     {TaskState{Status: InReview, Passed: true}, nil, Verify},
		"it waits to land":                   {TaskState{Status: Landing, Passed: true}, nil, Deliver},
		"who mends its landing asks":         {TaskState{Status: Landing}, asks(at(loop.StepAgent)), Clarify},
		"it has landed":                      {TaskState{Status: Done, Landed: "c"}, nil, ""},
		"it has failed, and asked before it": {TaskState{Status: Failed}, asks(at(loop.StepDone)), ""},
	} {
		if got := PhaseOf(row.task, row.loop); got != row.want {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
}

// TestPhases follows one task through its events.
func TestPhases(t *testing.T) {
	t.Parallel()
	passed := func(e Stopped) Stopped { e.Task, e.Status = "a", loop.StatusPassed; return e }
	asks := Stopped{Task: "a", Status: loop.Waiting, Reason: loop.ForHuman}
	p, got := Phases{}, []string{}
	for _, e := range []Event{
		Opened{},
		Planning{Task: "a"},
		asks, asks,
		Taken{Task: "a"},
		Taken{Task: "a"},
		passed(Stopped{}),
		Answered{Text: "smaller"},
		Planning{Task: "a"},
		passed(Stopped{Opinion: &Opinion{Approve: true}}),
		Started{Task: "a"},
		Started{Task: "b"},
		asks,
		Taken{Task: "a"},
		Stopped{Task: "a", Status: loop.StatusFailed},
		passed(Stopped{}),
		LandBegan{Task: "a"},
		asks,
		Taken{Task: "a"},
		Landed{Task: "a"},
		Stopped{Status: loop.StatusPassed},
	} {
		if task, phase := p.Enter(e); phase != "" {
			got = append(got, task+" "+string(phase))
		}
	}
	want := []string{
		"a understand", "a clarify", "a understand", "a approve",
		"a understand", "a execute", "b execute", "a clarify", "a execute",
		"a verify", "a deliver", "a clarify", "a deliver",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
