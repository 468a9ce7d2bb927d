package proc

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// supervise is the life of a Child: output flows, orders go out, the end is
// written down.
func (c *Child) supervise(ctx context.Context) {
	defer close(c.done)
	c.out.start()
	var rec exitRecord
	var lost error
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		rec, lost = c.body.wait()
	}()
	w := watch{child: c, started: time.Now()}
	w.run(ctx, gone)
	c.exit = w.explain(rec, lost)
	c.err = errors.Join(lost, c.out.drain())
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
	soft, stopSoft := after(s.Timeout.Soft)
	hard, stopHard := after(s.Timeout.Hard)
	defer stopSoft()
	defer stopHard()
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
		case <-soft:
			w.warn()
		case <-hard:
			w.give(orderTimeout, fmt.Sprintf("the deadline of %s passed", s.Timeout.Hard))
		case <-finished:
			finished = nil
			lingers = time.After(s.FinishGrace)
		case <-lingers:
			w.give(orderFinish, fmt.Sprintf("did not exit within %s of its final result", s.FinishGrace))
		case o := <-w.child.asks:
			w.give(o, "stopped on request")
		case <-w.backstop:
			w.child.body.destroy()
		}
	}
}

// give passes an order on and starts the clock of the backstop: a shim that
// was itself stopped cannot follow.
func (w *watch) give(o order, reason string) {
	if w.given == 0 {
		w.given, w.reason = o, reason
	}
	w.child.body.order(o)
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

// explain completes what the body recorded with what only the supervisor
// knows.
func (w *watch) explain(rec exitRecord, lost error) Exit {
	if lost != nil {
		rec.StartedAt, rec.Duration = w.started, time.Since(w.started)
		rec.Reason = lost.Error()
		if w.given != 0 {
			rec.Ended = w.given.ending()
		}
	}
	e := rec.settle()
	if e.Reason == "" && rec.Ended != byItself {
		e.Reason = w.reason
	}
	if e.Reason == "" && rec.Ended == byAbandoned {
		e.Reason = "a signal told the shim to end"
	}
	return e
}

// after is a timer that never fires for zero.
func after(d time.Duration) (<-chan time.Time, func() bool) {
	if d <= 0 {
		return nil, func() bool { return false }
	}
	t := time.NewTimer(d)
	return t.C, t.Stop
}
