package view

import (
	"strings"
	"testing"

	"ralph/internal/loop"
)

// A version is news where the agent ran; one that could not start has told none.
func TestUntestedVersions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		out  loop.Outcome
		want string
	}{
		{loop.Outcome{End: loop.EndPermanent, Message: "not found", Untested: true, Tested: "2.1"}, ""},
		{loop.Outcome{End: loop.EndFailed, Untested: true, Tested: "2.1"}, ""},
		{loop.Outcome{End: loop.EndFailed, Untested: true, Tested: "2.1", Version: "9.9"}, "claude 9.9 is not one"},
		{loop.Outcome{End: loop.EndDone, Untested: true, Tested: "2.1"}, "claude of an unknown version is not one"},
	} {
		s := loop.State{Recent: []loop.Attempt{{N: 1, Agent: tt.out}}}
		s.Agent = loop.Agent{Name: "claude", Use: "claude"}
		got := strings.Join(aboutAgent(s, Facts{}), "\n")
		if tt.want == "" && strings.Contains(got, "version") || !strings.Contains(got, tt.want) {
			t.Errorf("%s %q: %s", tt.out.End, tt.out.Version, got)
		}
	}
}
