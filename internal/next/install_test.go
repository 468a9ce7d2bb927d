package next

import (
	"testing"

	"ralph/internal/loop"
)

// TestAMissingProgram: the loop is done again once the program is there, which is named
// with the usual way to install it.
func TestAMissingProgram(t *testing.T) {
	t.Parallel()
	s := loop.State{
		Spec: loop.Spec{ID: "x"}, Status: loop.StatusFailed, Reason: loop.SetupError,
		BaseResults: []loop.Result{{Gate: "tests", Verdict: loop.Error, CannotStart: true, Reason: "command not found: pytest"}},
	}
	if got := Loop(s, Facts{}); got != "ralph retry x" {
		t.Errorf("%s", got)
	}
	s.BaseResults[0].CannotStart = false
	if got := Loop(s, Facts{}); got != "ralph doctor" {
		t.Errorf("another set-up error: %s", got)
	}
	for reason, want := range map[string]string{
		"command not found: pytest": "pip install pytest", "No module named pytest": "pip install pytest", "command not found: frobnicate": "", "": "",
	} {
		if got := Install(reason); got != want {
			t.Errorf("%q: %q", reason, got)
		}
	}
}
