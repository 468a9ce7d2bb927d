//go:build linux || darwin

package proc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
	"ralph/internal/testing/runnable"
	"ralph/internal/testing/tier"
)

func code(e Exit) int {
	if e.Code == nil {
		return -1
	}
	return *e.Code
}

func TestExits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		script, signal string
		code           int
		ok             bool
	}{
		{script: "exit 0", code: 0, ok: true},
		{script: "exit 1", code: 1},
		{script: "exit 126", code: 126},
		{script: "exit 127", code: 127},
		{script: "exit 255", code: 255},
		{script: "kill -TERM $$", code: -1, signal: "SIGTERM"},
		{script: "kill -KILL $$", code: -1, signal: "SIGKILL"},
		{script: "kill -SEGV $$", code: -1, signal: "SIGSEGV"},
	} {
		t.Run(tt.script, func(t *testing.T) {
			t.Parallel()
			e := wait(t, start(t, spec(t, "sh", "-c", tt.script)))
			if code(e) != tt.code || e.Signal != tt.signal || e.OK() != tt.ok {
				t.Errorf("got code %d, signal %q, ok %v: %+v", code(e), e.Signal, e.OK(), e)
			}
			if e.TimedOut || e.Stopped || e.Finished || e.CannotStart || e.Leftovers != 0 {
				t.Errorf("more than an exit: %+v", e)
			}
			if e.StartedAt.IsZero() || e.Duration <= 0 || e.MaxRSS <= 0 {
				t.Errorf("not measured: %+v", e)
			}
		})
	}
}

// TestShimStartsNothing: where main does not call ShimMain, as in a test binary without a
// TestMain, the shim would start shims without end.
func TestShimStartsNothing(t *testing.T) { //nolint:paralleltest // it sets os.Args
	before := os.Args
	defer func() { os.Args = before }()
	os.Args = []string{before[0], shimArg, "run"}
	if _, err := Start(t.Context(), spec(t, "true")); err == nil || !strings.Contains(err.Error(), "ShimMain") {
		t.Errorf("got %v", err)
	}
}

func TestCannotStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	lost := filepath.Join(dir, "lost")
	os.WriteFile(plain, []byte("x"), 0o644)
	runnable.Write(lost, "#!/no/such/interpreter\n")
	for name, argv := range map[string][]string{
		"missing in PATH":     {"no-such-command-anywhere"},
		"missing file":        {"/no/such/file"},
		"not executable":      {plain},
		"directory":           {dir},
		"missing interpreter": {lost},
		"null byte":           {"sh", "-c", "\x00"},
		"too long":            {"sh", "-c", strings.Repeat("x", 3<<20)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := wait(t, start(t, spec(t, argv...)))
			if !e.CannotStart || e.Reason == "" || e.Code != nil || e.OK() {
				t.Errorf("got %+v", e)
			}
			t.Log(e.Reason)
		})
	}
	t.Run("missing directory", func(t *testing.T) {
		t.Parallel()
		s := spec(t, "true")
		s.Dir = "/no/such/directory"
		if e := wait(t, start(t, s)); !e.CannotStart || !strings.Contains(e.Reason, s.Dir) {
			t.Errorf("got %+v", e)
		}
	})
}

func TestRefused(t *testing.T) {
	t.Parallel()
	cancelled, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("no more")
	cancel(stop)
	used := spec(t, "true")
	wait(t, start(t, used))
	for name, tt := range map[string]struct {
		ctx    context.Context
		change func(*Spec)
		want   error
	}{
		"empty command": {change: func(s *Spec) { s.Argv = nil }},
		"empty name":    {change: func(s *Spec) { s.Argv = []string{""} }},
		"no token":      {change: func(s *Spec) { s.Run = "" }},
		"hostile token": {change: func(s *Spec) { s.Run = "a\nb" }},
		"missing stdin": {change: func(s *Spec) { s.Stdin = "/no/such/file" }, want: os.ErrNotExist},
		"used":          {change: func(s *Spec) { s.RunDir = used.RunDir }, want: errUsed},
		"cancelled":     {ctx: cancelled, want: stop},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, ctx := spec(t, "true"), t.Context()
			if tt.change != nil {
				tt.change(&s)
			}
			if tt.ctx != nil {
				ctx = tt.ctx
			}
			_, err := Start(ctx, s)
			if err == nil || tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// The child gets exactly the environment of its Spec.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	in := filepath.Join(t.TempDir(), "in")
	os.WriteFile(in, []byte("from the file\n"), 0o600)
	var out bytes.Buffer
	s := spec(t, "sh", "-c", `cat; pwd; printf '%s\n' "$1"; ls /proc/self/fd 2>/dev/null | wc -l; env`, "sh", "arg \xff\xfe")
	s.Env = append(s.Env, "ODD=\xff\n=", "RALPH_RUN=outer", "RALPH_OWNER=1")
	s.Stdin, s.Stdout = in, &out
	if e := wait(t, start(t, s)); !e.OK() {
		t.Fatalf("%+v", e)
	}
	got := out.String()
	dir, _ := filepath.EvalSymlinks(s.Dir)
	for _, want := range []string{"from the file\n", dir + "\n", "arg \xff\xfe\n", "ODD=\xff\n=\n", "RALPH_RUN=" + s.Run + "\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	for _, bad := range []string{"outer", "RALPH_OWNER"} {
		if strings.Contains(got, bad) {
			t.Errorf("%q is in %q", bad, got)
		}
	}
}

// PWD is the child's folder, not the supervisor's.
func TestFolderInEnvironment(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	s := spec(t, "env")
	s.Env, s.Stdout = append(s.Env, "PWD=/somewhere", "OLDPWD=/else"), &out
	wait(t, start(t, s))
	if got := out.String(); !strings.Contains(got, "PWD="+s.Dir+"\n") || strings.Contains(got, "OLDPWD") || strings.Count(got, "PWD=") != 1 {
		t.Errorf("got %q", got)
	}
}

func TestStreams(t *testing.T) {
	t.Parallel()
	const script = "printf out; printf err >&2"
	var out, err, both bytes.Buffer
	apart := spec(t, "sh", "-c", script)
	apart.Stdout, apart.Stderr = &out, &err
	wait(t, start(t, apart))
	merged := spec(t, "sh", "-c", script)
	merged.Stdout = &both
	wait(t, start(t, merged))
	wait(t, start(t, spec(t, "sh", "-c", script)))
	only := spec(t, "sh", "-c", script)
	only.Stderr = &err
	wait(t, start(t, only))
	if out.String() != "out" || err.String() != "errerr" || both.String() != "outerr" {
		t.Errorf("got %q, %q, %q", out.String(), err.String(), both.String())
	}
}

// brokenWriter takes one write.
type brokenWriter struct{ writes int }

func (b *brokenWriter) Write(p []byte) (int, error) {
	if b.writes++; b.writes > 1 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

// A writer that fails must not block the child.
func TestBrokenWriter(t *testing.T) {
	t.Parallel()
	s := spec(t, roleArgv("flood", "1000000")...)
	w := &brokenWriter{}
	s.Stdout = w
	e, err := start(t, s).Wait()
	if !errors.Is(err, io.ErrClosedPipe) || code(e) != 0 || w.writes != 2 {
		t.Errorf("got %+v, %v, %d writes", e, err, w.writes)
	}
}

func TestHardTimeout(t *testing.T) {
	t.Parallel()
	soft := make(chan struct{})
	s := spec(t, "sleep", "60")
	s.Timeout = loop.Deadline{Soft: 10 * time.Millisecond, Hard: 50 * time.Millisecond}
	s.OnSoft = func() { close(soft) } // a second call would panic
	e := wait(t, start(t, s))
	<-soft
	if !e.TimedOut || e.Stopped || e.Signal != "SIGTERM" || e.OK() || !strings.Contains(e.Reason, "50ms") {
		t.Errorf("got %+v", e)
	}
}

// A child that exits with 0 because it was told to end has not succeeded.
func TestTimeoutIsNoSuccess(t *testing.T) {
	t.Parallel()
	s := spec(t, "sh", "-c", "trap 'exit 0' TERM; echo ready; while :; do sleep 0.01; done")
	s.Grace = ample
	c := ready(t, t.Context(), s)
	c.request(orderTimeout)
	if e := wait(t, c); code(e) != 0 || !e.TimedOut || e.OK() {
		t.Errorf("got %+v", e)
	}
}

// ready starts a script and waits until it says so.
func ready(t *testing.T, ctx context.Context, s Spec) *Child {
	t.Helper()
	r, w := io.Pipe()
	s.Stdout = w
	c, err := Start(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Kill(); c.Wait() })
	waitFor(t, r, "ready")
	return c
}

func TestStopEscalates(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ trap, signal string }{
		"INT is enough":  {"trap 'kill -KILL $$' QUIT", "SIGINT"},
		"TERM is needed": {"trap '' INT", "SIGTERM"},
		"KILL is needed": {"trap '' INT TERM", "SIGKILL"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := ready(t, t.Context(), spec(t, "sh", "-c", tt.trap+"; echo ready; while :; do sleep 0.01; done"))
			c.Stop()
			if e := wait(t, c); !e.Stopped || e.Signal != tt.signal || e.OK() {
				t.Errorf("got %+v", e)
			}
		})
	}
}

// A child that wants INT gets it first for any cause, and is then ended like any other.
func TestInterruptComesFirst(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*Child, context.CancelFunc){
		"timeout":   func(c *Child, _ context.CancelFunc) { c.request(orderTimeout) },
		"cancelled": func(_ *Child, cancel context.CancelFunc) { cancel() },
		"finished":  func(c *Child, _ context.CancelFunc) { c.request(orderFinish) },
		"stopped":   func(c *Child, _ context.CancelFunc) { c.Stop() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			s := spec(t, "sh", "-c", "trap 'exit 5' INT; trap 'exit 6' TERM; echo ready; while :; do sleep 0.01; done")
			s.Interrupt, s.Grace = true, ample
			c := ready(t, ctx, s)
			end(c, cancel)
			if e := wait(t, c); code(e) != 5 || e.OK() {
				t.Errorf("got %+v", e)
			}
		})
	}
	t.Run("tools are spared", func(t *testing.T) {
		t.Parallel()
		if _, err := LookPath("setsid"); err != nil {
			tier.SkipLacking(t, "setsid", err)
		}
		var out bytes.Buffer
		// The tool, in a session of its own, would say that it was interrupted.
		s := spec(t, "sh", "-c", `setsid sh -c 'trap "echo interrupted" INT; echo ready; while :; do sleep 0.01; done' &
			trap 'echo mine; exit 5' INT; while :; do sleep 0.01; done`)
		s.Interrupt, s.Grace = true, ample
		r, w := io.Pipe()
		s.Stdout = io.MultiWriter(&out, w)
		c, err := Start(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		waitFor(t, r, "ready")
		c.Stop()
		if e := wait(t, c); code(e) != 5 || !strings.Contains(out.String(), "mine") || strings.Contains(out.String(), "interrupted") {
			t.Errorf("got %+v, %q", e, out.String())
		}
	})
	t.Run("deaf", func(t *testing.T) {
		t.Parallel()
		s := spec(t, "sh", "-c", "trap '' INT; trap 'exit 6' TERM; echo ready; while :; do sleep 0.01; done")
		s.Interrupt, s.Grace = true, 3*time.Second // TERM comes after a third of it
		c := ready(t, t.Context(), s)
		c.request(orderTimeout)
		if e := wait(t, c); code(e) != 6 || !e.TimedOut {
			t.Errorf("got %+v", e)
		}
	})
}

func TestKill(t *testing.T) {
	t.Parallel()
	s := spec(t, "sh", "-c", "trap '' INT TERM; echo ready; sleep 60")
	s.Grace = time.Hour
	c := ready(t, t.Context(), s)
	c.Stop() // at once followed by the more urgent one
	c.Kill()
	if e := wait(t, c); !e.Stopped || e.Signal != "SIGKILL" {
		t.Errorf("got %+v", e)
	}
	c.Stop() // nothing to stop, nothing happens
	c.Kill()
}

func TestContextEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	c := ready(t, ctx, spec(t, "sh", "-c", "echo ready; sleep 60"))
	cancel(errors.New("fenced"))
	if e := wait(t, c); !e.Stopped || e.Reason != "fenced" || e.Signal != "SIGTERM" {
		t.Errorf("got %+v", e)
	}
}

// A child that is stopped (SIGSTOP) still hears TERM.
func TestStoppedChildEnds(t *testing.T) {
	t.Parallel()
	c := ready(t, t.Context(), spec(t, "sh", "-c", "trap 'exit 7' TERM; echo ready; kill -STOP $$; sleep 60"))
	c.request(orderCancel)
	if e := wait(t, c); !e.Stopped {
		t.Errorf("got %+v", e)
	}
}

func TestHangsAfterFinished(t *testing.T) {
	t.Parallel()
	finished := make(chan struct{})
	s := spec(t, "sh", "-c", "echo ready; sleep 60")
	s.Finished, s.FinishGrace = finished, 20*time.Millisecond
	c := ready(t, t.Context(), s)
	close(finished)
	if e := wait(t, c); !e.Finished || e.Stopped || e.TimedOut || e.Reason == "" {
		t.Errorf("got %+v", e)
	}
}

func TestExitsAfterFinished(t *testing.T) {
	t.Parallel()
	finished := make(chan struct{})
	close(finished)
	s := spec(t, "sh", "-c", "exit 3")
	s.Finished, s.FinishGrace = finished, time.Hour
	if e := wait(t, start(t, s)); e.Finished || code(e) != 3 {
		t.Errorf("got %+v", e)
	}
}

// A process outside the tree that holds the output must not block Wait.
func TestStrangerHoldsOutput(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	s := spec(t, "sh", "-c", "echo said")
	s.Stdout = &out
	s, err := s.complete()
	if err != nil {
		t.Fatal(err)
	}
	o, err := openOutput(s)
	if err != nil {
		t.Fatal(err)
	}
	defer o.closeChildEnds() // the stranger is this test
	o.start()
	o.stdout.WriteString("said\n")
	begun := time.Now()
	if err := o.drain(); err != nil || out.String() != "said\n" {
		t.Errorf("got %q, %v", out.String(), err)
	}
	if d := time.Since(begun); d > 10*drainTime {
		t.Errorf("drained for %s", d)
	}
}

// slowWriter needs more than the drain time for its first bytes.
type slowWriter struct{ bytes.Buffer }

func (w *slowWriter) Write(p []byte) (int, error) {
	if w.Len() == 0 {
		time.Sleep(drainTime + finalRead) // what is tried is slowness itself
	}
	return w.Buffer.Write(p)
}

// Output that a slow disk has delayed is not lost: an agent's last line is its result.
func TestSlowWriterGetsEverything(t *testing.T) {
	t.Parallel()
	var out slowWriter
	s := spec(t, "sh", "-c", "head -c 40000 /dev/zero; echo last")
	s.Stdout = &out
	if e := wait(t, start(t, s)); !e.OK() {
		t.Errorf("got %+v", e)
	}
	if got := out.String(); len(got) != 40_005 || !strings.HasSuffix(got, "last\n") {
		t.Errorf("%d bytes arrived", len(got))
	}
}

// A shim that cannot record the end counts as lost, never as a success.
func TestExitNotRecorded(t *testing.T) {
	t.Parallel()
	s := spec(t, "sh", "-c", `rm -rf "$0"; exit 0`)
	s.Argv = append(s.Argv, s.RunDir)
	e, err := start(t, s).Wait()
	if !errors.Is(err, ErrLost) || e.OK() || e.Code != nil {
		t.Errorf("got %+v, %v", e, err)
	}
}

// An exit record that the child forges beforehand is overwritten; one that
// belongs to another run is not believed.
func TestForgedExit(t *testing.T) {
	t.Parallel()
	s := spec(t, "sh", "-c", `cp "$0" "$1/exit.json"; exit 9`)
	forged := filepath.Join(t.TempDir(), "forged")
	zero := 0
	rec := exitRecord{Schema: exitSchema, Run: s.Run, Ended: byItself, Exit: Exit{Code: &zero}}
	if err := writeRecord(filepath.Dir(forged), "forged", rec, false); err != nil {
		t.Fatal(err)
	}
	s.Argv = append(s.Argv, forged, s.RunDir)
	if e := wait(t, start(t, s)); code(e) != 9 {
		t.Errorf("got %+v", e)
	}
	if _, err := readExit(s.RunDir, "another"); err == nil {
		t.Error("the record of another run was read")
	}
}

func TestRunKeepsNoMoreThanMaxOutput(t *testing.T) {
	t.Parallel()
	for _, limit := range []int64{1, 10, 4096} {
		out, err := Run(t.Context(), Command{Argv: []string{"/bin/sh", "-c", "head -c 4097 /dev/zero"}, MaxOutput: limit, Env: os.Environ()})
		if err != nil || int64(len(out.Stdout)) != limit || !out.Truncated {
			t.Errorf("limit %d: kept %d bytes, truncated %v, error %v", limit, len(out.Stdout), out.Truncated, err)
		}
	}
}
