package view

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

func TestConcernsAreLines(t *testing.T) {
	t.Parallel()
	all := []loop.Concern{{Code: loop.ConcernJudges, What: "a\nlook: nothing\u2028b\x1b[2Kc\u202e.py"}}
	want := []loop.Concern{{Code: loop.ConcernJudges, What: "a␊look: nothing\\u2028b␛[2Kc\\u202e.py"}}
	if got := Concerns(all); !slices.Equal(got, want) || all[0].What == want[0].What {
		t.Errorf("%q of %q", got, all)
	}
}

// looked is a loop that passed and has something to look at, with a part of its evidence
// changed.
func looked(id string) Item {
	i := passed()
	i.State.ID, i.State.Proof = id, loop.ProofRequired
	a := i.State.Last()
	a.Proof, a.Obeyed, a.Secrets = nil, []string{"ralph.yaml (decides how later work is judged and sandboxed)"}, []string{"token in a.go:3"}
	i.Facts.Changed = []string{"attempts/1/tests.log"}
	return i
}

// lookedPlan has two tasks of such loops, the second of which was deleted.
func lookedPlan() PlanItem {
	i := completePlan()
	one := looked("done-2222-t1")
	one.State.Parent, one.State.Task.Plan = i.State.ID, &loop.InPlan{}
	look := plan.Codes(one.State.Concerns())
	i.State.Tasks = []plan.TaskState{
		{ID: "T1", Status: plan.Done, Loop: one.State.ID, Landed: "1", Concerns: look},
		{ID: "T2", Status: plan.Done, Loop: "done-2222-t2", Landed: "2", Concerns: string(loop.ConcernSecrets)},
	}
	i.Loops = []Item{one}
	return i
}

// TestLookIsOneList: what a person should look at is the same in the text and the JSON of a
// run, in its report and in the action that accepts it, for loops and for plans.
func TestLookIsOneList(t *testing.T) {
	t.Parallel()
	l, p := looked("a"), lookedPlan()
	if want := []loop.ConcernCode{loop.ConcernUnproved, loop.ConcernSecrets, loop.ConcernObeyed, loop.ConcernEvidence, loop.ConcernSoft}; !slices.Equal(codesOf(l.Look()), want) {
		t.Errorf("a loop: %v", l.Look())
	}
	if want := []loop.ConcernCode{loop.ConcernUnproved, loop.ConcernSecrets, loop.ConcernSecrets, loop.ConcernObeyed, loop.ConcernSoft, loop.ConcernEvidence, loop.ConcernEvidence}; !slices.Equal(codesOf(p.Look()), want) {
		t.Errorf("a plan: %v", p.Look())
	}
	part := lookedPlan()
	part.State.Status, part.State.Reason, part.State.Message, part.State.Base, part.State.Tip = loop.StatusFailed, plan.SomeFailed, "1 of 3 tasks failed (T3)", "a", "b"
	if got := part.Look(); got[0] != (loop.Concern{Code: loop.ConcernPartial, What: "the plan is not complete (1 of 3 tasks failed (T3)); what landed of it passed its gates"}) || !slices.Equal(got[1:], p.Look()) {
		t.Errorf("a plan of which a task failed: %v", got)
	}
	if text := PlanOf(part, now).Show(now, Palette{Width: 80}); !strings.Contains(text, "\n  ! look: unproved: T1\n") {
		t.Errorf("show does not tell what is unproved:\n%s", text)
	}
	loopView, planView := LoopOf(l, now), PlanOf(p, now)
	for name, c := range map[string]struct {
		want    []loop.Concern
		text    string
		object  any
		summary Summary
		actions []Action
	}{
		"loop": {l.Look(), loopView.Show(now, Palette{Width: 1 << 12}), loopView.Object(), Summarize("", []Item{l}, nil, now), loopView.Actions()},
		"plan": {p.Look(), planView.Show(now, Palette{Width: 1 << 12}), planView.Object, Summarize("", nil, []PlanItem{p}, now), planView.Actions()},
	} {
		data, err := json.Marshal(c.object)
		if err != nil {
			t.Fatal(err)
		}
		var o struct{ Look []loop.Concern }
		if err := json.Unmarshal(data, &o); err != nil || !slices.Equal(o.Look, c.want) {
			t.Errorf("the JSON of a %s has %v, want %v, %v", name, o.Look, c.want, err)
		}
		i := slices.IndexFunc(c.actions, func(a Action) bool { return a.Verb == DoAccept })
		if i < 0 || !slices.Equal(c.actions[i].Look, c.want) {
			t.Errorf("the actions of a %s: %+v", name, c.actions)
		}
		for _, look := range c.want {
			if look.Code != loop.ConcernUnproved && !strings.Contains(c.text, look.What) {
				t.Errorf("show of a %s lacks %q:\n%s", name, look.What, c.text)
			}
			if !slices.ContainsFunc(c.summary.LookTwice, func(n Note) bool { return strings.HasSuffix(look.What, n.Note) }) {
				t.Errorf("the report of a %s lacks %q: %v", name, look.What, c.summary.LookTwice)
			}
		}
	}
}

// TestLookOfLandedLoops: a plan that is shown alone tells the same as one of which all loops were
// read; where no loop was read, it names the tasks.
func TestLookOfLandedLoops(t *testing.T) {
	t.Parallel()
	whole := lookedPlan()
	alone, light := whole, whole
	alone.Loops, alone.Whole = nil, false
	alone.Facts.Landed = map[string]Item{whole.Loops[0].State.ID: whole.Loops[0], "done-2222-t2": {}}
	if !slices.Equal(alone.Look(), whole.Look()) {
		t.Errorf("shown alone: %v, want %v", alone.Look(), whole.Look())
	}
	light.Loops, light.Whole = nil, false
	for _, c := range light.Look() {
		if task, words, _ := strings.Cut(c.What, ": "); words != c.Code.Words() || task != "T1" && task != "T2" {
			t.Errorf("without loops: %+v", c)
		}
	}
}

func codesOf(all []loop.Concern) (codes []loop.ConcernCode) {
	for _, c := range all {
		codes = append(codes, c.Code)
	}
	return codes
}
