package stream

import (
	"strings"
	"testing"
	"time"

	"ralph/internal/agent"
	"ralph/internal/loop"
	"ralph/internal/proc"
)

func ended(code int) agent.Run { return agent.Run{Exit: proc.Exit{Code: &code}} }

// Success needs a positive last word, exit code 0, and that nobody stopped it.
func TestConclude(t *testing.T) {
	t.Parallel()
	stall, waiting := Transient("silent"), Transient("503")
	for name, tt := range map[string]struct {
		run     agent.Run
		said    Verdict
		stopped *Verdict
		trouble *Verdict
		begun   bool
		end     loop.End
		word    string
	}{
		"all good":                      {run: ended(0), said: Done(), begun: true, end: loop.EndDone},
		"good words, bad code":          {run: ended(7), said: Done(), begun: true, end: loop.EndFailed, word: "exit code 7"},
		"good words, a signal":          {run: agent.Run{Exit: proc.Exit{Signal: "SIGKILL"}}, said: Done(), begun: true, end: loop.EndInterrupted, word: "SIGKILL"},
		"good code, no words":           {run: ended(0), begun: true, end: loop.EndFailed, word: "without a final result"},
		"good code, nothing at all":     {run: ended(0), end: loop.EndTransient, word: "without a final result"},
		"bad words, good code":          {run: ended(0), said: Failed("loop"), begun: true, end: loop.EndFailed, word: "loop"},
		"a limit":                       {run: ended(1), said: Limit(time.Unix(9, 0), "five hours"), begun: true, end: loop.EndLimit, word: "five hours"},
		"ended after its result":        {run: agent.Run{Exit: proc.Exit{Finished: true}}, said: Done(), begun: true, end: loop.EndDone, word: "did not exit"},
		"ended after a bad result":      {run: agent.Run{Exit: proc.Exit{Finished: true}}, said: Transient("500"), begun: true, end: loop.EndTransient, word: "500"},
		"ended without a result":        {run: agent.Run{Exit: proc.Exit{Finished: true}}, begun: true, end: loop.EndFailed},
		"stopped, and says it is done":  {run: agent.Run{Exit: proc.Exit{Code: new(0), Stopped: true}}, said: Done(), stopped: &stall, begun: true, end: loop.EndTransient, word: "silent"},
		"stopped, and exited just then": {run: ended(0), said: Done(), stopped: &stall, begun: true, end: loop.EndTransient},
		"stopped by others":             {run: agent.Run{Exit: proc.Exit{Code: new(0), Stopped: true, Reason: "on request"}}, said: Done(), begun: true, end: loop.EndFailed, word: "on request"},
		"at its deadline":               {run: agent.Run{Exit: proc.Exit{TimedOut: true}}, said: Done(), begun: true, end: loop.EndTimeout, word: "stopped after 1m0s"},
		"at its deadline, waiting":      {run: agent.Run{Exit: proc.Exit{TimedOut: true}}, trouble: &waiting, begun: true, end: loop.EndTransient, word: "while it waited for its provider: 503"},
		"cannot begin":                  {run: ended(1), end: loop.EndTransient, word: "before it had begun: its last line"},
		"cannot begin, and says why":    {run: ended(41), said: Permanent("no login"), end: loop.EndPermanent, word: "no login"},
		"crashed":                       {run: agent.Run{Exit: proc.Exit{Signal: "SIGSEGV"}}, begun: true, end: loop.EndFailed, word: "SIGSEGV: its last line"},
		"not installed":                 {run: agent.Run{Exit: proc.Exit{CannotStart: true, Reason: "not found"}}, stopped: &stall, end: loop.EndPermanent, word: "not found"},
	} {
		tally := newTally(agent.Job{Timeout: loop.Deadline{Hard: time.Minute}})
		tally.begun, tally.stopped, tally.life.trouble, tally.last = tt.begun, tt.stopped, tt.trouble, "its last line"
		if out := tally.conclude(tt.run, tt.said); out.End != tt.end || !strings.Contains(out.Message, tt.word) {
			t.Errorf("%s: %s (%q), want %s with %q", name, out.End, out.Message, tt.end, tt.word)
		}
	}
}

func TestHTTP(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]loop.End{
		400: loop.EndFailed, 401: loop.EndPermanent, 402: loop.EndPermanent, 403: loop.EndPermanent, 404: loop.EndPermanent,
		408: loop.EndTransient, 413: loop.EndFailed, 429: loop.EndTransient, 500: loop.EndTransient, 503: loop.EndTransient, 529: loop.EndTransient,
	} {
		if got := HTTP(status, "x").End; got != want {
			t.Errorf("%d: %s, want %s", status, got, want)
		}
	}
}
