package loop

import (
	"strings"
	"testing"
	"time"
)

// killed is the interruption of a child by a foreign signal.
func (w *world) killed() Interrupted {
	return Interrupted{Stamp: w.stamp(), Why: "gate tests was ended by SIGKILL", Cause: CauseSignal}
}

// lost is the interruption of a commit whose tree is gone.
func (w *world) lost(cause Cause) Interrupted {
	return Interrupted{Stamp: w.stamp(), Why: "its tree is gone", Cause: cause, Lost: true}
}

// TestInterruptions: what ended by a foreign signal, or for lack of something, is done
// again with growing pauses and uses up no attempt; in the end a person decides.
func TestInterruptions(t *testing.T) {
	t.Parallel()
	worn := func(t *testing.T, do Do, cut func(*world)) *world {
		w := newWorld(t, nil)
		w.gate = attempts(failing("a"), passing())
		for w.until(do).OnBase {
			w.turn()
		}
		for range w.s.Limits.Interruptions + 1 {
			w.until(do)
			cut(w)
		}
		w.is(Waiting, ForHuman)
		if q := w.s.Open(); !q.Interrupted || !strings.Contains(q.Text, "interrupted 6 times") || w.s.Iteration != 1 {
			t.Fatalf("asks %q in attempt %d", q.Text, w.s.Iteration)
		}
		return w
	}
	crash := func(w *world) {
		if w.s.Step == StepAgent {
			w.do(AttemptBegan{Stamp: w.stamp()})
		}
		w.do(Acquired{Stamp: w.stamp()})
		w.do(Interrupted{Stamp: w.stamp(), Why: "crash"})
	}
	kill := func(w *world) {
		if w.s.Step == StepAgent {
			w.do(AttemptBegan{Stamp: w.stamp()})
		}
		w.do(w.killed())
	}
	cut := map[string]func(*world){"crash": crash, "kill": kill}
	say := func(w *world, text string) { w.do(Answered{Stamp: w.stamp(), Text: text}) }
	for name, end := range cut {
		tell(t, []rule{
			{"interrupted/" + name + "/an agent that counts in the end", func(t *testing.T) {
				w := worn(t, DoAgent, end)
				say(w, "failed")
				if w.s.Step != StepCommit || w.s.Last().Agent.End != EndFailed {
					t.Fatalf("at %s, %+v", w.s.Step, w.s.Last().Agent)
				}
				w.ends(StatusPassed, Green, 2)
			}},
			{"interrupted/" + name + "/an agent that is run again", func(t *testing.T) {
				w := worn(t, DoAgent, end)
				say(w, "again")
				if w.until(DoAgent); w.s.Last().Crashes != 0 || w.s.Iteration != 1 {
					t.Fatalf("%+v", w.s.Last())
				}
				w.ends(StatusPassed, Green, 2)
			}},
			{"interrupted/" + name + "/a gate that dies each time never passes", func(t *testing.T) {
				w := worn(t, DoGate, end)
				say(w, "failed")
				if r := w.s.Last().Results; len(r) != 1 || r[0].Verdict != Error || r[0].Level != Hard {
					t.Fatalf("results %+v", r)
				}
				w.ends(StatusPassed, Green, 2)
			}},
			{"interrupted/" + name + "/a paused loop takes the answer and stays paused", func(t *testing.T) {
				w := worn(t, DoGate, end)
				w.do(PauseAsked{Stamp: w.stamp()})
				say(w, "failed")
				w.is(Paused, "")
				if r := w.s.Last().Results; len(r) != 1 || r[0].Verdict != Error {
					t.Fatalf("results %+v", r)
				}
			}},
		})
	}
	tell(t, []rule{
		{"interrupted/only a person answers it, by one of two words", func(t *testing.T) {
			w := worn(t, DoGate, kill)
			w.refuses(Answered{Stamp: w.stamp(), Text: "again", By: ByPolicy})
			w.refuses(Answered{Stamp: w.stamp(), Text: "perhaps"})
			say(w, " Again ")
			w.ends(StatusPassed, Green, 2)
		}},
		{"interrupted/a commit that cannot be made ends the loop", func(t *testing.T) {
			w := worn(t, DoCommit, kill)
			say(w, "failed")
			w.ends(StatusFailed, GitError, 1)
		}},
		{"interrupted/pauses double, and use up no time", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoPrepare)
			for n, want := range []time.Duration{5, 10, 20, 40, 80} {
				w.do(w.killed())
				w.is(Waiting, ForRetry)
				if d := w.s.Wake.Sub(w.now); d != want*time.Second || w.s.Crashes != n+1 {
					t.Errorf("pause %d is %s", n+1, d)
				}
				w.until(DoPrepare)
			}
			if w.s.Active > time.Minute {
				t.Errorf("active %s", w.s.Active)
			}
			w.do(w.killed())
			w.is(Waiting, ForHuman)
			say(w, "failed")
			w.ends(StatusFailed, SetupError, 0)
		}},
		{"interrupted/what is done is forgotten", func(t *testing.T) {
			w := newWorld(t, nil)
			for w.until(DoPrepare); w.s.Step != StepGates; w.turn() {
				if w.s.Status == Running && w.s.Crashes == 0 && w.s.Last() == nil {
					w.do(w.killed())
				}
			}
			if w.s.Crashes != 0 {
				t.Errorf("%d interruptions", w.s.Crashes)
			}
			w.ends(StatusPassed, Green, 1)
		}},
		{"interrupted/an attempt whose work is lost is repeated, within bounds", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoAgent)
			w.refuses(w.lost(""))
			for n := range w.s.Limits.Interruptions + 1 {
				w.until(DoCommit)
				w.do(w.lost(""))
				if a := w.s.Last(); a.Interruptions != n+1 || w.s.Iteration != 1 || w.s.Step != StepAgent {
					t.Fatalf("at %s, %+v", w.s.Step, a)
				}
			}
			w.is(Waiting, ForHuman)
			say(w, "again")
			if s := w.ends(StatusPassed, Green, 1); s.Last().Runs != s.Limits.Interruptions+2 || s.Last().Commit != "c1" {
				t.Errorf("%+v", s.Last())
			}
		}},
		{"interrupted/work that is lost while a process lives is waited for", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoCommit)
			w.do(w.lost(CauseLack))
			w.is(Waiting, ForRetry)
			w.ends(StatusPassed, Green, 1)
		}},
		{"interrupted/a loop whose work is lost rests as before", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoAgent)
			w.do(AttemptBegan{Stamp: w.stamp()})
			w.do(PauseAsked{Stamp: w.stamp()})
			w.do(AgentEnded{Stamp: w.stamp(), Outcome: Outcome{End: EndDone}})
			w.do(Moved{Stamp: w.stamp(), Root: "/r", Worktree: "/m", GateTree: "/n"})
			w.do(w.lost(""))
			w.is(Paused, "")
			w.do(Resumed{w.stamp()})
			if w.until(DoAgent); w.s.Last().Interruptions != 1 {
				t.Errorf("%+v", w.s.Last())
			}
			w.ends(StatusPassed, Green, 1)
		}},
		{"interrupted/an agent's end is one too", func(t *testing.T) {
			w := newWorld(t, nil)
			n := 0
			w.agent = func(Action) Outcome {
				if n++; n < 4 {
					return Outcome{End: EndInterrupted, Message: "ended by SIGKILL"}
				}
				return Outcome{End: EndDone}
			}
			if s := w.ends(StatusPassed, Green, 1); s.Last().Crashes != 3 || s.Last().Interruptions != 3 || s.Last().Runs != 4 {
				t.Errorf("%+v", s.Last())
			}
		}},
		{"interrupted/an ended loop that cannot be closed closes without it", func(t *testing.T) {
			w := newWorld(t, nil)
			w.gate = attempts(failing("a"))
			w.do(Acquired{Stamp: w.stamp()})
			for range 200 {
				if Next(w.s).Do == DoKeep {
					w.do(w.killed())
				} else if !w.turn() {
					break
				}
			}
			if s := w.s; s.Status != StatusFailed || s.FailureRef != "" || !strings.Contains(s.Message, "could not be kept") {
				t.Errorf("%s: %s", s.Status, s.Message)
			}
		}},
		{"interrupted/an open question of the agent comes first", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoAgent)
			w.do(AttemptBegan{Stamp: w.stamp()})
			w.do(Asked{Stamp: w.stamp(), Question: Question{Text: "why?"}})
			w.s.Last().Crashes = w.s.Limits.Interruptions
			w.do(w.killed())
			w.is(Waiting, ForHuman)
			if q := w.s.Open(); q.Interrupted {
				t.Errorf("asks %q", q.Text)
			}
			say(w, "because")
			w.ends(StatusPassed, Green, 1)
		}},
	})
}
