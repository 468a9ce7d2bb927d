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

// Leash ties a background to its starter. A nil one is a foreground's.
type Leash struct {
	pipe *os.File
	free atomic.Bool
}

// leashFD is the first of exec's ExtraFiles.
const leashFD = 3

func (b Background) start(ctx context.Context) (Parted, error) {
	near, far, err := os.Pipe()
	if err != nil {
		return Parted{}, fmt.Errorf("open a leash: %w", err)
	}
	defer near.Close()
	cmd := &exec.Cmd{
		Path: selfPath(), Args: append([]string{"ralph", leashWord}, b.Args...), Dir: b.Dir,
		Env: b.environment(), ExtraFiles: []*os.File{far},
		Stdin: b.In, Stdout: b.Out, Stderr: b.Err, SysProcAttr: &syscall.SysProcAttr{Setsid: b.Apart},
	}
	keepToOurselves()
	err = cmd.Start()
	_ = far.Close()
	if err != nil {
		return Parted{}, fmt.Errorf("start in the background: %w", err)
	}
	defer context.AfterFunc(ctx, func() { near.Close() })()
	// The end of the process closes the pipe as well.
	n, _ := near.Read(make([]byte, 1))
	if n == 1 || ctx.Err() != nil {
		go func() { _ = cmd.Wait() }() // as long as we live it is ours to bury
		return Parted{LetGo: n == 1}, context.Cause(ctx)
	}
	err = cmd.Wait()
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
		return Parted{}, fmt.Errorf("wait for the background: %w", err)
	}
	return Parted{Code: cmd.ProcessState.ExitCode()}, nil
}

// environment is what it was given, and our mark: it leads a session of its own, and
// must not be taken for what a lost shim left.
func (b Background) environment() []string {
	env := b.Env
	if env == nil {
		env = os.Environ()
	}
	return append(without(env, ownerVariable), ownerMark())
}

// keepToOurselves marks every open file close-on-exec: a lock or a pipe that a
// shell left open in us must not live on in the background.
func keepToOurselves() {
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

// holdLeash takes the pipe. Somebody who typed the word has left none there.
func holdLeash() *Leash {
	var st unix.Stat_t
	if unix.Fstat(leashFD, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFIFO {
		return &Leash{}
	}
	closeOnExec(leashFD)
	return &Leash{pipe: os.NewFile(leashFD, "leash")}
}

// Held says whether the starter still waits. Where it does not, a person has
// ended what they started, and nothing should come of it.
func (l *Leash) Held() bool {
	fds := []unix.PollFd{{Fd: leashFD}}
	for l.pipe != nil {
		// A goroutine that is preempted interrupts the call.
		if _, err := unix.Poll(fds, 0); err != unix.EINTR {
			return fds[0].Revents&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) == 0
		}
	}
	return false
}

// Free says whether it was let go.
func (l *Leash) Free() bool { return l != nil && l.free.Load() }

// LetGo makes this process outlive the terminal: a session of its own, nothing
// to read, log for all it writes, and the starter may go. An error says what of
// it was not possible; the process goes on by itself all the same.
func (l *Leash) LetGo(log string) error {
	l.free.Store(true)
	err := errors.Join(lead(), redirect(log), os.Chdir("/"))
	if l.pipe == nil {
		return err
	}
	_, _ = l.pipe.Write([]byte{1})
	return errors.Join(err, l.pipe.Close())
}

// lead begins a session, unless this process leads one.
func lead() error {
	if sid, err := unix.Getsid(0); err == nil && sid == os.Getpid() {
		return nil
	}
	_, err := unix.Setsid()
	return err
}

// redirect puts other files under the three standard descriptors, so that also
// what the language itself prints in a crash is kept.
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
