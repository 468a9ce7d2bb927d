package proc

import (
	"context"
	"fmt"
	"time"
)

// Child is a supervised child. Whoever starts one calls Wait.
type Child struct {
	spec Spec
	body body
	out  *output
	asks chan order

	done chan struct{} // closed when exit and err stand
	exit Exit
	err  error
}

// body is what a Child holds on to: a shim, or on Windows the process itself
// inside a job.
type body interface {
	// order asks for an end. It does not wait.
	order(order)
	// destroy ends a body that does not follow orders.
	destroy()
	// wait returns when the body and everything below it is gone. An error
	// says that nobody saw how the child ended.
	wait() (exitRecord, error)
}

// answerTime is how long a body may take to carry out an order, beyond the
// grace, before it is destroyed.
const answerTime = sweepTime + 5*time.Second

// sweepTime is how long a sweep goes on before it reports survivors.
const sweepTime = 10 * time.Second

// drainTime is how long output is still read after everything is gone. The
// pipe is empty by then, unless a stranger holds it.
const drainTime = 2 * time.Second

// Start starts the child of s under supervision. When ctx ends, the child gets
// TERM, the grace, KILL. An error means that no child exists; a command that
// cannot be executed is no error but Exit.CannotStart, known by Wait.
func Start(ctx context.Context, s Spec) (*Child, error) {
	s, err := s.complete()
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("start %s: %w", s.Argv[0], context.Cause(ctx))
	}
	if err := makeRunDir(s.RunDir); err != nil {
		return nil, fmt.Errorf("start %s: %w", s.Argv[0], err)
	}
	out, err := openOutput(s)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", s.Argv[0], err)
	}
	b, err := launch(s, out)
	out.closeFar()
	if err != nil {
		out.closeNear()
		return nil, fmt.Errorf("start %s: %w", s.Argv[0], err)
	}
	c := &Child{spec: s, body: b, out: out, asks: make(chan order), done: make(chan struct{})}
	go c.supervise(ctx)
	return c, nil
}

// Wait returns when the child and its descendants are gone and all output is
// delivered. It may be called more than once. With ErrLost the Exit says only
// what is known, and never success. Another error is that of a writer of the
// output.
func (c *Child) Wait() (Exit, error) {
	<-c.done
	return c.exit, c.err
}

// Done is closed when Wait will not block.
func (c *Child) Done() <-chan struct{} { return c.done }

// Stop asks the child to end: INT, TERM after a third of the grace, and at its
// end KILL to whatever is left. It does not wait.
func (c *Child) Stop() { c.ask(orderStop) }

// Kill ends the child and its descendants at once. It does not wait.
func (c *Child) Kill() { c.ask(orderKill) }

func (c *Child) ask(o order) {
	select {
	case c.asks <- o:
	case <-c.done:
	}
}
