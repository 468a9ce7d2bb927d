package proc

import (
	"context"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
	"ralph/internal/sandbox/room"
	"ralph/internal/testing/tier"
)

// kinds are the sandboxes that this machine can build: everything but a folder
// of the test's own is read-only there.
func kinds(t testing.TB, dir string) map[string]*Sandbox {
	t.Helper()
	all := map[string]*Sandbox{}
	wrapper := []string{
		"--unshare-user", "--unshare-pid", "--as-pid-1", "--die-with-parent", "--cap-drop", "ALL",
		"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--bind", dir, dir, "--",
	}
	if bwrap, err := exec.LookPath("bwrap"); err == nil && exec.Command(bwrap, append(wrapper, "true")...).Run() == nil {
		all["bubblewrap"] = &Sandbox{Wrapper: append([]string{bwrap}, wrapper...)}
	}
	if walls := (&LandlockRules{Dirs: []string{dir}, Files: []string{"/dev/null"}}); LandlockABI() >= 3 {
		all["landlock"] = &Sandbox{Landlock: walls}
	}
	if len(all) == 0 {
		tier.SkipLacking(t, "bubblewrap and Landlock")
	}
	for name, in := range maps.Clone(all) {
		all[name+" in a room"] = &Sandbox{Wrapper: in.Wrapper, Landlock: in.Landlock, Room: bare(t)}
	}
	all["room"] = &Sandbox{Room: bare(t)}
	for name, in := range all {
		if in.Room != nil && !works(in) {
			delete(all, name)
		}
	}
	return all
}

// bare is a room that shows everything as it is, with a layer over a directory of
// its own.
func bare(t testing.TB) *room.Spec {
	layer, scratch := t.TempDir(), t.TempDir()
	s := room.Spec{Scratch: scratch, Tree: layer}.With(room.Mount{Kind: room.Overlay, At: layer, From: []string{layer}})
	return &s
}

// works reports whether this machine can build a sandbox.
func works(in *Sandbox) bool {
	out, err := Probe{Argv: []string{"true"}, Dir: "/", Env: os.Environ(), Sandbox: in}.Ask(context.Background())
	return err == nil && out.Code == 0
}

func inside(t *testing.T, test func(t *testing.T, start func(script string) *Child, dir string)) {
	t.Helper()
	dir := t.TempDir()
	for name, in := range kinds(t, dir) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, func(script string) *Child {
				s := spec(t, "sh", "-c", script)
				s.Sandbox, s.Dir = in, dir
				return start(t, s)
			}, dir)
		})
	}
}

// How a child ends goes through a sandbox unchanged.
func TestInsideExits(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]struct {
		code   int
		signal string
	}{
		"exit 0": {0, ""}, "exit 1": {1, ""}, "exit 137": {137, ""}, "exit 255": {255, ""},
		"kill -KILL $$": {-1, "SIGKILL"}, "kill -TERM $$": {-1, "SIGTERM"}, "kill -SEGV $$": {-1, "SIGSEGV"},
	} {
		inside(t, func(t *testing.T, start func(string) *Child, _ string) {
			e := wait(t, start(script))
			if code(e) != want.code || e.Signal != want.signal || e.OK() != (want.code == 0) || e.Leftovers != 0 || e.CannotStart {
				t.Errorf("%s: %+v", script, e)
			}
			if e.Duration <= 0 || e.MaxRSS <= 0 {
				t.Errorf("not measured: %+v", e)
			}
		})
	}
}

// What was left behind is ended and counted; the sandbox is not counted.
func TestInsideLeavesNothing(t *testing.T) {
	t.Parallel()
	inside(t, func(t *testing.T, start func(string) *Child, dir string) {
		e := wait(t, start("trap '' TERM HUP; setsid sleep 600 >/dev/null 2>&1 & exit 3"))
		if code(e) != 3 || e.Leftovers != 1 || e.Survivors != 0 {
			t.Errorf("%+v", e)
		}
	})
}

// A child that is asked to end has its time, and its sandbox lives as long.
func TestInsideStops(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		stop func(*Child)
		code int
	}{
		"stop":   {(*Child).Stop, 7},
		"cancel": {func(c *Child) { c.request(orderCancel) }, 9},
		"kill":   {(*Child).Kill, -1},
	} {
		dir := t.TempDir()
		for kind, in := range kinds(t, dir) {
			t.Run(name+"/"+kind, func(t *testing.T) {
				t.Parallel()
				r, w := io.Pipe()
				s := spec(t, "sh", "-c", `trap 'exit 7' INT; trap 'exit 9' TERM; echo ready; while :; do sleep 0.05; done`)
				s.Sandbox, s.Dir, s.Stdout, s.Interrupt, s.Grace = in, dir, w, name == "stop", ample
				c := start(t, s)
				if _, err := r.Read(make([]byte, 5)); err != nil {
					t.Fatal(err)
				}
				go io.Copy(io.Discard, r)
				tt.stop(c)
				e := wait(t, c)
				if code(e) != tt.code || !e.Stopped || e.OK() {
					t.Errorf("exit code %d, not %d: %+v", code(e), tt.code, e)
				}
			})
		}
	}
}

// A sandbox that cannot be built starts nothing, and says why.
func TestInsideCannotBeBuilt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, in := range map[string]*Sandbox{
		"wrapper that fails": {Wrapper: []string{"/bin/sh", "-c", "echo no such mount >&2; exit 1"}},
		"no wrapper":         {Wrapper: []string{"/no/such/bwrap"}},
		"wall of no folder":  {Landlock: &LandlockRules{Dirs: []string{"/dev/null"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := spec(t, "sh", "-c", "touch "+filepath.Join(dir, "started"))
			s.Sandbox, s.Stdout = in, io.Discard
			e := wait(t, start(t, s))
			if !e.CannotStart || e.Reason == "" || e.Code != nil || e.OK() {
				t.Errorf("%+v", e)
			}
			if want := "the sandbox could not be built (exit code 1): no such mount"; name == "wrapper that fails" && (e.Reason != want || e.Cause() != loop.CauseLack) {
				t.Errorf("%q, %s, want %q, %s", e.Reason, e.Cause(), want, loop.CauseLack)
			}
		})
	}
	t.Cleanup(func() {
		if _, err := os.Stat(filepath.Join(dir, "started")); err == nil {
			t.Error("the child was started all the same")
		}
	})
}

func TestInsideCommandNotFound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, in := range kinds(t, dir) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := spec(t, "no-such-command-anywhere")
			s.Sandbox, s.Dir = in, dir
			if e := wait(t, start(t, s)); !e.CannotStart || !strings.Contains(e.Reason, "no-such-command-anywhere") {
				t.Errorf("%+v", e)
			}
		})
	}
}

// The deadline and the death of everything inside.
func TestInsideTimesOut(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, in := range kinds(t, dir) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := spec(t, "sh", "-c", "trap '' TERM INT; echo ready; while :; do sleep 1; done")
			s.Sandbox, s.Dir = in, dir
			c := ready(t, t.Context(), s)
			c.request(orderTimeout)
			if e := wait(t, c); !e.TimedOut || e.OK() || e.Survivors != 0 || e.Signal != "SIGKILL" {
				t.Errorf("%+v", e)
			}
		})
	}
}

func BenchmarkInside(b *testing.B) {
	dir := b.TempDir()
	all := kinds(b, dir)
	all["none"] = nil
	for name, in := range all {
		b.Run(name, func(b *testing.B) {
			s := spec(b, "true")
			s.Sandbox = in
			runs := b.TempDir()
			for i := 0; b.Loop(); i++ {
				s.RunDir = filepath.Join(runs, strings.Repeat("x", i%200)+name+time.Now().Format("150405.000000000"))
				if e := wait(b, start(b, s)); !e.OK() {
					b.Fatalf("%+v", e)
				}
			}
		})
	}
}
