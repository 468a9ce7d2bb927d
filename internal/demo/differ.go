package demo

import (
	"fmt"
	"strings"

	"ralph/internal/loop"
)

// FailurePrefix begins the name of the branch that keeps a story's failed work
// (seed 004).
func (s Story) FailurePrefix() string { return "wip/ralph-fail-" + s.Name + "-" }

// Differs compares the record of a loop with what was announced, and says in a
// sentence each what is otherwise. Nothing is: the story ended as announced.
func (s Story) Differs(got loop.State) []string {
	var out []string
	differ := func(what string, got, want any) {
		if got != want {
			out = append(out, fmt.Sprintf("%s: %s is %v, announced was %v", s.Name, what, got, want))
		}
	}
	differ("status", got.Status, s.Ending.Status)
	differ("reason", got.Reason, s.Ending.Reason)
	differ("number of attempts", len(got.Attempts), len(s.Ending.Attempts))
	for i, want := range s.Ending.Attempts[:min(len(got.Attempts), len(s.Ending.Attempts))] {
		a, what := got.Attempts[i], fmt.Sprintf("attempt %d ", i+1)
		differ(what+"passed", a.Verdict == loop.Passed, want.Passed)
		differ(what+"changed something", a.Changed, want.Changed)
		differ(what+"shifted", a.Approach.Shift, want.Shift)
		differ(what+"failed like the one before", i > 0 && a.Fingerprint != "" && a.Fingerprint == got.Attempts[i-1].Fingerprint, want.Same)
	}
	differ("failed work is kept", strings.HasPrefix(got.FailureRef, s.FailurePrefix()), s.Ending.Kept)
	return out
}
