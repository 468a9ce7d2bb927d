package runs

import (
	"strings"
	"testing"

	"ralph/internal/cli/exit"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
)

// TestMovedNamesTheWaysOn: a command about a run on a server is refused with the command
// to type there, the way back, and the way on without that server.
func TestMovedNamesTheWaysOn(t *testing.T) {
	t.Parallel()
	server := loop.Home{Engine: "temporal://there:7233/default"}
	err := moved(&engine.MovedError{ID: "fix", To: server}, next.Resume("fix"))
	hint := exit.Classify(err).Hint
	for _, way := range []string{next.At(server, next.Resume("fix")), next.Move("fix", loop.Home{Engine: loop.LocalEngine}), next.AbandonServer("fix")} {
		if !strings.Contains(hint, way) {
			t.Errorf("the hint does not name %q: %s", way, hint)
		}
	}
	if got := exit.Classify(moved(&engine.MovedError{ID: "fix", To: server, Moving: true}, next.Resume("fix"))).Hint; !strings.Contains(got, next.Move("fix", server)) {
		t.Errorf("on its way: %s", got)
	}
	if moved(nil, "") != nil {
		t.Error("a run that is here is refused")
	}
}
