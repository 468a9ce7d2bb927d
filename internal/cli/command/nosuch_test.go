package command

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"ralph/internal/cli/exit"
)

// TestNoSuch: a word that is no command suggests the one that was meant, never a distant
// one, and for other programs' words the command that does that.
func TestNoSuch(t *testing.T) {
	t.Parallel()
	root := &cobra.Command{Use: "ralph"}
	for _, name := range []string{"status", "run", "logs", "loop"} {
		root.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	root.Commands()[1].AddCommand(&cobra.Command{Use: "check", Run: func(*cobra.Command, []string) {}})
	group := root.Commands()[1]
	plans := &cobra.Command{Use: "plan"}
	root.AddCommand(plans)
	for _, c := range []struct {
		cmd         *cobra.Command
		typed, hint string
	}{
		{root, "statsu", "did you mean: ralph status?"},
		{root, "rnu", "did you mean: ralph run?"},
		{root, "tatus", "did you mean: ralph status?"},
		{root, "ls", "did you mean: ralph status?"},
		{root, "bogus", "ralph --help lists the commands; a task"},
		{group, "chekc", "did you mean: " + group.CommandPath() + " check?"},
		{plans, "run", "did you mean: ralph run FILE?"},
		{group, "ls", group.CommandPath() + " --help lists the commands"},
	} {
		if hint := exit.Classify(NoSuch(c.cmd, []string{c.typed})).Hint; !strings.HasPrefix(hint, c.hint) {
			t.Errorf("%s %s: %s", c.cmd.CommandPath(), c.typed, hint)
		}
	}
	if NoSuch(root, nil) != nil {
		t.Error("no word is refused")
	}
}

func TestNear(t *testing.T) {
	t.Parallel()
	ids := []string{"plan-6ce69d9c", "plan-6ce69d9c-write-two", "fix-1b2c"}
	for typed, want := range map[string]string{
		"plan-6ce69d8c": "did you mean plan-6ce69d9c?", "write-two": "did you mean plan-6ce69d9c-write-two?", "x": "else", "nothing-of-it": "else",
	} {
		if got := Near(typed, ids, "else"); got != want {
			t.Errorf("%s: %s", typed, got)
		}
	}
}
