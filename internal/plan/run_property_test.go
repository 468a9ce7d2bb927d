package plan

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ralph/internal/loop"
)

// game plays a run of a plan with a world that answers at random.
type game struct {
	t     *rapid.T
	g     *Graph
	plan  Plan
	s     State
	clock time.Time
	n     int
}

func anyPlan(t *rapid.T) Plan {
	p := Plan{Title: "plan"}
	for i := range rapid.IntRange(1, 8).Draw(t, "tasks") {
		task := Task{ID: fmt.Sprintf("t%d", i), Title: "task", Phase: rapid.IntRange(0, 2).Draw(t, "phase")}
		for j := range i {
			if rapid.IntRange(0, 3).Draw(t, "needs") == 0 {
				task.Needs = append(task.Needs, Need{On: fmt.Sprintf("t%d", j), Why: Stated})
			}
		}
		if rapid.Bool().Draw(t, "files") {
			task.Files = []string{rapid.SampledFrom([]string{"a.go", "b.go", "dir/**"}).Draw(t, "file")}
		}
		p.Tasks = append(p.Tasks, task)
	}
	return p
}

func newGame(t *rapid.T) *game {
	p := anyPlan(t)
	g, err := p.Graph()
	if err != nil {
		t.Fatal(err)
	}
	r := Rules{
		Parallel: rapid.IntRange(1, 4).Draw(t, "parallel"), PerTask: rapid.IntRange(1, 3).Draw(t, "per task"),
		Attempts:  rapid.IntRange(0, 12).Draw(t, "budget"),
		OnFailure: rapid.SampledFrom([]Policy{Skip, Stop, Ask}).Draw(t, "policy"),
		Chunks:    rapid.Bool().Draw(t, "chunks"), Review: rapid.Bool().Draw(t, "review"),
		Approve: rapid.IntRange(0, 3).Draw(t, "approve") == 0,
	}
	if rapid.Bool().Draw(t, "gaps") {
		r.Gaps = &GapRules{Rounds: rapid.IntRange(0, 2).Draw(t, "rounds")}
	}
	x := &game{t: t, g: g, plan: p, s: Begin("p", "/p.json", "plan", "b", "c0", r), clock: time.Unix(1e9, 0)}
	read := Read{Stamp: x.stamp()}
	for _, task := range p.Tasks {
		read.Tasks = append(read.Tasks, ReadTask{ID: task.ID, Digest: "d", Status: Pending})
	}
	read.Findings = x.findings()
	x.apply(read)
	x.apply(Opened{Stamp: x.stamp()})
	return x
}

func (x *game) stamp() loop.Stamp {
	x.clock = x.clock.Add(time.Second)
	return loop.Stamp{At: x.clock}
}

func (x *game) commit() string { x.n++; return fmt.Sprintf("c%d", x.n) }

// apply also takes every state through its record: what is decided must not
// depend on anything that a crash would lose.
func (x *game) apply(e Event) {
	x.t.Helper()
	name, data, err := Encode(e)
	if err != nil {
		x.t.Fatal(err)
	}
	if e, err = Decode(name, data); err != nil {
		x.t.Fatal(err)
	}
	next, err := Apply(x.s, e)
	if err != nil {
		x.t.Fatalf("%s: %v", name, err)
	}
	g, err := next.WithGaps(x.plan).Graph()
	if err != nil {
		x.t.Fatal(err)
	}
	x.g = g
	record, err := json.Marshal(next)
	if err != nil {
		x.t.Fatal(err)
	}
	var again State
	if err := json.Unmarshal(record, &again); err != nil {
		x.t.Fatal(err)
	}
	if diff := cmp.Diff(Next(x.g, next, nil), Next(x.g, again, nil)); diff != "" {
		x.t.Fatalf("after a crash something else is to be done:\n%s", diff)
	}
	x.s = again
	x.sound()
}

// sound is what must hold in every state.
func (x *game) sound() {
	running, tasks := 0, x.s.WithGaps(x.plan).Tasks
	for i, t := range x.s.Tasks {
		if (t.Status == Running || t.Status == Approving) && t.Rests == "" {
			running++
		}
		if x.s.Rules.Approve && t.Status == Running && t.Agreed == "" {
			x.t.Fatalf("%s has begun, and nobody has agreed to it", t.ID)
		}
		if t.Status == Running || t.Status == Landing {
			for _, n := range tasks[i].Needs {
				if need := x.s.Task(n.On); need.Status != Done && need.Status != Skipped {
					x.t.Fatalf("%s is %s, and %s, which it needs, is %s", t.ID, t.Status, need.ID, need.Status)
				}
			}
		}
	}
	if running > x.s.Rules.Parallel {
		x.t.Fatalf("%d tasks at once, %d are allowed", running, x.s.Rules.Parallel)
	}
	if left := x.s.Left(); left < 0 {
		x.t.Fatalf("the budget is overspent by %d", -left)
	}
	if x.s.Status == loop.StatusPassed && (!x.s.allOver() || x.s.Tip != x.s.Base && x.s.Proved != x.s.Tip) {
		x.t.Fatalf("passed, and not all is done and proved: %+v", x.s)
	}
	if x.s.Status == loop.StatusPassed && x.s.Rules.Gaps != nil && len(x.s.Open()) > 0 {
		x.t.Fatalf("passed, and open is: %+v", x.s.Open())
	}
}

// findings are gaps that the file or a review names, few enough to be named again.
func (x *game) findings() []Finding {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Finding {
		return Finding{Kind: Gap, Text: rapid.SampledFrom([]string{"tabs", "nothing", "errors"}).Draw(t, "gap")}
	}), 0, 2).Draw(x.t, "findings")
}

// play does one of the actions that are asked for.
func (x *game) play() bool {
	actions := Next(x.g, x.s, nil)
	if len(actions) == 0 {
		return false
	}
	a := rapid.SampledFrom(actions).Draw(x.t, "action")
	t := x.s.Task(a.Task)
	switch a.Do {
	case DoStart:
		x.start(actions)
	case DoRun:
		x.stop(t)
		x.touchUp()
	case DoAsk:
		x.apply(Asked{x.stamp(), FailureQuestion(*t)})
	case DoLand:
		x.land(t)
	case DoReview, DoReviewPlan:
		if rapid.IntRange(0, 3).Draw(x.t, "held") == 0 {
			x.apply(ReviewHeld{Stamp: x.stamp(), Task: a.Task, Until: x.clock.Add(time.Hour), Why: "limit"})
			return true
		}
		x.judge(a)
	case DoProve:
		if x.s.Final == "" {
			x.apply(ProofBegan{Stamp: x.stamp(), Loop: "final"})
		}
		switch rapid.IntRange(0, 7).Draw(x.t, "final rests") {
		case 0:
			x.apply(Stopped{Stamp: x.stamp(), Loop: "final", Status: loop.Waiting, Reason: loop.ForHuman})
			return true
		case 1:
			x.apply(Stopped{Stamp: x.stamp(), Loop: "final", Status: loop.Paused, Reason: loop.Budget})
			return true
		}
		x.apply(Proof{Stamp: x.stamp(), Passed: rapid.IntRange(0, 3).Draw(x.t, "proved") > 0})
	case DoRest:
		rest := a.Rest
		rest.Stamp = x.stamp()
		x.apply(rest)
		if x.s.Status == loop.Paused {
			x.apply(Resumed{Stamp: x.stamp()})
			return true
		}
		return x.s.Status == loop.Waiting && x.answer()
	}
	return true
}

// judge is a verdict of reviewers, who now and then cannot be had at all.
func (x *game) judge(a Action) {
	r := Review{Task: a.Task, Pass: rapid.Bool().Draw(x.t, "approved"), Reason: "because"}
	r.Recommendation = rapid.SampledFrom([]string{Continue, NeedsHuman, Archive}).Draw(x.t, "advice")
	if r.Task == "" {
		r.Commit = x.s.Tip
	}
	if rapid.IntRange(0, 3).Draw(x.t, "nobody") == 0 {
		r.Pass, r.TooFew, r.Unreviewed, r.Recommendation = false, true, true, NeedsHuman
	}
	x.apply(ReviewEnded{Stamp: x.stamp(), Review: r, Findings: x.findings()})
	if r.TooFew && x.s.Status.Terminal() {
		x.t.Fatalf("nobody could review it, nobody was asked, and it ended: %+v", x.s)
	}
}

// touchUp now and then takes up one loop that rests while others go on.
func (x *game) touchUp() {
	for _, t := range x.s.Tasks {
		if t.Rests == loop.ForHuman && rapid.IntRange(0, 3).Draw(x.t, "taken up") == 0 {
			x.apply(Taken{Stamp: x.stamp(), Task: t.ID})
			return
		}
	}
}

// start begins every task of one answer: they are chosen together.
func (x *game) start(actions []Action) {
	for _, a := range actions {
		if a.Do == DoStart {
			id := fmt.Sprintf("%s-%d", a.Task, x.s.Task(a.Task).Tries)
			if a.Plans {
				x.apply(Planning{Stamp: x.stamp(), Task: a.Task, Loop: id, From: x.s.Tip, Most: a.Most})
				continue
			}
			x.apply(Started{Stamp: x.stamp(), Task: a.Task, Loop: id, From: x.s.Tip, Most: a.Most})
		}
	}
}

func (x *game) stop(t *TaskState) {
	e := Stopped{Stamp: x.stamp(), Task: t.ID, Loop: t.Loop, Attempts: rapid.IntRange(0, t.Most).Draw(x.t, "attempts")}
	switch rapid.IntRange(0, 7).Draw(x.t, "end") {
	case 0:
		e.Status, e.Reason, e.Message = loop.StatusFailed, loop.MaxAttempts, "red"
		e.Progress = rapid.Bool().Draw(x.t, "progress")
	case 1:
		e.Status, e.Reason, e.Attempts = loop.Waiting, loop.ForHuman, 0
	case 2:
		e.Status, e.Reason = loop.Aborted, loop.Manual
	case 3:
		e.Status, e.Attempts = loop.Paused, 0
		e.Reason = rapid.SampledFrom([]loop.Reason{"", loop.ForLimit, loop.Budget}).Draw(x.t, "paused by")
	default:
		e.Status, e.Reason, e.Commit = loop.StatusPassed, loop.Green, x.commit()
		if t.Status == Approving && rapid.Bool().Draw(x.t, "by review") {
			e.Opinion = &Opinion{Approve: rapid.Bool().Draw(x.t, "agrees"), Why: "vague"}
		}
	}
	x.apply(e)
}

func (x *game) land(t *TaskState) {
	if t.Onto == "" {
		x.apply(LandBegan{Stamp: x.stamp(), Task: t.ID, Onto: x.s.Tip})
	}
	t = x.s.Task(t.ID)
	n := rapid.IntRange(0, 4).Draw(x.t, "landing")
	switch {
	case n == 0:
		x.apply(NotLanded{Stamp: x.stamp(), Task: t.ID, Message: "conflict"})
	case t.Repair != "" && n == 1:
		rests := Stopped{Stamp: x.stamp(), Task: t.ID, Loop: t.Repair, Status: loop.Waiting, Reason: loop.ForHuman}
		if rapid.Bool().Draw(x.t, "its budget is spent") {
			rests.Status, rests.Reason = loop.Paused, loop.Budget
		}
		x.apply(rests)
	case t.Repair != "":
		tip := x.s.Tip
		x.apply(Repaired{Stamp: x.stamp(), Task: t.ID, Loop: t.Repair, Commit: x.commit()})
		if tip != t.Onto && x.s.Task(t.ID).Status == Done {
			x.t.Fatalf("%s was mended on %s and has landed on %s", t.ID, t.Onto, tip)
		}
	case n == 1 && !t.Repaired:
		x.apply(Repairing{Stamp: x.stamp(), Task: t.ID, Loop: t.Loop + "-land", Why: "conflict"})
	default:
		x.apply(Landed{Stamp: x.stamp(), Task: t.ID, Commit: x.commit()})
	}
}

// answer lets a person answer whatever waits.
func (x *game) answer() bool {
	if q := x.s.OpenQuestion(); q != nil {
		word := "go on"
		if len(q.Options) > 0 {
			word = rapid.SampledFrom(q.Options).Draw(x.t, "answer")
		}
		x.apply(Answered{Stamp: x.stamp(), Text: word, By: "me"})
		return true
	}
	if x.s.FinalRests != "" {
		x.apply(Taken{Stamp: x.stamp()})
		return true
	}
	for _, t := range x.s.Tasks {
		if t.Rests == loop.ForHuman {
			x.apply(Taken{Stamp: x.stamp(), Task: t.ID})
			return true
		}
	}
	x.t.Fatal("it waits for a person, and nothing is asked")
	return false
}

// TestAnyRun: whatever the world answers, the run keeps its promises, and ends.
func TestAnyRun(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := newGame(t)
		for turn := 0; x.play(); turn++ {
			if turn > 3000 {
				t.Fatalf("it does not come to an end: %+v", x.s)
			}
		}
		if x.s.Status == loop.Running {
			t.Fatalf("nothing goes on, and it is running: %+v", x.s)
		}
		if x.s.Status.Terminal() {
			if _, err := Apply(x.s, Started{Stamp: x.stamp(), Task: "t0", Loop: "again", From: "c"}); err == nil {
				t.Fatal("a run that has ended began a task")
			}
		}
	})
}
