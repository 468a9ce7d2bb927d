package proc

import (
	"bufio"
	"crypto/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestTheFirstProcessIsKilled: what Go's runtime does with a TERM in the first process of a
// namespace is known as a kill. A sandbox whose init dies so before it has begun was not
// impossible to build.
func TestTheFirstProcessIsKilled(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), selfPath(), roleArg, "first")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWPID | unix.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{Size: 1}}, GidMappings: []syscall.SysProcIDMap{{Size: 1}},
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skipf("a process namespace of its own: %v", err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(unix.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if s := unix.WaitStatus(cmd.ProcessState.Sys().(syscall.WaitStatus)); !killedAsFirst(s) || killed(s) {
		t.Errorf("it ended with %v", cmd.ProcessState)
	}
}

// TestAnInitThatIsKilledEarly is no sandbox that cannot be built.
func TestAnInitThatIsKilledEarly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		status  unix.WaitStatus
		started bool
		want    bool
	}{
		{"TERM in the first process of a namespace", 2 << 8, false, true},
		{"exit code 2 of the child", 2 << 8, true, false},
		{"KILL", unix.WaitStatus(unix.SIGKILL), false, true},
		{"a wrapper that reports TERM", (128 + 15) << 8, true, true},
		{"the sandbox is not allowed", 1 << 8, false, false},
	} {
		if got := (&sandboxedChild{wrapper: 7, started: c.started}).killed(c.status); got != c.want {
			t.Errorf("%s: killed is %v", c.name, got)
		}
	}
}

// TestSweepEndsAProbe: a probe whose supervisor and shim were killed may leave a process
// that they had stopped, to kill it next. It ends with the probe's folder.
func TestSweepEndsAProbe(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	dir := filepath.Join(parent, "ralph-probe-77-1")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	gone := exec.CommandContext(t.Context(), "true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	rec := runRecord{Schema: runSchema, Run: "probe-" + rand.Text(), Shim: identity{PID: gone.Process.Pid, Start: 1}, Machine: thisMachine()}
	if err := writeRecord(dir, runFile, rec, false); err != nil {
		t.Fatal(err)
	}
	left := exec.CommandContext(t.Context(), "sleep", "3000")
	left.Env = append(os.Environ(), runVariable+"="+rec.Run)
	if err := left.Start(); err != nil {
		t.Fatal(err)
	}
	if err := left.Process.Signal(unix.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	removed := removeLeft(parent, "ralph-probe-", time.Now().Add(time.Hour))
	if err := left.Wait(); err == nil || !slices.Equal(removed, []string{dir}) {
		t.Errorf("it ended with %v; removed: %q", err, removed)
	}
}
