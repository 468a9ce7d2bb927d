package cli

import (
	"testing"

	"ralph/internal/cli/command"
	"ralph/internal/cli/foreground"
	"ralph/internal/cli/project"
)

// TestVerbsByName: a command is found by the name that it has in the table, and is then
// the only one that is built.
func TestVerbsByName(t *testing.T) {
	t.Parallel()
	a := newApp(foreground.New(&project.Opener{Terminal: command.Terminal{}}), nil)
	for _, v := range a.commands() {
		if built := v.build().Name(); built != v.name {
			t.Errorf("the table has %s as %q", built, v.name)
		}
		if all := a.root([]string{v.name, "--help"}).Commands(); len(all) != 1 || all[0].Name() != v.name {
			t.Errorf("%s: %d commands are built", v.name, len(all))
		}
	}
	for _, args := range [][]string{nil, {"--json", "status"}, {"help"}, {"statsu"}} {
		if all := a.root(args).Commands(); len(all) <= len(a.commands()) {
			t.Errorf("%q: %d commands are built", args, len(all))
		}
	}
}
