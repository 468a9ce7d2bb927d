package loop

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func pick[T any](t *rapid.T, label string, from ...T) T {
	return rapid.SampledFrom(from).Draw(t, label)
}

func chance(t *rapid.T, label string, percent int) bool {
	return rapid.IntRange(1, 100).Draw(t, label) <= percent
}

func anyLimits(t *rapid.T) Limits {
	few := rapid.IntRange(0, 3)
	deadline := func(label string) Deadline {
		return pick(t, label, Deadline{}, Deadline{Hard: time.Hour}, Deadline{time.Second, time.Minute})
	}
	return Limits{
		MaxIterations: rapid.IntRange(1, 6).Draw(t, "max"), Fixes: few.Draw(t, "fixes"), ConfirmPasses: rapid.IntRange(1, 3).Draw(t, "confirm"),
		Attempt: deadline("attempt"), Loop: deadline("loop"), Session: deadline("session"),
		StuckAfter: rapid.IntRange(1, 3).Draw(t, "stuck"), MaxShifts: few.Draw(t, "shifts"),
		Regression: few.Draw(t, "regression"), NoChange: few.Draw(t, "no change"), Plateau: few.Draw(t, "plateau"),
		Stall: pick(t, "stall", 0, time.Minute), Transient: few.Draw(t, "transient"),
		BackOff: pick(t, "back off", 0, time.Second), Interruptions: few.Draw(t, "interruptions"), Questions: few.Draw(t, "questions"),
	}
}

func anyGate(t *rapid.T, n int) Gate {
	return Gate{
		Name:  fmt.Sprintf("g%d", n),
		Kind:  pick(t, "kind", KindTests, KindCommand, KindReview),
		Level: pick(t, "level", Hard, Hard, Soft, ""), Optional: chance(t, "optional", 20),
		Timeout: pick(t, "timeout", Deadline{}, Deadline{Hard: time.Minute}),
	}
}

func anySpec(t *rapid.T) Spec {
	s := Spec{
		ID: "ralph-test", Task: Task{ID: "task", Text: "text"}, Base: "base", Branch: "b",
		Mode:        pick(t, "mode", Supervised, Supervised, AgentDriven),
		Gates:       []Gate{{Name: "must", Kind: pick(t, "kind", KindTests, KindReview), Level: Hard}},
		StopIfGreen: chance(t, "until", 30), Force: chance(t, "force", 30), StopOnStuck: chance(t, "stop on stuck", 50),
		Limits: anyLimits(t),
		Agents: []Agent{{Name: "a"}, {Name: "b"}},
		Proof:  pick(t, "proof", "", ProofNone, ProofRequired, ProofRequired, ProofReview),
		Refuse: pick(t, "refuse", nil, []ConcernCode{ConcernSuspect}, []ConcernCode{ConcernSuspect, ConcernCanary}, DefaultRefusals()),
	}
	s.Verify = s.Mode == AgentDriven && chance(t, "verified", 70)
	s.Project = pick(t, "luck", "", lucky)
	s.Task.Kind = pick(t, "kind of task", "", KindFeature, KindRefactor)
	if s.Proof == ProofReview {
		s.Gates = append(s.Gates, Gate{Name: "spec", Kind: KindReview, Level: pick(t, "level of the review", Hard, Soft), Review: &Review{Kind: SpecReview}})
	}
	s.Agent = Agent{Name: "a", OnLimit: pick(t, "on limit", "", LimitWait, LimitSwitch, LimitPause, LimitAsk)}
	for n := range rapid.IntRange(0, 3).Draw(t, "gates") {
		s.Gates = append(s.Gates, anyGate(t, n))
	}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	return s
}

func anyResult(t *rapid.T, gate, commit, tree string) Result {
	r := Result{
		Gate: gate, Commit: commit, Tree: tree, Reason: "reason",
		Verdict:     pick(t, "verdict", Passed, Passed, Passed, Failed, Failed, Error, Skipped, "odd"),
		Fingerprint: pick(t, "fingerprint", "", "aa", "bb"),
		CannotStart: chance(t, "cannot start", 5), Room: pick(t, "room", RoomOverlay, RoomOverlay, RoomOverlay, RoomCopy, RoomTree),
	}
	if chance(t, "value", 40) {
		r = r.withValue(float64(rapid.IntRange(0, 3).Draw(t, "value of")))
	}
	if chance(t, "tests", 40) {
		r = r.withTests(rapid.IntRange(0, 3).Draw(t, "failed"))
	}
	if r.Canary = pick(t, "canary", "", CanaryReported, CanaryUnknown); chance(t, "weak", 20) {
		r.Weak, r.Hidden = "it answers its tests", chance(t, "hidden", 50)
	}
	if chance(t, "missing", 30) {
		r.Missing = []string{"name"}
	}
	return r
}

func anyOutcome(t *rapid.T, at time.Time) Outcome {
	o := Outcome{End: pick(t, "end", EndDone, EndDone, EndDone, EndFailed, EndTimeout, EndLimit, EndTransient, EndPermanent, EndAsked, EndInterrupted, "odd"), Message: "message"}
	if chance(t, "reset", 50) {
		o.ResetAt = at.Add(time.Duration(rapid.IntRange(-1, 2).Draw(t, "hours")) * time.Hour)
	}
	if o.End == EndAsked && chance(t, "question", 90) {
		o.Question = new(anyQuestion(t))
		o.Question.Work = chance(t, "work", 30)
	}
	if o.End == EndDone && chance(t, "final dispute", 20) {
		o.Dispute = new(anyDispute(t))
	}
	if chance(t, "usage", 30) {
		o.Usage.InputTokens = new(int64(5))
	}
	return o
}

// anyQuestion may have a time for its answer, and one that it cannot have.
func anyQuestion(t *rapid.T) Question {
	if chance(t, "dispute", 20) {
		return Question{Dispute: new(anyDispute(t))}
	}
	return Question{
		Text: pick(t, "ask", "", "why?"), Default: pick(t, "default", "", "so"),
		Within: pick(t, "within", 0, time.Minute, time.Hour, -1, MaxWithin+1),
	}
}

// anyDispute may be about a gate that the loop does not have.
func anyDispute(t *rapid.T) Dispute {
	return Dispute{Gate: pick(t, "disputed", "must", "g0", "suspect", FailedProof, "odd"), Why: pick(t, "argument", "", "it contradicts"), Files: pick(t, "files", nil, []string{"a_test.go"}, []string{"/x"})}
}

// beforeAgent is what may happen where an agent is to be started.
func beforeAgent(t *rapid.T, s State, at Stamp) Event {
	switch rapid.IntRange(0, 30).Draw(t, "before the agent") {
	case 0, 1:
		return Held{at, pick(t, "held for", ForLimit, Budget), at.At.Add(time.Minute), "held"}
	case 2:
		return Switched{Stamp: at, Agent: Agent{Name: pick(t, "agent", "a", "b", "c"), OnLimit: s.Agent.OnLimit}, Why: "limit"}
	case 3:
		return BudgetWarned{at, pick(t, "budget", "task money", "plan tokens"), "most of it is used"}
	case 4:
		return BudgetSet{Stamp: at, Limit: Amounts{Tokens: pick(t, "limit", int64(0), 100)}, By: "p"}
	case 5:
		return BudgetSpent{at, "task money", "used up", chance(t, "pause", 80)}
	}
	return AttemptBegan{Stamp: at}
}

func anyProof(t *rapid.T, commit string) Proof {
	return Proof{
		Commit: commit, Red: pick(t, "red", "", RedByAssertion, RedByBuild, RedByExit, RedOnBase, "odd"), Why: "why",
		Gate: "must", OnBase: chance(t, "claims the base", 20), Repaired: pick(t, "claims a repair", "", "start"), Review: pick(t, "claims a review", "", "spec"),
	}
}

// anySuspects are lines at times.
func anySuspects(t *rapid.T) []string {
	return pick(t, "suspects", nil, nil, nil, []string{"a.go:1 ends the process"})
}

// anyFindings are at times lines of two concerns that are refused by default.
func anyFindings(t *rapid.T) Findings {
	return pick(t, "findings", nil, nil, nil, Findings{ConcernWeak: {"a_test.go:1 passes with nearly any answer"}}, Findings{ConcernTampers: {"diff is loaded in place of the program diff"}})
}

// anyVerifying finds a secret at times.
func anyVerifying(t *rapid.T, at Stamp) Verifying {
	e := Verifying{Stamp: at, Commit: pick(t, "verified commit", "head", "v1", "v2"), GateTree: "/g", Differs: chance(t, "differs", 70)}
	e.Findings = anyFindings(t)
	if e.Suspects = anySuspects(t); chance(t, "secret", 10) {
		e.Secrets = []string{"key in a:1"}
	}
	return e
}

func anyInterruption(t *rapid.T, s State, at Stamp) Interrupted {
	lost := s.Step == StepCommit && chance(t, "lost", 50)
	return Interrupted{Stamp: at, Why: "killed", Cause: pick(t, "cause", "", CauseSignal, CauseLack), Lost: lost}
}

// lucky names projects in which most goes well, so that their loops come to a verdict.
const lucky = "lucky"

// well is what happens where all goes well; nil where that is nothing special.
func well(t *rapid.T, a Action, tree string, at Stamp) Event {
	switch a.Do {
	case DoAgent:
		return AgentEnded{at, Outcome{End: EndDone}}
	case DoCommit:
		return Committed{Stamp: at, Commit: fmt.Sprintf("c%d", a.Attempt), Changed: true, Differs: true, Suspects: anySuspects(t), Findings: anyFindings(t)}
	case DoGate, DoReview:
		r := anyResult(t, a.Gate.Name, a.Commit, tree)
		r.Verdict, r.CannotStart, r.Room = Passed, false, RoomOverlay
		return GateEnded{at, r}
	case DoProve:
		return Proved{at, Proof{Commit: a.Commit, Red: RedByAssertion, Why: "why", Gate: "must"}}
	}
	return nil
}

// legal is what may well happen when the action is done.
func legal(t *rapid.T, s State, at Stamp) Event {
	a := Next(s)
	if s.Project == lucky && (a.Do != DoAgent || s.Began) && !a.OnBase && chance(t, "all goes well", 90) {
		tree := ""
		if l := s.Last(); l != nil {
			tree = l.Tree
		}
		if e := well(t, a, tree, at); e != nil {
			return e
		}
	}
	if a.Do != DoNothing && a.Do != DoWait && chance(t, "breaks", 5) {
		return WorkFailed{Stamp: at, Step: s.Step, Message: "broken", Busy: chance(t, "busy", 60)}
	}
	if a.Do != DoNothing && a.Do != DoWait && chance(t, "cut short", 8) {
		return anyInterruption(t, s, at)
	}
	tree := ""
	if l := s.Last(); l != nil {
		tree = l.Tree
	}
	switch a.Do {
	case DoPrepare:
		return Prepared{Stamp: at, Worktree: "/w", GateTree: "/g"}
	case DoAgent:
		if s.Began {
			return AgentEnded{at, anyOutcome(t, at.At)}
		}
		return beforeAgent(t, s, at)
	case DoCommit:
		return Committed{Stamp: at, Commit: fmt.Sprintf("c%d", a.Attempt), Changed: chance(t, "changed", 70), Differs: chance(t, "differs", 70), Suspects: anySuspects(t), Findings: anyFindings(t)}
	case DoGate, DoReview:
		return GateEnded{at, anyResult(t, a.Gate.Name, a.Commit, tree)}
	case DoProve:
		return Proved{at, anyProof(t, a.Commit)}
	case DoVerify:
		return anyVerifying(t, at)
	case DoWait:
		return Woke{Stamp: at, Question: a.Question}
	case DoKeep:
		return Kept{Stamp: at, Ref: a.Ref}
	case DoTidy:
		return Tidied{Stamp: at}
	}
	switch {
	case s.Status == Pending:
		return Acquired{Stamp: at}
	case s.Open() != nil && s.Open().Dispute != nil:
		return Answered{Stamp: at, Text: pick(t, "ruling", "uphold", "uphold x_test.go", "dismiss")}
	case s.Open() != nil && s.Open().Interrupted:
		return Answered{Stamp: at, Text: pick(t, "verdict on an interruption", sayAgain, sayGone)}
	case s.Open() != nil && s.Open().Limit:
		return Answered{Stamp: at, Text: pick(t, "at the limit", sayContinue, sayPause)}
	case s.Open() != nil:
		return Answered{Stamp: at, Text: "because"}
	case s.Status == Paused:
		return Resumed{at}
	}
	return Committed{Stamp: at, Tree: pick(t, "tree", "t1", "t2"), Commit: pick(t, "commit", "", "head"), Changed: true}
}

// foreign is anything at any time: most of it cannot happen.
func foreign(t *rapid.T, s State, at Stamp) Event {
	commit, tree := pick(t, "about", "base", "c1", "c2", ""), pick(t, "tree", "t1", "t2", "")
	return pick[Event](t, "event",
		Created{Stamp: at}, Acquired{Stamp: at, Owner: "o"}, Prepared{Stamp: at, Worktree: "/v", Base: pick(t, "base", "", "base")},
		AttemptBegan{Stamp: at}, anyInterruption(t, s, at), AgentEnded{at, anyOutcome(t, at.At)},
		Committed{Stamp: at, Commit: commit, Tree: tree, Changed: true},
		GateEnded{at, anyResult(t, pick(t, "gate", "must", "g0", "g1", "who"), commit, tree)},
		Proved{at, anyProof(t, commit)}, anyVerifying(t, at), Interrupted{Stamp: at},
		WorkFailed{Stamp: at, Step: pick(t, "step", StepSetup, StepGates, StepProof, StepKeep, "odd"), Message: "no"},
		SoftPassed{Stamp: at, Scope: pick(t, "scope", ScopeLoop, ScopeSession, "agent")},
		Woke{Stamp: at, Asked: chance(t, "asked", 50)}, Ticked{at}, PauseAsked{Stamp: at}, Resumed{at}, AbortAsked{Stamp: at}, Steered{Stamp: at, Text: "left"},
		Answered{Stamp: at, Text: "x"}, Answered{Stamp: at, Text: "x", By: ByPolicy}, Asked{Stamp: at, Question: anyQuestion(t)},
		Woke{Stamp: at, Question: pick(t, "overdue", "q1", "q2", "q9")}, AbortAsked{Stamp: at, Reason: Policy},
		Restored{Stamp: at, Checkpoint: 1, Commit: pick(t, "restored", "", "c1", "r1")}, Moved{Stamp: at, Root: "/r", Worktree: pick(t, "moved", "", "/m"), GateTree: pick(t, "moved gates", "", "/n")}, Kept{Stamp: at, Ref: "r"}, Tidied{Stamp: at},
		Accepted{Stamp: at, Branch: "main", Commit: pick(t, "home", "", "h1", "h2")},
		Conflicted{Stamp: at, Clash: NewClash(pick(t, "clash", "", "main"), "m1", pick(t, "clashing", s.Commit, "h1"), []string{"a.go"})},
		Retried{Stamp: at, By: pick(t, "again", "", "other")},
		beforeAgent(t, s, at), Held{at, ForHuman, at.At.Add(time.Minute), "held"},
	)
}

// life drives a random loop by likely and unlikely events, and has each step
// audited.
func life(t *rapid.T) {
	s, now, au := New(anySpec(t), noon), noon, audit{}
	for range rapid.IntRange(1, 80).Draw(t, "steps") {
		now = now.Add(pick(t, "passes", 0, time.Second, time.Second, time.Minute, -time.Hour, 365*24*time.Hour))
		var e Event
		if chance(t, "likely", 80) {
			e = legal(t, s, Stamp{At: now})
		} else {
			e = foreign(t, s, Stamp{At: now})
		}
		after, broken := au.apply(s, e)
		if broken != nil {
			t.Fatalf("%s in %s/%s: %v", e.Name(), s.Status, s.Step, broken)
		}
		s = after
	}
}

func TestPromises(t *testing.T) {
	t.Parallel()
	rapid.Check(t, life)
}

// TestPromisesOfVerdicts: the same where most goes well and nothing odd happens, so that most
// lives come to a verdict.
func TestPromisesOfVerdicts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		spec := anySpec(t)
		spec.Project = lucky
		s, now, au := New(spec, noon), noon, audit{}
		for n := 0; n < 200 && !s.Status.Terminal(); n++ {
			now = now.Add(time.Second)
			e := legal(t, s, Stamp{At: now})
			after, broken := au.apply(s, e)
			if broken != nil {
				t.Fatalf("%s in %s/%s: %v", e.Name(), s.Status, s.Step, broken)
			}
			s = after
		}
	})
}

// TestEveryLifeEnds: a loop whose actions are done comes to an end, or to a
// person, in a number of steps that its limits bound.
func TestEveryLifeEnds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, now := New(anySpec(t), noon), noon
		for n := 0; !s.Status.Terminal(); n++ {
			if n > 3000 {
				t.Fatalf("still %s/%s after %d steps", s.Status, s.Step, n)
			}
			now = now.Add(time.Second)
			e := legal(t, s, Stamp{At: now})
			if _, limited := e.(AgentEnded); limited && e.(AgentEnded).Outcome.End == EndLimit {
				continue // a provider may say no for ever
			}
			if after, err := Apply(s, e); err == nil {
				s = after
			}
		}
	})
}

// TestCrashesChangeNothing: a crash at any step, also with the loss of what was not committed, and
// the step done again, ends in the same verdict as no crash.
func TestCrashesChangeNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		spec := anySpec(t)
		spec.Mode, spec.Limits.Interruptions, spec.Limits.Loop, spec.Limits.Session = Supervised, 9, Deadline{}, Deadline{}
		script := map[string]Event{}
		crashed, lost := rapid.IntRange(0, 60).Draw(t, "crash at"), chance(t, "with the tree", 50)
		end := func(crash int) State {
			s, now := New(spec, noon), noon
			for n := 0; n < 300 && !s.Status.Terminal(); n++ {
				now = now.Add(time.Second)
				if n == crash && s.Status == Running {
					s = must(t, s, Acquired{Stamp: Stamp{At: now}})
					s = must(t, s, Interrupted{Stamp: Stamp{At: now}, Why: "crash", Lost: s.Step == StepCommit && lost})
				}
				s = must(t, s, scripted(t, script, s, Stamp{At: now}))
			}
			return s
		}
		without, with := end(-1), end(crashed)
		if a, b := verdict(without), verdict(with); a != b {
			t.Fatalf("without a crash %s\nwith one %s", a, b)
		}
	})
}

func must(t *rapid.T, s State, e Event) State {
	after, err := Apply(s, e)
	if err != nil {
		t.Fatal(err)
	}
	return after
}

// scripted answers the same to the same question, whenever it is asked.
func scripted(t *rapid.T, script map[string]Event, s State, at Stamp) Event {
	switch a := Next(s); a.Do {
	case DoAgent:
		if !s.Began {
			return AttemptBegan{Stamp: at}
		}
		return AgentEnded{at, Outcome{End: EndDone}}
	case DoGate, DoReview, DoCommit, DoProve:
		if script[a.Key] == nil {
			script[a.Key] = noTrouble(legal(t, s, at), a, at)
		}
		return script[a.Key]
	}
	return noTrouble(legal(t, s, at), Next(s), at)
}

// noTrouble leaves out what ends a loop by chance, and what is refused.
func noTrouble(e Event, a Action, at Stamp) Event {
	if p, ok := e.(Proved); ok && p.Proof.Red == "odd" {
		p.Proof.Red = ""
		return p
	}
	_, broken := e.(WorkFailed)
	if _, cut := e.(Interrupted); !broken && !cut {
		return e
	}
	switch a.Do {
	case DoPrepare:
		return Prepared{Stamp: at, Worktree: "/w"}
	case DoCommit:
		return Committed{Stamp: at, Commit: "c", Changed: true, Differs: true}
	case DoKeep:
		return Kept{Stamp: at, Ref: a.Ref}
	case DoTidy:
		return Tidied{Stamp: at}
	case DoProve:
		return Proved{at, Proof{Commit: a.Commit}}
	}
	return GateEnded{at, Result{Gate: a.Gate.Name, Commit: a.Commit, Verdict: Failed}}
}

func verdict(s State) string {
	text := fmt.Sprintf("%s/%s %q:", s.Status, s.Reason, s.Message)
	for _, a := range s.Recent {
		text += fmt.Sprintf(" %d %s %s %v", a.N, a.Verdict, a.Fingerprint, a.Approach)
	}
	return text
}
