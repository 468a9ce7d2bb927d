package serve

import (
	"slices"
	"strings"
	"testing"

	"ralph/internal/cli/command"
	"ralph/internal/cli/foreground"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
)

func commands(env ...string) *Commands {
	r := foreground.New(&launch.Builder{Opener: project.Opener{Terminal: command.Terminal{Streams: command.Streams{Dir: "/repo", Env: env}}}})
	return New(&r)
}

func TestDirs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		f    serveFlags
		want []string
	}{
		{serveFlags{}, []string{"/repo"}},
		{serveFlags{all: true}, nil},
		{serveFlags{repos: []string{"a", "/b"}}, []string{"/repo/a", "/b"}},
	} {
		if got := c.f.dirs(commands()); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.f, got, c.want)
		}
	}
}

// TestUnit: systemd expands % everywhere and $ in commands; control characters
// would begin a setting of their own.
func TestUnit(t *testing.T) {
	t.Parallel()
	got, err := unitText("100% mine", []string{"/usr/bin/ralph", `a "b" $c %d`}, []string{"PATH=/bin:$HOME"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"ralph supervises the loops of 100%% mine\n",
		`ExecStart="/usr/bin/ralph" "a \"b\" $$c %%d"` + "\n",
		`Environment="PATH=/bin:$HOME"` + "\n",
		"KillMode=process\n",
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%q is missing in:\n%s", want, got)
		}
	}
	if _, err := unitText("repo", []string{"ralph"}, []string{"PATH=/bin\nExecStartPre=/bad"}); err == nil {
		t.Error("a line break came into the unit")
	}
	env := commands("PATH=/bin", "XDG_STATE_HOME=/state", "SECRET=1").unitEnv()
	if want := []string{"PATH=/bin", "XDG_STATE_HOME=/state"}; !slices.Equal(env, want) {
		t.Errorf("environment %v, want %v", env, want)
	}
}
