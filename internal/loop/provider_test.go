package loop

import (
	"testing"
	"time"
)

// refusals are the outcomes of runs that their provider did not serve.
var refusals = map[Reason]Outcome{
	ForLimit:    {End: EndLimit, Provider: Limited, Message: "used up"},
	ForThrottle: {End: EndTransient, Provider: Throttled, Message: "429"},
	ForDown:     {End: EndTransient, Provider: Down, Message: "503"},
	ForLogin:    {End: EndPermanent, Provider: NoLogin, Message: "401"},
}

func TestProviders(t *testing.T) {
	t.Parallel()
	tell(t, []rule{
		{"provider/each trouble waits under its own reason, and consumes nothing", func(t *testing.T) {
			for reason, out := range refusals {
				w := newWorld(t, nil)
				w.agent = once(out)
				w.until(DoWait)
				if w.s.Reason != reason || w.s.Message != out.Message || !w.s.AwaitsProvider() || w.s.Retries != 0 {
					t.Errorf("%s: %s, %q, %d retries", reason, w.s.Reason, w.s.Message, w.s.Retries)
				}
				w.ends(StatusPassed, Green, 1)
			}
		}},
		{"provider/an outage of a night is waited out, at most an hour at a time", func(t *testing.T) {
			for reason, out := range refusals {
				w := newWorld(t, nil)
				w.agent = func(Action) Outcome {
					if w.now.Sub(noon) < 8*time.Hour {
						return out
					}
					return Outcome{End: EndDone}
				}
				s := w.run()
				if s.Status != StatusPassed || s.Iteration != 1 || s.LimitWait < 7*time.Hour || s.Active > 10*time.Minute {
					t.Errorf("%s: %s/%s after %d attempts, waited %s, active %s", reason, s.Status, s.Reason, s.Iteration, s.LimitWait, s.Active)
				}
			}
		}},
		{"provider/a login is tried rarely", func(t *testing.T) {
			w := newWorld(t, nil)
			w.agent = once(refusals[ForLogin])
			w.until(DoWait)
			if d := w.s.Wake.Sub(w.now); d != 5*time.Minute {
				t.Errorf("waits %s", d)
			}
		}},
		{"provider/the record of the account decides, else the provider's own time", func(t *testing.T) {
			out := refusals[ForThrottle]
			out.ResetAt = noon.Add(time.Hour)
			w := newWorld(t, nil)
			w.agent = once(out)
			w.until(DoWait)
			if !w.s.Wake.Equal(out.ResetAt) {
				t.Errorf("wakes %s", w.s.Wake)
			}
			out.RetryAt = noon.Add(2 * time.Hour)
			w = newWorld(t, nil)
			w.agent = once(out)
			w.until(DoWait)
			if !w.s.Wake.Equal(out.RetryAt) {
				t.Errorf("wakes %s", w.s.Wake)
			}
		}},
		{"provider/limits.wait bounds all waits together", func(t *testing.T) {
			w := newWorld(t, func(s *Spec) { s.Limits.Wait = time.Hour })
			w.agent = always(refusals[ForDown])
			s := w.ends(StatusFailed, AgentError, 1)
			if s.LimitWait != time.Hour || s.Message != "waited 1h0m0s for the agent's provider (limits.wait): 503" {
				t.Errorf("waited %s: %s", s.LimitWait, s.Message)
			}
		}},
		{"provider/an old record of a limit names no health", func(t *testing.T) {
			if h := (Outcome{End: EndLimit}).Unhealthy(); h != Limited {
				t.Errorf("%q", h)
			}
			if h := (Outcome{End: EndDone, Provider: Down}).Unhealthy(); h != "" {
				t.Errorf("a run that ended well: %q", h)
			}
		}},
	})
}
