package proc

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"ralph/internal/loop"
)

// Probe asks an untrusted program something short: its version, whether it works.
// It is supervised like any child, so that nothing is left when it hangs, leaves
// a daemon, or when this process dies ([Run] ends only the program itself).
type Probe struct {
	Argv []string
	Dir  string
	// Env is the whole environment.
	Env []string
	// Sandbox holds it; nil does not.
	Sandbox *Sandbox
	// Limit is how long it may take; zero means until the context ends.
	Limit time.Duration
	// MaxOutput caps stdout and stderr each, in bytes; zero means 64 KiB.
	MaxOutput int64
}

// probeGrace passes between TERM and KILL: there is no work to save.
const probeGrace = 300 * time.Millisecond

// probeTries bounds the questions to a program that is killed before it answers.
const probeTries = 3

// Ask starts the program and waits until it and its descendants are gone. An exit
// code is not an error, as in [Run]; a time-out is context.DeadlineExceeded. A program
// that others kill is asked again.
func (p Probe) Ask(ctx context.Context) (out Output, err error) {
	for range probeTries {
		if out, err = p.once(ctx); CauseOf(err) != loop.CauseSignal {
			break
		}
	}
	return out, err
}

func (p Probe) once(ctx context.Context) (Output, error) {
	dir, err := TempDir("", "probe")
	if err != nil {
		return Output{}, fmt.Errorf("probe a program: %w", err)
	}
	defer RemoveTempDir(dir)
	limit := p.MaxOutput
	if limit == 0 {
		limit = 64 << 10
	}
	stdout, stderr := capped{max: limit}, capped{max: limit}
	s := Spec{
		RunDir: dir, Run: "probe-" + rand.Text(), Argv: p.Argv, Dir: p.Dir, Env: p.Env, Sandbox: p.Sandbox,
		Stdout: &stdout, Stderr: &stderr, Grace: probeGrace,
	}
	s.Timeout.Hard = p.Limit
	child, err := Start(ctx, s)
	if err != nil {
		return Output{}, err
	}
	exit, err := child.Wait()
	out := Output{Stdout: stdout.kept.Bytes(), Stderr: stderr.kept.Bytes(), Code: -1, Truncated: stdout.cut || stderr.cut}
	if exit.Code != nil {
		out.Code = *exit.Code
	}
	if err = errors.Join(err, exit.failure(ctx)); err != nil {
		return out, fmt.Errorf("run %s: %w", p.Argv[0], err)
	}
	return out, nil
}

// failure returns why an end says nothing about the program itself.
func (e Exit) failure(ctx context.Context) error {
	switch {
	case e.Cause().Interrupts():
		return &Cut{What: "probe", How: e.How(), Cause: e.Cause()}
	case e.CannotStart:
		return errors.New(e.Reason)
	case e.TimedOut:
		return context.DeadlineExceeded
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case e.Stopped:
		return errors.New(e.Reason)
	}
	return nil
}
