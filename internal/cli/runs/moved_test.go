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
	err := moved(&engine.MovedError{ID: "fix", To: server}, "", next.Resume("fix"))
	hint := exit.Classify(err).Hint
	for _, way := range []string{next.At(server, next.Resume("fix")), next.Move("fix", loop.Home{Engine: loop.LocalEngine}), next.AbandonServer("fix")} {
		if !strings.Contains(hint, way) {
			t.Errorf("the hint does not name %q: %s", way, hint)
		}
	}
	if got := exit.Classify(moved(&engine.MovedError{ID: "fix", To: server, Moving: true}, "", next.Resume("fix"))).Hint; !strings.Contains(got, next.Move("fix", server)) {
		t.Errorf("on its way: %s", got)
	}
	inner := exit.Classify(moved(&engine.MovedError{ID: "inner", Plan: true, To: server}, "outer", next.Resume("inner"))).Hint
	for _, way := range []string{next.At(server, next.Resume("inner")), next.Move("outer", loop.Home{Engine: loop.LocalEngine}), next.AbandonServer("outer")} {
		if !strings.Contains(inner, way) {
			t.Errorf("the hint about a plan in the place of a task does not name %q: %s", way, inner)
		}
	}
	if strings.Contains(inner, "move inner") || strings.Contains(inner, "--fresh") {
		t.Errorf("it moves alone, or begins anew alone: %s", inner)
	}
	if moved(nil, "", "") != nil {
		t.Error("a run that is here is refused")
	}
}
