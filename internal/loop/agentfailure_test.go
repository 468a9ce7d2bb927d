package loop

import (
	"strings"
	"testing"
	"time"
)

func TestAgentFailures(t *testing.T) {
	t.Parallel()
	idle := func(w *world) {
		w.commit = func(int) Committed { return Committed{Commit: "base"} }
		w.gate = func(Action) Result { return failing("a") }
	}
	tell(t, []rule{
		{"agent failure/three alike end as the agent's error, in its own words", func(t *testing.T) {
			w := newWorld(t, nil)
			idle(w)
			n := 0
			w.agent = func(Action) Outcome {
				n++
				return Outcome{End: EndFailed, Duration: time.Minute, Message: "the context window overflowed: " + strings.Repeat("9", n)}
			}
			s := w.ends(StatusFailed, AgentError, 3)
			if !strings.Contains(s.Message, "the context window overflowed: 999") || strings.Contains(s.Message, "changed nothing") {
				t.Error(s.Message)
			}
		}},
		{"agent failure/an agent that failed did not decide to change nothing", func(t *testing.T) {
			w := newWorld(t, nil)
			idle(w)
			n := 0
			w.agent = func(Action) Outcome {
				n++
				return Outcome{End: EndFailed, Duration: time.Minute, Message: strings.Repeat("x", n)}
			}
			w.ends(StatusFailed, Stuck, 5) // the gates fail alike
		}},
		{"agent failure/an agent that ends well and changes nothing still ends the loop", func(t *testing.T) {
			w := newWorld(t, nil)
			idle(w)
			w.ends(StatusFailed, NoChange, 3)
		}},
		{"agent failure/a run that hardly began is no attempt", func(t *testing.T) {
			w := newWorld(t, nil)
			idle(w)
			w.agent = always(Outcome{End: EndFailed, ExitCode: new(1), Duration: time.Second, Message: "exit code 1: no key"})
			s := w.ends(StatusFailed, AgentError, 1)
			if w.did(DoAgent) != 6 || s.Message != "the agent failed within 5s and changed nothing: exit code 1: no key (tried 6 times)" {
				t.Errorf("%d runs: %s", w.did(DoAgent), s.Message)
			}
		}},
		{"agent failure/a change, a session or time make it an attempt", func(t *testing.T) {
			for name, out := range map[string]Outcome{
				"time":    {End: EndFailed, ExitCode: new(1), Duration: time.Minute},
				"session": {End: EndFailed, ExitCode: new(1), Duration: time.Second, Session: "s"},
				"tools":   {End: EndFailed, ExitCode: new(1), Duration: time.Second, Usage: Usage{ToolCalls: new(int64(1))}},
			} {
				w := newWorld(t, nil)
				idle(w)
				w.agent = always(out)
				if s := w.ends(StatusFailed, AgentError, 3); w.did(DoAgent) != 3 {
					t.Errorf("%s: %d runs: %s", name, w.did(DoAgent), s.Message)
				}
			}
			w := newWorld(t, nil)
			w.agent = once(Outcome{End: EndFailed, ExitCode: new(1), Duration: time.Second})
			if w.run(); w.did(DoWait) != 0 {
				t.Error("work that changed something was not judged")
			}
		}},
	})
}
