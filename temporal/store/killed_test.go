//go:build server

package store_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/testing/tier"
	"ralph/temporal/store"
)

// owner is a process that owns a run.
type owner struct {
	*exec.Cmd
	in  io.Writer
	out *bufio.Scanner
}

// startOwner starts one, and returns when it has committed two events.
func startOwner(t *testing.T, project, id string) owner {
	t.Helper()
	self, err := os.Executable()
	ok(t, err)
	cmd := exec.Command(self, ownerWord, server.GetFrontendHostPort(), server.GetDefaultNamespace(), project, id)
	in, err := cmd.StdinPipe()
	ok(t, err)
	out, err := cmd.StdoutPipe()
	ok(t, err)
	cmd.Stderr = os.Stderr
	ok(t, cmd.Start())
	o := owner{cmd, in, bufio.NewScanner(out)}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if line := o.line(); line != "ready" {
		t.Fatalf("the owner printed %q", line)
	}
	return o
}

func (o owner) line() string {
	o.out.Scan()
	return o.out.Text()
}

// acquireOnce acquires a run as soon as its owner counts as dead.
func acquireOnce(t *testing.T, s *store.Store[loop.State, loop.Event], id string) *store.Lease[loop.State, loop.Event] {
	t.Helper()
	for end := time.Now().Add(tier.Hang); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		l, err := s.Acquire(t.Context(), id, nil, false)
		if err == nil {
			t.Cleanup(func() { _ = l.Release(t.Context()) })
			return l
		}
		if !errors.Is(err, engine.ErrRunning) {
			t.Fatal(err)
		}
	}
	t.Fatal("the owner counts as living")
	return nil
}

func TestKilledOwnerIsFollowed(t *testing.T) {
	t.Parallel()
	p := project()
	s := open(t, store.Loops(), p)
	o := startOwner(t, p, "run")
	ok(t, o.Process.Kill())
	l := acquireOnce(t, s, "run")
	if l.Epoch() != 2 || l.Seq() != 2 {
		t.Errorf("epoch %d, event %d", l.Epoch(), l.Seq())
	}
	ok(t, steer(t.Context(), l))
	all, err := s.Events(t.Context(), "run", 0)
	if err != nil || len(all) != 3 || all[1].Epoch != 1 || all[2].Epoch != 2 || all[2].Decoded == nil {
		t.Errorf("%+v, %v", all, err)
	}
}

// live waits until a run has a living owner, or none.
func live(t *testing.T, s *store.Store[loop.State, loop.Event], id string, want bool) engine.Stored[loop.State] {
	t.Helper()
	for end := time.Now().Add(tier.Hang); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		r, err := s.Read(t.Context(), id)
		ok(t, err)
		if r.Live == want {
			return r
		}
	}
	t.Fatalf("%s is not live: %v", id, want)
	return engine.Stored[loop.State]{}
}

// TestSlowOwnerKeepsTheRun: an owner whose heartbeats were late, and that no other
// process replaced, has its lease again without a commit.
func TestSlowOwnerKeepsTheRun(t *testing.T) {
	t.Parallel()
	p := project()
	s := open(t, store.Loops(), p)
	o := startOwner(t, p, "run")
	ok(t, o.Process.Signal(syscall.SIGSTOP))
	live(t, s, "run", false)
	ok(t, o.Process.Signal(syscall.SIGCONT))
	if r := live(t, s, "run", true); r.Epoch != 1 {
		t.Errorf("epoch %d", r.Epoch)
	}
	_, err := fmt.Fprintln(o.in)
	ok(t, err)
	if line := o.line(); line != "result: <nil>" {
		t.Errorf("its commit: %s", line)
	}
}

func TestFrozenOwnerIsFenced(t *testing.T) {
	t.Parallel()
	p := project()
	s := open(t, store.Loops(), p)
	o := startOwner(t, p, "run")
	ok(t, o.Process.Signal(syscall.SIGSTOP))
	l := acquireOnce(t, s, "run")
	ok(t, o.Process.Signal(syscall.SIGCONT))
	_, err := fmt.Fprintln(o.in)
	ok(t, err)
	if line := o.line(); !strings.Contains(line, engine.ErrFenced.Error()) {
		t.Errorf("its commit: %s", line)
	}
	ok(t, steer(t.Context(), l))
	r, err := s.Read(t.Context(), "run")
	if err != nil || r.Seq != 3 || r.Epoch != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}
