package agent

import (
	"context"
	"errors"
	"fmt"
	"io"

	"ralph/internal/loop"
	"ralph/internal/proc"
)

// Run is a supervised run of an agent's process, with its output in Job.Raw.
type Run struct {
	proc.Exit
	proc.Stored
	// Tail is the end of the output.
	Tail []byte
}

// Supervise starts argv for a job and waits until nothing of it is left. Every
// byte of the output goes to Job.Raw (capped) and to tee, which may be nil.
// Closing finished says that the agent has given its final result.
func Supervise(ctx context.Context, job Job, argv []string, tee io.Writer, finished <-chan struct{}) (Run, error) {
	capture, err := proc.NewCapture(job.Raw, 0)
	if err != nil {
		return Run{}, fmt.Errorf("keep the agent's output: %w", err)
	}
	out := []io.Writer{capture}
	for _, also := range []io.Writer{tee, job.Alive} {
		if also != nil {
			out = append(out, also)
		}
	}
	child, err := proc.Start(ctx, proc.Spec{
		RunDir: job.RunDir, Run: job.RunID, Argv: argv, Dir: job.Tree, Env: job.Env,
		Stdin: job.Prompt, Stdout: io.MultiWriter(out...), Timeout: job.Timeout, OnSoft: job.OnSoft,
		Finished: finished, FinishGrace: job.Grace, Grace: job.Grace,
	})
	if err != nil {
		_, kept := capture.Close()
		return Run{}, errors.Join(fmt.Errorf("start the agent: %w", err), kept)
	}
	go func() {
		select {
		case <-job.Kill:
			child.Kill()
		case <-child.Done():
		}
	}()
	exit, err := child.Wait()
	stored, kept := capture.Close()
	if ctx.Err() != nil {
		return Run{}, context.Cause(ctx)
	}
	if errors.Is(err, proc.ErrLost) {
		exit.Signal, err = "an unknown end: its supervisor process was lost", nil
	}
	if err := errors.Join(err, kept); err != nil {
		return Run{}, fmt.Errorf("supervise the agent: %w", err)
	}
	return Run{Exit: exit, Tail: capture.Tail(), Stored: stored}, nil
}

// Outcome is the part of an outcome that the process alone tells: a positive
// end is exit code 0, by itself or after a final result.
func (r Run) Outcome(job Job) loop.Outcome {
	out := loop.Outcome{
		End: loop.EndFailed, ExitCode: r.Code, Signal: r.Signal, Duration: r.Duration,
		OutputFile: job.Raw, OutputSHA256: r.SHA256, OutputBytes: r.Bytes, Leftovers: r.Leftovers,
	}
	switch {
	case r.CannotStart:
		out.End, out.Message = loop.EndPermanent, r.Reason
	case r.TimedOut:
		out.End, out.Message = loop.EndTimeout, fmt.Sprintf("stopped after %s", job.Timeout.Hard)
	case r.Finished:
		out.End, out.Message = loop.EndDone, "gave its result and did not exit; ended"
	case r.Signal != "":
		out.Message = "ended by " + r.Signal
	case r.Code != nil && *r.Code == 0:
		out.End = loop.EndDone
	case r.Code != nil:
		out.Message = fmt.Sprintf("exit code %d", *r.Code)
	}
	return out
}
