package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// Child is a supervised child. The caller of Start calls Wait.
type Child struct {
	spec     Spec
	handle   handle
	out      *output
	requests chan order

	done chan struct{} // closed when what follows is set
	tree *os.File
	// opened are the watched files of the room that were opened.
	opened []string
	exit   Exit
	err    error
}

// handle is the process behind a Child: a shim, or on Windows the process in a
// job.
type handle interface {
	// order requests an end. It does not wait.
	order(order)
	// destroy kills a process that does not follow orders.
	destroy()
	// tree returns what Child.Tree does, and what watched the room, or nil.
	tree() (tree, watcher *os.File)
	// wait returns when the process and its descendants are gone. An error means
	// that it is unknown how the child ended.
	wait() (exitRecord, error)
}

// orderTime is how long an order may take, beyond the grace, before the process
// is destroyed.
const orderTime = sweepTime + 5*time.Second

// sweepTime is how long a sweep continues before it reports survivors.
const sweepTime = 10 * time.Second

// drainTime is how long output is still read after all processes are gone. The
// pipe is empty by then, unless an unrelated process holds it.
const drainTime = 2 * time.Second

// Start starts the child of s under supervision. When ctx ends, the child gets
// TERM and, after the grace, KILL. An error means that there is no child; a
// command that cannot be executed is not an error but Exit.CannotStart, known
// after Wait.
func Start(ctx context.Context, s Spec) (*Child, error) {
	s, err := s.complete()
	if err != nil {
		return nil, err
	}
	if IsShim(os.Args) { // it would start another one, and that one another, until the machine stands still
		return nil, fmt.Errorf("start %s: this process is a shim that its main did not give to ShimMain", s.Argv[0])
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
	out.closeChildEnds()
	if err != nil {
		out.closeOwnEnds()
		return nil, fmt.Errorf("start %s: %w", s.Argv[0], err)
	}
	c := &Child{spec: s, handle: b, out: out, requests: make(chan order), done: make(chan struct{})}
	go c.supervise(ctx)
	return c, nil
}

// Wait returns when the child and its descendants are gone and all output is
// delivered. It may be called more than once. With ErrLost the Exit holds only
// the known facts, never success. Any other error comes from a writer of the
// output.
func (c *Child) Wait() (Exit, error) {
	<-c.done
	return c.exit, c.err
}

// Tree returns, after Wait, the directory that the room of the sandbox shows as
// its tree, as the child left it: the room itself is gone, but for what this
// descriptor holds. It is nil without a room, or where the room was not built. The
// caller closes it.
func (c *Child) Tree() *os.File {
	<-c.done
	return c.tree
}

// Opened returns, after Wait, the files of the room's Watch that were opened; none
// also where they could not be watched.
func (c *Child) Opened() []string {
	<-c.done
	return c.opened
}

// Done is closed when Wait will not block.
func (c *Child) Done() <-chan struct{} { return c.done }

// Stop asks the child to end: INT, TERM after a third of the grace, KILL at its
// end. It does not wait.
func (c *Child) Stop() { c.request(orderStop) }

// Kill ends the child and its descendants at once. It does not wait.
func (c *Child) Kill() { c.request(orderKill) }

func (c *Child) request(o order) {
	select {
	case c.requests <- o:
	case <-c.done:
	}
}

// unbuilt begins the reason where a wrapper ended before the child. What the wrapper
// printed follows: it went into the child's output.
const unbuilt = "the sandbox could not be built"

// supervise accompanies a Child: it reads the output, sends orders and records
// the end.
func (c *Child) supervise(ctx context.Context) {
	defer close(c.done)
	c.out.start()
	var rec exitRecord
	var lost error
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		rec, lost = c.handle.wait()
	}()
	w := watch{child: c, started: time.Now()}
	w.run(ctx, gone)
	c.exit = w.explain(rec, lost)
	c.err = errors.Join(lost, c.out.drain())
	if said := c.out.heads(); said != "" && c.exit.CannotStart && strings.HasPrefix(c.exit.Reason, unbuilt) {
		c.exit.Reason += ": " + said
	}
	var watcher *os.File
	if c.tree, watcher = c.handle.tree(); watcher != nil {
		c.opened = c.spec.Sandbox.Room.Opened(watcher)
	}
}

// watch turns deadlines, cancellation and requests into orders.
type watch struct {
	child    *Child
	started  time.Time
	given    order // the first order, 0 for none
	reason   string
	backstop <-chan time.Time
	soft     sync.WaitGroup
}

func (w *watch) run(ctx context.Context, gone <-chan struct{}) {
	s := w.child.spec
	soft, hard := newDeadline(s.Timeout.Soft), newDeadline(s.Timeout.Hard)
	defer soft.stop()
	defer hard.stop()
	clock, own := awake{last: w.started}, time.NewTicker(awakeEvery)
	defer own.Stop()
	defer w.soft.Wait()
	cancelled, finished := ctx.Done(), s.Finished
	var lingers <-chan time.Time
	for {
		select {
		case <-gone:
			return
		case <-cancelled:
			cancelled = nil
			w.give(orderCancel, context.Cause(ctx).Error())
		case <-own.C:
			clock.tick(time.Now())
		case <-soft.C:
			if soft.passed(clock.tick(time.Now())) {
				w.warn()
			}
		case <-hard.C:
			if hard.passed(clock.tick(time.Now())) {
				w.give(orderTimeout, fmt.Sprintf("the deadline of %s passed", s.Timeout.Hard))
			}
		case <-finished:
			finished = nil
			lingers = time.After(s.FinishGrace)
		case <-lingers:
			w.give(orderFinish, fmt.Sprintf("did not exit within %s of its final result", s.FinishGrace))
		case o := <-w.child.requests:
			w.give(o, "stopped on request")
		case <-w.backstop:
			w.child.handle.destroy()
		}
	}
}

// give sends an order and starts the clock of the backstop: a stopped shim cannot
// follow.
func (w *watch) give(o order, reason string) {
	if w.given == 0 {
		w.given, w.reason = o, reason
	}
	w.child.handle.order(o)
	wait := w.child.spec.patience
	if o != orderKill {
		wait += w.child.spec.Grace
	}
	w.backstop = time.After(wait)
}

// warn runs OnSoft beside the loop, so that a slow one cannot delay the hard
// deadline.
func (w *watch) warn() {
	if w.child.spec.OnSoft != nil {
		w.soft.Go(w.child.spec.OnSoft)
	}
}

// explain completes the record with the supervisor's knowledge.
func (w *watch) explain(rec exitRecord, lost error) Exit {
	if lost != nil {
		rec.StartedAt, rec.Duration = w.started, time.Since(w.started)
		rec.Reason = lost.Error()
		rec.Lack = errors.Is(lost, errNoExitFile)
		if rec.Lost = !rec.Lack; w.given != 0 {
			rec.Ended = w.given.ending()
		}
	}
	e := rec.exit()
	if lost == nil && rec.Ended == byAbandoned && w.given == 0 {
		e.Stopped, e.Lost, e.Reason = false, true, "a signal told the shim to end"
	}
	if e.Reason == "" && rec.Ended != byItself {
		e.Reason = w.reason
	}
	return e
}
