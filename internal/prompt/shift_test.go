package prompt

import (
	"strings"
	"testing"

	"ralph/internal/loop"
)

// unproved failed three times for want of a proof, and no gate failed.
func unproved() Input {
	in := shifted()
	in.State.Differs = true
	for i := range in.State.Recent {
		a := &in.State.Recent[i]
		a.FailedGate, a.Error = loop.FailedProof, "nothing proves this change; add a test that fails without it"
		a.Results = []loop.Result{{Gate: "tests", Level: loop.Hard, Verdict: loop.Passed}}
	}
	return in
}

// brokenBefore failed three times as the base does.
func brokenBefore() Input {
	in := shifted()
	in.State.BaseResults[0].Fingerprint = in.State.Recent[0].Fingerprint
	return in
}

// TestShiftForbidsNoRightWork: where only the proof is missing, or the gate failed so before
// any work, the approach is not called wrong or forbidden.
func TestShiftForbidsNoRightWork(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   Input
		want []string
	}{
		"unproved": {unproved(), []string{"## Prove the work", "### Attempt 3: nothing proves the work\n", "the work may stay as it is. What is missing:\nnothing proves this change; add a test"}},
		"on base":  {brokenBefore(), []string{"## Change your strategy", "these attempts neither caused nor fixed it", "- the approach of attempt 3"}},
	} {
		page := build(t, c.in)
		for _, want := range c.want {
			if !strings.Contains(page, want) {
				t.Errorf("%s: %q is missing:\n%s", name, want, page)
			}
		}
		for _, never := range []string{"forbidden", "does not work"} {
			if strings.Contains(page, never) {
				t.Errorf("%s: %q is on the page", name, never)
			}
		}
	}
	nothing := unproved()
	nothing.State.Differs = false
	if page := build(t, nothing); !strings.Contains(page, "are forbidden") {
		t.Error("doing nothing is not forbidden")
	}
}
