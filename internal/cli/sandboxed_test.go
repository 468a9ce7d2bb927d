package cli

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/foreground"
	"ralph/internal/cli/project"
)

// TestASandboxedAgentIsToldWhatItMayAsk: the hint of a refusal names every command that an
// agent in a sandbox may call, each of which exists, and the others are refused.
func TestASandboxedAgentIsToldWhatItMayAsk(t *testing.T) {
	t.Parallel()
	dir, root := t.TempDir(), Commands()
	a := newApp(foreground.New(&project.Opener{}), &sandboxedAgent{tree: dir})
	a.Dir = dir
	var refusal *exit.Error
	status, _, err := root.Find([]string{"status"})
	if err != nil || !errors.As(a.admit(status), &refusal) {
		t.Fatalf("ralph status is admitted: %v", err)
	}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		named := slices.ContainsFunc(askable, func(name string) bool { return strings.HasPrefix(cmd.CommandPath()+" ", name+" ") })
		if admitted := a.admit(cmd) == nil; admitted != named {
			t.Errorf("%s is admitted: %v, and named as such: %v", cmd.CommandPath(), admitted, named)
		}
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(root)
	for _, name := range askable {
		found, _, err := root.Find(strings.Fields(name)[1:])
		if err != nil || found.CommandPath() != name || !strings.Contains(refusal.Hint, name) {
			t.Errorf("%s: %v; the hint is %q", name, err, refusal.Hint)
		}
	}
}
