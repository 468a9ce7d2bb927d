package proc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"ralph/internal/testing/tier"

	"golang.org/x/sys/unix"
)

// supervisor is a process of its own that supervises s.
type supervisor struct{ cmd *exec.Cmd }

// supervise starts one and waits until the child says ready. Tests that kill it run
// one at a time: what it leaves behind is adopted by this process, where a test
// beside it, whose shim was killed, would take that for its own orphans and end it.
func supervise(t *testing.T, s Spec) supervisor {
	t.Helper()
	body, err := json.Marshal(s.startRequest())
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self(), roleArgv("supervise", string(body))[1:]...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	sup := supervisor{cmd}
	t.Cleanup(sup.kill)
	waitFor(t, out, "ready")
	return sup
}

func (s supervisor) kill() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
}

// freeze stops a process and waits until each of its threads stands still: until
// the kernel has told them all, one that just wakes goes on.
func freeze(t *testing.T, id identity) {
	t.Helper()
	if !send(id, unix.SIGSTOP) {
		t.Fatalf("process %d cannot be stopped", id.PID)
	}
	tier.Eventually(t, "the stop of all threads", func() bool {
		threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", id.PID))
		for _, f := range threads {
			text, _ := os.ReadFile(f)
			if _, state, _ := bytes.Cut(text, []byte(") ")); len(state) == 0 || state[0] != 'T' {
				return false
			}
		}
		return len(threads) > 0
	})
}

func runRecordOf(t *testing.T, s Spec) runRecord {
	t.Helper()
	var rec runRecord
	if err := readRecord(filepath.Join(s.RunDir, runFile), &rec); err != nil {
		t.Fatal(err)
	}
	return rec
}

func mustRecover(t *testing.T, s Spec) Left {
	t.Helper()
	left, err := Recover(t.Context(), s.RunDir)
	if err != nil {
		t.Fatal(err)
	}
	return left
}

// kill -9 of the supervisor: the shim ends everything without any help.
func TestSupervisorKilled(t *testing.T) {
	s, dir := runawaySpec(t, "stay")
	sup := supervise(t, s)
	rec := runRecordOf(t, s)
	begun := time.Now()
	sup.kill()
	tier.Eventually(t, "the shim's end", func() bool { return !rec.Shim.alive() })
	t.Logf("all ended in %s, of it %s grace", time.Since(begun), s.Grace)
	allGone(t, dir)
	left := mustRecover(t, s)
	if left.How != LeftEnded || !left.Exit.Stopped || left.Exit.OK() {
		t.Errorf("got %+v", left)
	}
	if again := mustRecover(t, s); again.How != LeftEnded {
		t.Errorf("the second time %+v", again)
	}
}

// Recover does not wait for the shim to notice by itself.
func TestRecoverEndsRunning(t *testing.T) {
	s, dir := runawaySpec(t, "stay")
	sup := supervise(t, s)
	// A fenced supervisor is frozen, not dead: the lifeline stays open.
	if err := sup.cmd.Process.Signal(unix.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	left := mustRecover(t, s)
	if left.How != LeftEnded || !left.Exit.Stopped {
		t.Errorf("got %+v", left)
	}
	allGone(t, dir)
}

// The child ends by itself after its supervisor died, within the grace.
func TestRecoverDone(t *testing.T) {
	s := spec(t, "sh", "-c", "echo ready; read line <fifo; exit 5")
	if err := unix.Mkfifo(filepath.Join(s.Dir, "fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	sup := supervise(t, s)
	rec := runRecordOf(t, s)
	// The supervisor is frozen while the child ends, and then killed: nobody
	// but exit.json saw the end.
	if err := sup.cmd.Process.Signal(unix.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.Dir, "fifo"), []byte("go\n"), 0); err != nil {
		t.Fatal(err)
	}
	tier.Eventually(t, "the shim's end", func() bool { return !rec.Shim.alive() })
	sup.kill()
	left := mustRecover(t, s)
	if left.How != LeftDone || code(left.Exit) != 5 {
		t.Errorf("got %+v", left)
	}
}

func TestRecoverNone(t *testing.T) {
	t.Parallel()
	s := spec(t, "true")
	if left := mustRecover(t, s); left.How != LeftNone {
		t.Errorf("got %+v", left)
	}
}

// Supervisor and shim are both killed: the token finds what it can.
func TestRecoverWithoutShim(t *testing.T) {
	s := spec(t, "sh", "-c", "setsid sleep 60 & echo ready; sleep 60")
	sup := supervise(t, s)
	rec := runRecordOf(t, s)
	mark := runVariable + "=" + s.Run
	tier.Eventually(t, "the shell, its daemon and its sleep", func() bool { return len(carriers(mark)) >= 3 })
	freeze(t, rec.Shim) // or it would end the rest itself
	sup.kill()
	send(rec.Shim, unix.SIGKILL)
	left := mustRecover(t, s)
	if left.How != LeftEnded || left.Exit.Leftovers != 3 || !left.Exit.Stopped {
		t.Errorf("got %+v", left)
	}
	if n := len(carriers(mark)); n != 0 {
		t.Errorf("%d processes survive", n)
	}
	if again := mustRecover(t, s); again.How != LeftLost {
		t.Errorf("the second time %+v", again)
	}
}

// Recover does the work of a frozen shim.
func TestRecoverFrozenShim(t *testing.T) {
	s, dir := runawaySpec(t, "stay")
	sup := supervise(t, s)
	rec := runRecordOf(t, s)
	sup.cmd.Process.Signal(unix.SIGSTOP)
	freeze(t, rec.Shim)
	if n, err := rec.endRest(t.Context()); err != nil || n <= runawayCount {
		t.Errorf("ended %d, %v", n, err)
	}
	allGone(t, dir)
	if left := mustRecover(t, s); left.How != LeftLost {
		t.Errorf("got %+v", left)
	}
}

// Records that cannot be trusted lead to no signal.
func TestRecoverLost(t *testing.T) {
	t.Parallel()
	c := ready(t, t.Context(), spec(t, "sh", "-c", "echo ready; sleep 60"))
	victim := c.handle.(*shimHandle).id
	good := runRecord{Schema: runSchema, Run: "gone", Shim: victim, Machine: thisMachine()}
	reused, booted, foreign, old, initPID := good, good, good, good, good
	reused.Shim.Start--
	booted.Machine.Boot = "another"
	foreign.Machine.PIDNamespace = "pid:[1]"
	old.Schema = "ralph.run/v0"
	initPID.Shim.PID = 1
	for name, v := range map[string]any{
		"pid reused": reused, "another boot": booted, "another namespace": foreign,
		"another schema": old, "pid 1": initPID, "not an object": 7, "empty": map[string]int{},
	} {
		s := spec(t, "true")
		os.MkdirAll(s.RunDir, 0o700)
		if err := writeRecord(s.RunDir, runFile, v, true); err != nil {
			t.Fatal(err)
		}
		if left := mustRecover(t, s); left.How != LeftLost || left.Reason == "" {
			t.Errorf("%s: got %+v", name, left)
		}
	}
	s := spec(t, "true")
	os.MkdirAll(s.RunDir, 0o700)
	os.WriteFile(filepath.Join(s.RunDir, runFile), nil, 0o600)
	if left := mustRecover(t, s); left.How != LeftLost {
		t.Errorf("torn record: got %+v", left)
	}
	if !victim.alive() {
		t.Error("a stranger was ended")
	}
}

// A shim whose supervisor dies in the middle of the start request starts nothing.
func TestHalfRequestStartsNothing(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "started")
	s, err := spec(t, "touch", file).complete()
	if err != nil {
		t.Fatal(err)
	}
	var frame frames
	if err := sendStart(&frame, s.startRequest()); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 4, 5, len(frame) / 2, len(frame) - 1} {
		out, err := openOutput(s)
		if err != nil {
			t.Fatal(err)
		}
		far, near, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd := shimCommand(s, out, far)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		far.Close()
		out.closeChildEnds()
		near.Write(frame[:n])
		near.Close()
		if err := cmd.Wait(); cmd.ProcessState.ExitCode() != shimNotStarted {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("the child was started")
	}
}

type frames []byte

func (f *frames) Write(p []byte) (int, error) {
	*f = append(*f, p...)
	return len(p), nil
}
