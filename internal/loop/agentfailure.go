package loop

import (
	"fmt"
	"strings"
	"time"
	"unicode"
)

// An attempt has two truths: what its agent met, and what the gates said. An agent
// that failed did not decide to change nothing.

// barely is the time within which an agent that fails has not begun to work: a
// missing key, a refused flag, a provider that hangs up.
const barely = 5 * time.Second

// failed reports whether the agent ended with an error or at a deadline.
func (o Outcome) failed() bool { return o.End == EndFailed || o.End == EndTimeout }

// hardlyBegan reports whether a run failed before any work: within seconds, with an
// exit code that is not zero, without a session or a tool call.
func (o Outcome) hardlyBegan() bool {
	worked := o.Session != "" || o.Usage.ToolCalls != nil && *o.Usage.ToolCalls > 0
	return o.End == EndFailed && o.ExitCode != nil && *o.ExitCode != 0 && o.Duration < barely && !worked
}

// lacked: such a run that changed nothing is no attempt. It is tried again after a
// wait that doubles, within Limits.Transient; then it ends the loop with its words.
func (s *State) lacked(at time.Time) {
	out := s.Last().Agent
	s.Step = StepAgent
	s.transient(at, because(fmt.Sprintf("the agent failed within %s and changed nothing", barely), out.Message))
}

// Met returns how the agent of an attempt failed, in its own words; empty where it did
// not fail.
func (a Attempt) Met() string {
	if !a.Agent.failed() {
		return ""
	}
	return a.Agent.words()
}

// words of a failed run: its end, and its message.
func (o Outcome) words() string { return because(string(o.End), o.Message) }

// withoutDigits makes two failures alike that differ in numbers only.
func withoutDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, s)
}

// failing counts the newest attempts whose agent failed alike without a change.
func (t *Tally) failing(a Attempt) {
	if a.Changed || !a.Agent.failed() {
		t.AgentFailed, t.FailedAs = 0, ""
		return
	}
	if withoutDigits(t.FailedAs) != withoutDigits(a.Agent.words()) {
		t.AgentFailed = 0
	}
	t.AgentFailed, t.FailedAs = t.AgentFailed+1, a.Agent.words()
}

// agentFails: the agent failed alike NoChange times running, without a change.
func (s *State) agentFails() *Ending {
	n := s.Tally.AgentFailed
	if s.Limits.NoChange == 0 || n < s.Limits.NoChange {
		return nil
	}
	return &Ending{
		Status: StatusFailed, Reason: AgentError,
		Message: fmt.Sprintf("the agent failed alike in %d attempts in a row, without a change: %s", n, s.Tally.FailedAs),
	}
}
