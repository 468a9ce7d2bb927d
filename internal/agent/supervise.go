package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"ralph/internal/loop"
	"ralph/internal/proc"
)

// Program is the process that a driver runs for a job.
type Program struct {
	Argv []string
	// Env replaces the job's where it is not nil.
	Env []string
	// Input is its standard input instead of the prompt, for a program with a
	// two-way protocol: one end of a pipe.
	Input *os.File
	// Stdout and Stderr get a copy of the output, each by a goroutine of its
	// own. Without a Stderr the two are one.
	Stdout, Stderr io.Writer
	// Finished, when closed, means that the final result has arrived; a process
	// that stays for FinishGrace is then ended and counts as finished.
	Finished    <-chan struct{}
	FinishGrace time.Duration
	// Stop, when closed, asks the process to end; Interrupt makes that, and
	// every other polite end, begin with INT.
	Stop      <-chan struct{}
	Interrupt bool
}

// Run is a supervised run of an agent's process, with its output in Job.Raw.
type Run struct {
	proc.Exit
	proc.Stored
	// Tail is the end of the output.
	Tail []byte
}

// Supervise runs a program for a job and waits until it and its descendants are
// gone. The output goes to Job.Raw, capped and without secrets.
func Supervise(ctx context.Context, job Job, p Program) (Run, error) {
	capture, err := proc.NewCapture(job.Raw, 0)
	if err != nil {
		return Run{}, fmt.Errorf("keep the agent's output: %w", err)
	}
	masked := job.Mask.Writer(capture)
	raw := newWeave(masked)
	child, err := proc.Start(ctx, job.spec(p, raw))
	if err != nil {
		_, kept := capture.Close()
		return Run{}, errors.Join(fmt.Errorf("start the agent: %w", err), kept)
	}
	go order(child, job.Kill, p.Stop)
	exit, err := child.Wait()
	woven := errors.Join(raw.flush(), masked.Close())
	stored, kept := capture.Close()
	if ctx.Err() != nil {
		return Run{}, context.Cause(ctx)
	}
	if errors.Is(err, proc.ErrLost) {
		err = nil // the exit has it
	}
	if err := errors.Join(err, woven, kept); err != nil {
		return Run{}, fmt.Errorf("supervise the agent: %w", err)
	}
	return Run{Exit: exit, Tail: capture.Tail(), Stored: stored}, nil
}

func (j Job) spec(p Program, raw *weave) proc.Spec {
	env := p.Env
	if env == nil {
		env = j.Env
	}
	s := proc.Spec{
		RunDir: j.RunDir, Run: j.RunID, Argv: p.Argv, Dir: j.Tree, Env: env, Sandbox: j.Sandbox,
		Stdin: j.Prompt, Input: p.Input, Stdout: j.tee(raw.side(0), p.Stdout), Timeout: j.Timeout, OnSoft: j.OnSoft,
		Finished: p.Finished, FinishGrace: p.FinishGrace, Grace: j.Grace, Interrupt: p.Interrupt,
	}
	if s.FinishGrace == 0 {
		s.FinishGrace = j.Grace
	}
	if p.Stderr != nil {
		s.Stderr = j.tee(raw.side(1), p.Stderr)
	}
	return s
}

func (j Job) tee(all ...io.Writer) io.Writer {
	var to []io.Writer
	for _, w := range append(all, j.Alive) {
		if w != nil {
			to = append(to, w)
		}
	}
	return io.MultiWriter(to...)
}

// order forwards the requests of the job and the driver, once each.
func order(child *proc.Child, kill, stop <-chan struct{}) {
	for {
		select {
		case <-kill:
			child.Kill()
			return
		case <-stop:
			child.Stop()
			stop = nil
		case <-child.Done():
			return
		}
	}
}

// StoppedAfter returns the message of a run that took too long. The rest of a
// time budget is seldom a round number.
func StoppedAfter(d time.Duration) string {
	unit := time.Millisecond
	if d > time.Second {
		unit = time.Second / 10
	}
	return "stopped after " + d.Round(unit).String()
}

// Outcome returns the part of an outcome that depends on the process alone: a
// positive end is exit code 0, by itself or after a final result.
func (r Run) Outcome(job Job) loop.Outcome {
	out := loop.Outcome{
		End: loop.EndFailed, ExitCode: r.Code, Signal: r.Signal, Duration: r.Duration,
		OutputFile: job.Raw, OutputSHA256: r.SHA256, OutputBytes: r.Bytes, Leftovers: r.Leftovers,
	}
	switch {
	case r.Cause().Interrupts():
		out.End, out.Message = loop.EndInterrupted, r.How()
	case r.CannotStart:
		out.End, out.Message = loop.EndPermanent, r.Reason
	case r.TimedOut:
		out.End, out.Message = loop.EndTimeout, StoppedAfter(job.Timeout.Hard)
	case r.Finished:
		out.End, out.Message = loop.EndDone, "gave its result and did not exit; ended"
	case r.Stopped:
		// Some exit with 0 when they are stopped.
		out.Message = r.Reason
	case r.Code != nil && *r.Code == 0:
		out.End = loop.EndDone
	default:
		out.Message = r.How()
	}
	return out
}
