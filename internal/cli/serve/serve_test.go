package serve

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/cli/command"
	"ralph/internal/cli/foreground"
	"ralph/internal/cli/project"
	"ralph/internal/engine/local"
	"ralph/internal/recovery"
	"ralph/internal/view"
)

func commands(env ...string) *Commands {
	r := foreground.New(&project.Opener{Terminal: command.Terminal{Streams: command.Streams{Dir: "/repo", Env: env}}})
	return New(r, nil)
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

// TestFailures: a failure that repeats each round is reported once; after anything
// else it is news again.
func TestFailures(t *testing.T) {
	t.Parallel()
	round := func(err string) local.Did { return local.Did{Err: errors.New(err)} }
	act := local.Did{Action: recovery.Action{Run: recovery.Run{ID: "a"}}}
	var f failures
	for i, c := range []struct {
		d    local.Did
		want bool
	}{
		{round("disk full"), false},
		{round("disk full"), true},
		{round("locked"), false},
		{round("disk full"), false},
		{act, false},
		{act, false},
		{round("disk full"), false},
		{round("disk full"), true},
	} {
		if got := f.repeat(c.d); got != c.want {
			t.Errorf("%d: %v", i, got)
		}
	}
}

// TestReported: an action has its name and try, a failed one its error.
func TestReported(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	act := recovery.Action{Run: recovery.Run{ID: "a"}, Verb: recovery.Resume, Why: "its process is gone", After: recovery.Restarts{Tries: 2}}
	for name, c := range map[string]struct {
		d    local.Did
		want view.Served
	}{
		"done":           {local.Did{Action: act}, view.Served{At: at, Repository: "/r", LoopID: "a", Event: "rescue", Try: 2, Detail: "its process is gone"}},
		"failed":         {local.Did{Action: act, Err: errors.New("busy")}, view.Served{At: at, Repository: "/r", LoopID: "a", Event: "rescue_failed", Try: 2, Detail: "busy"}},
		"a round failed": {local.Did{Err: errors.New("locked")}, view.Served{At: at, Repository: "/r", Event: "rescue_failed", Detail: "locked"}},
	} {
		if diff := cmp.Diff(c.want, reported(c.d, "/r", at)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
