//go:build unix

package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// Handoff connects a background process to its starter; nil in the foreground.
type Handoff struct {
	pipe     *os.File
	detached atomic.Bool
}

// handoffFD is the first of exec's ExtraFiles.
const handoffFD = 3

func (b Background) start(ctx context.Context) (HandoffResult, error) {
	near, far, err := os.Pipe()
	if err != nil {
		return HandoffResult{}, fmt.Errorf("open a pipe for the hand-off: %w", err)
	}
	defer near.Close()
	cmd := &exec.Cmd{
		Path: selfPath(), Args: append([]string{"ralph", backgroundArg}, b.Args...), Dir: b.Dir,
		Env: b.environment(), ExtraFiles: []*os.File{far},
		Stdin: b.In, Stdout: b.Out, Stderr: b.Err, SysProcAttr: &syscall.SysProcAttr{Setsid: b.OwnSession},
	}
	closeAllOnExec()
	err = cmd.Start()
	_ = far.Close()
	if err != nil {
		return HandoffResult{}, fmt.Errorf("start in the background: %w", err)
	}
	defer context.AfterFunc(ctx, func() { near.Close() })()
	// The end of the process closes the pipe as well.
	n, _ := near.Read(make([]byte, 1))
	if n == 1 || ctx.Err() != nil {
		go func() { _ = cmd.Wait() }() // reap it as long as this process lives
		return HandoffResult{Detached: n == 1}, context.Cause(ctx)
	}
	err = cmd.Wait()
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
		return HandoffResult{}, fmt.Errorf("wait for the background: %w", err)
	}
	return HandoffResult{Code: cmd.ProcessState.ExitCode()}, nil
}

// environment adds ralph's mark: the process leads a session of its own, and must
// not be taken for one that a lost shim left.
func (b Background) environment() []string {
	env := b.Env
	if env == nil {
		env = os.Environ()
	}
	return append(without(env, ownerVariable), ownerMark())
}

// closeAllOnExec marks every open file close-on-exec: a lock or a pipe inherited
// from a shell must not stay open in the background.
func closeAllOnExec() {
	open, err := os.ReadDir("/dev/fd")
	if err != nil {
		return
	}
	for _, e := range open {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
}

// openHandoff opens the pipe. There is none where a user typed the argument.
func openHandoff() *Handoff {
	var st unix.Stat_t
	if unix.Fstat(handoffFD, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFIFO {
		return &Handoff{}
	}
	closeOnExec(handoffFD)
	return &Handoff{pipe: os.NewFile(handoffFD, "handoff")}
}

// Waiting reports whether the starter still waits. If not, the user has ended it,
// and the background must not begin.
func (l *Handoff) Waiting() bool {
	fds := []unix.PollFd{{Fd: handoffFD}}
	for l.pipe != nil {
		// A preempted goroutine interrupts the call.
		if _, err := unix.Poll(fds, 0); err != unix.EINTR {
			return fds[0].Revents&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) == 0
		}
	}
	return false
}

// Detached reports whether this process has detached.
func (l *Handoff) Detached() bool { return l != nil && l.detached.Load() }

// Detach makes this process outlive the terminal: it gets a session of its own,
// no input, log for its output, and the starter may exit. An error names the step
// that failed; the process continues by itself all the same.
func (l *Handoff) Detach(log string) error {
	l.detached.Store(true)
	err := errors.Join(newSession(), redirect(log), os.Chdir("/"))
	if l.pipe == nil {
		return err
	}
	_, _ = l.pipe.Write([]byte{1})
	return errors.Join(err, l.pipe.Close())
}

// newSession begins a session, unless this process leads one.
func newSession() error {
	if sid, err := unix.Getsid(0); err == nil && sid == os.Getpid() {
		return nil
	}
	_, err := unix.Setsid()
	return err
}

// redirect replaces the three standard descriptors, so that also the output of a
// crash of the Go runtime is kept.
func redirect(log string) error {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	out := null
	f, err := os.OpenFile(filepath.Clean(log), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err == nil {
		defer f.Close()
		out = f
	}
	return errors.Join(err, duplicate(null, 0), duplicate(out, 1), duplicate(out, 2))
}

// background keeps a helper out of the terminal's foreground group: a ctrl-c is
// meant for ralph, and must not interrupt a commit.
func background() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
