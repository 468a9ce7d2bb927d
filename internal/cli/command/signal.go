package command

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"ralph/internal/cli/exit"
)

// Interruptible cancels a context when a signal asks the program to stop; the
// cause carries the exit code. Each caller undoes its own unfinished work.
func (t *Terminal) Interruptible(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	in, over := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(in, os.Interrupt, syscall.SIGTERM)
	go func() {
		defer close(over)
		select {
		case sig := <-in:
			code := exit.Interrupted
			if sig != os.Interrupt {
				code = exit.Terminated
			}
			cancel(&exit.Error{Code: code, Err: errors.New("stopped before anything was written")})
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(in); cancel(nil); <-over }
}

// UntilSignal is a context that ends when the program is asked to end: a check
// that is cut off has not happened.
func (t *Terminal) UntilSignal(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	in := make(chan os.Signal, 1)
	signal.Notify(in, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		if sig, ok := <-in; ok {
			code := exit.Terminated
			if sig == os.Interrupt {
				code = exit.Interrupted
			}
			cancel(&exit.Error{Code: code, Err: errors.New("the check was cut off; nothing was recorded"), Hint: "ralph loop check again"})
		}
	}()
	return ctx, func() { signal.Stop(in); close(in); cancel(nil) }
}
