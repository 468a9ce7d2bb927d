package proc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// Command is a short, trusted helper (git). Untrusted programs are supervised
// children instead: see Start and Probe.
type Command struct {
	Argv []string
	Dir  string
	// Env is the whole environment, except for ralph's mark (RALPH_OWNER); nil
	// means an empty one.
	Env   []string
	Stdin io.Reader
	// MaxOutput caps stdout and stderr each, in bytes; zero means 64 MiB.
	MaxOutput int64
	// Holds is a file that the command has open as well, so that a lock on it lasts until
	// both processes have ended. Nothing is done with it on Windows.
	Holds *os.File
}

// Output is the result of a Command.
type Output struct {
	Stdout, Stderr []byte
	// Code is the exit code, or -1 when a signal ended the command.
	Code int
	// Signal is the name of the signal that ended it.
	Signal string
	// Truncated: more than MaxOutput was written.
	Truncated bool
}

const defaultMaxOutput = 64 << 20

// Run executes c and waits. A non-zero exit is not an error but Output.Code. An
// error means that the command did not start, was cancelled, or its output could
// not be read.
func Run(ctx context.Context, c Command) (Output, error) {
	if len(c.Argv) == 0 {
		return Output{}, errors.New("run: empty command")
	}
	limit := c.MaxOutput
	if limit == 0 {
		limit = defaultMaxOutput
	}
	stdout, stderr := capped{max: limit}, capped{max: limit}
	cmd := exec.CommandContext(ctx, c.Argv[0], c.Argv[1:]...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Dir, c.Stdin, &stdout, &stderr
	// The mark tells a daemon that a helper left from an orphan of an agent.
	cmd.Env = append(without(c.Env, ownerVariable), ownerMark())
	cmd.WaitDelay = 5 * time.Second
	cmd.SysProcAttr = background()
	if c.Holds != nil && runtime.GOOS != "windows" {
		cmd.ExtraFiles = []*os.File{c.Holds}
	}
	err := cmd.Run()
	out := Output{Stdout: stdout.kept.Bytes(), Stderr: stderr.kept.Bytes(), Truncated: stdout.cut || stderr.cut}
	if cmd.ProcessState != nil {
		out.Code = cmd.ProcessState.ExitCode()
	}
	if ctx.Err() != nil {
		return out, fmt.Errorf("run %s: %w", c.Argv[0], context.Cause(ctx))
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		out.Signal = endSignal(exit.ProcessState)
	case err != nil:
		return out, notForked("run "+c.Argv[0], err)
	}
	return out, nil
}

// Interact runs a program that a person works with, such as an editor, on the
// terminal of this process, and waits. It returns its exit code.
func Interact(ctx context.Context, c Command, out, errs io.Writer) (int, error) {
	cmd := exec.CommandContext(ctx, c.Argv[0], c.Argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Dir, c.Env, c.Stdin, out, errs
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		return -1, notForked("run "+c.Argv[0], err)
	}
	return cmd.ProcessState.ExitCode(), context.Cause(ctx)
}

// LookPath finds an executable on PATH.
func LookPath(name string) (string, error) { return exec.LookPath(name) }

// Self returns this program's own file, for running it again as the shim.
func Self() (string, error) { return os.Executable() }

// capped keeps the first max bytes and discards the rest. (The buffer is not
// embedded: its ReadFrom would bypass Write.)
type capped struct {
	kept bytes.Buffer
	max  int64
	cut  bool
}

func (c *capped) Write(p []byte) (int, error) {
	n := len(p)
	if room := c.max - int64(c.kept.Len()); int64(n) > room {
		p, c.cut = p[:max(room, 0)], true
	}
	c.kept.Write(p)
	return n, nil
}
