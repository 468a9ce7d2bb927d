package loop

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"ralph/internal/journal"
)

// noon is when every test begins.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// world plays everybody around the machine: it does what Next says and reports
// what happened. Each part may be replaced.
type world struct {
	t    testing.TB
	s    State
	now  time.Time
	pace time.Duration

	agent  func(Action) Outcome
	commit func(n int) Committed
	gate   func(Action) Result
	prove  func(Action) Proof

	// trace is every action that was done.
	trace []Action
}

func newWorld(t testing.TB, change func(*Spec)) *world {
	spec := Spec{
		ID: "ralph-test", Task: Task{ID: "task", Text: "Make it work."}, Base: "base", Branch: "ralph/test",
		Gates:  []Gate{{Name: "tests", Kind: KindTests, Level: Hard, Run: "test"}},
		Limits: DefaultLimits(),
	}
	if change != nil {
		change(&spec)
	}
	if err := spec.Validate(); err != nil {
		t.Fatal(err)
	}
	return &world{
		t: t, s: New(spec, noon), now: noon, pace: time.Second,
		agent:  func(Action) Outcome { return Outcome{End: EndDone} },
		commit: func(n int) Committed { return Committed{Commit: fmt.Sprintf("c%d", n), Changed: true, Differs: true} },
		gate:   onBase(failing("base"), passing()),
		prove:  func(Action) Proof { return Proof{Red: RedByAssertion, Gate: "tests", Why: "one is red"} },
	}
}

// stamp is the present moment; each one is a pace after the one before.
func (w *world) stamp() Stamp {
	w.now = w.now.Add(w.pace)
	return Stamp{At: w.now}
}

func (w *world) do(e Event) {
	w.t.Helper()
	s, err := Apply(w.s, e)
	if err != nil {
		w.t.Fatal(err)
	}
	w.s = s
}

func (w *world) refuses(e Event) {
	w.t.Helper()
	_, err := Apply(w.s, e)
	if _, ok := errors.AsType[*journal.RefusedError](err); !ok {
		w.t.Fatalf("%s was not refused in %s/%s", e.Name(), w.s.Status, w.s.Step)
	}
}

// turn does the next action; false when there is none.
func (w *world) turn() bool {
	w.t.Helper()
	if w.s.Status == Pending {
		w.do(Acquired{Stamp: w.stamp(), Owner: "me"})
		return true
	}
	a := Next(w.s)
	if a.Do == DoNothing {
		return false
	}
	w.trace = append(w.trace, a)
	for _, e := range w.events(a) {
		w.do(e)
	}
	return true
}

func (w *world) events(a Action) []Event {
	switch a.Do {
	case DoPrepare:
		return []Event{Prepared{Stamp: w.stamp(), Worktree: "/w", GateTree: "/g"}}
	case DoAgent:
		events := []Event{AgentEnded{Stamp: Stamp{At: w.now.Add(2 * w.pace)}, Outcome: w.agent(a)}}
		if !w.s.Began {
			events = append([]Event{AttemptBegan{Stamp: w.stamp()}}, events...)
		}
		w.now = events[len(events)-1].When()
		return events
	case DoCommit:
		c := w.commit(a.Attempt)
		c.Stamp = w.stamp()
		return []Event{c}
	case DoGate, DoReview:
		r := w.gate(a)
		r.Gate, r.Commit = a.Gate.Name, a.Commit
		return []Event{GateEnded{Stamp: w.stamp(), Result: r}}
	case DoProve:
		p := w.prove(a)
		p.Commit = a.Commit
		return []Event{Proved{Stamp: w.stamp(), Proof: p}}
	case DoVerify:
		return []Event{Verifying{Stamp: w.stamp(), Commit: fmt.Sprintf("v%d", a.Attempt), GateTree: "/g", Differs: true}}
	case DoWait:
		if w.now.Before(a.Wake) {
			w.now = a.Wake
		}
		return []Event{Woke{Stamp: Stamp{At: w.now}, Question: a.Question}}
	case DoKeep:
		return []Event{Kept{Stamp: w.stamp(), Ref: a.Ref, Commit: "kept"}}
	case DoTidy:
		return []Event{Tidied{Stamp: w.stamp()}}
	}
	w.t.Fatalf("unknown action %q", a.Do)
	return nil
}

// until turns the crank while the next action is not what is wanted.
func (w *world) until(do Do) Action {
	w.t.Helper()
	for range 1000 {
		if a := Next(w.s); a.Do == do && w.s.Status != Pending {
			return a
		}
		if !w.turn() {
			break
		}
	}
	w.t.Fatalf("never came to %q: %s/%s %s", do, w.s.Status, w.s.Step, w.s.Message)
	return Action{}
}

// run turns the crank until there is nothing more to do.
func (w *world) run() State {
	w.t.Helper()
	for range 1000 {
		if !w.turn() {
			return w.s
		}
	}
	w.t.Fatal("no end in sight")
	return w.s
}

// did counts the actions done of one kind.
func (w *world) did(do Do) int {
	n := 0
	for _, a := range w.trace {
		if a.Do == do {
			n++
		}
	}
	return n
}

// keys of the actions done of one kind; doing one again makes no new key.
func (w *world) keys(do Do) map[string]bool {
	keys := map[string]bool{}
	for _, a := range w.trace {
		if a.Do == do {
			keys[a.Key] = true
		}
	}
	return keys
}

func (w *world) ends(status Status, reason Reason, iteration int) State {
	w.t.Helper()
	s := w.run()
	if s.Status != status || s.Reason != reason || s.Iteration != iteration {
		w.t.Fatalf("ended %s/%s at iteration %d (%s), want %s/%s at %d",
			s.Status, s.Reason, s.Iteration, s.Message, status, reason, iteration)
	}
	if s.Message == "" {
		w.t.Error("no message")
	}
	return s
}

// What gates answer.

func passing() Result { return Result{Verdict: Passed, Reason: "ok"} }

func failing(fingerprint string) Result {
	return Result{Verdict: Failed, Reason: "it fails: " + fingerprint, Fingerprint: fingerprint}
}

func (r Result) withTests(failed int) Result {
	r.Tests = &Tests{Run: 20, Failed: failed}
	return r
}

func (r Result) withValue(v float64) Result {
	r.Value = &v
	return r
}

// onBase answers base on the base commit, then one answer an attempt; the last
// one goes on for ever.
func onBase(base Result, attempts ...Result) func(Action) Result {
	return func(a Action) Result {
		if a.OnBase {
			return base
		}
		return attempts[min(a.Attempt, len(attempts))-1]
	}
}

// attempts answers as onBase does, where the base fails by itself.
func attempts(results ...Result) func(Action) Result {
	return onBase(failing("base"), results...)
}

// values are failing results with these values.
func values(vs ...float64) func(Action) Result {
	var rs []Result
	for i, v := range vs {
		rs = append(rs, failing(fmt.Sprintf("v%d", i)).withValue(v))
	}
	return attempts(rs...)
}

func limits(change func(*Limits)) func(*Spec) {
	return func(s *Spec) { change(&s.Limits) }
}

func maxIterations(n int) func(*Spec) {
	return limits(func(l *Limits) { l.MaxIterations = n })
}

// place requires where the run continues once it is answered.
func (w *world) place(want Place) {
	w.t.Helper()
	if w.s.Place != want {
		w.t.Errorf("it continues in the %q, want %q", w.s.Place, want)
	}
}
