package proc

import (
	"bufio"
	"os/exec"
	"syscall"
	"testing"

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
