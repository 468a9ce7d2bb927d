package local

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/situation"
	"ralph/internal/engine/worker"
	"ralph/internal/git"
	"ralph/internal/journal"
	"ralph/internal/loop"
)

// queueLook is how often a check that waits for another one looks whether the
// loop has ended meanwhile.
const queueLook = 2 * time.Second

// Check evaluates the gates of an agent-driven loop once, in the tree that
// holds dir, and records their results. Checks of one loop queue. A loop that
// has ended, waits or is paused is returned unchanged.
//
// Nothing is recorded before the gates have spoken in the agent's tree: a check that
// is killed has not happened, its gate is ended by the shim, and the next one begins
// the same attempt. The steps of a final verification are recorded one by one; one
// that is killed is begun again by the next check.
func (e *Engine) Check(ctx context.Context, id, dir string) (engine.Loop, error) {
	s, done, err := e.inTurn(ctx, id)
	if err != nil {
		return engine.Loop{}, err
	}
	if done != nil {
		defer done()
	}
	if s.Status.Terminal() {
		e.tidyDriven(ctx, s) // the process of its last check may have been killed
		e.packDriven(ctx, s)
	}
	if s.Status == loop.Running && done != nil {
		if err := e.check(ctx, s, dir); err != nil {
			return engine.Loop{}, err
		}
		if r, err := e.loops.Read(ctx, id); err == nil && r.State.Status.Terminal() {
			e.pack(e.store.LoopDir(id), r.State)
		}
	}
	return e.Show(ctx, id)
}

// inTurn waits until no other check of the loop is in progress, or the loop
// has ended: a check that hangs delays others no longer than the loop has
// time.
func (e *Engine) inTurn(ctx context.Context, id string) (loop.State, func(), error) {
	for {
		s, err := e.recordDueByID(ctx, id)
		if err != nil || s.Status != loop.Running {
			return s, nil, err
		}
		if s.Mode != loop.AgentDriven {
			return s, nil, fmt.Errorf("%w: %s", engine.ErrSupervised, id)
		}
		done, turn, err := e.store.Queue(ctx, id, queueLook)
		if err != nil {
			return s, nil, err
		}
		if !turn {
			continue
		}
		r, err := e.loops.Read(ctx, id)
		if err == nil {
			s, err = e.recordDueOf(ctx, r.State, false)
		}
		if err != nil {
			done()
			return s, nil, situation.Of(err)
		}
		return s, done, nil
	}
}

// check looks at the tree, runs the gates, and records all of it at once.
func (e *Engine) check(ctx context.Context, s loop.State, dir string) error {
	w := e.workerOf(s.ID)
	tree, err := w.WorktreeOf(dir)
	if err != nil {
		return err
	}
	looked, seen, err := w.Look(ctx, s, tree)
	if err != nil {
		return e.diskError(w, s, err)
	}
	looked.Stamp = e.stamp()
	now, err := loop.Apply(s, looked)
	if err != nil {
		return err
	}
	files := make(chan []string, 1)
	go func() { files <- w.Note(ctx, s, looked) }()
	judged, err := e.evaluateGates(ctx, w, now, tree, seen)
	looked.Files = <-files
	if err != nil {
		return err
	}
	events := append([]loop.Event{looked}, judged...)
	now, err = e.change(context.WithoutCancel(ctx), s.ID, events...)
	if _, overtaken := errors.AsType[*journal.RefusedError](err); overtaken {
		return nil // paused or asked meanwhile: return that state
	}
	if err == nil && now.InVerification() {
		return e.verify(ctx, w, now, tree, seen)
	}
	return e.diskError(w, s, err)
}

// evaluateGates runs the gates that the machine asks for.
func (e *Engine) evaluateGates(ctx context.Context, w *worker.Worker, s loop.State, tree string, seen git.TreeSnapshot) (events []loop.Event, err error) {
	for a := loop.Next(s); a.Do == loop.DoGate && !s.InVerification(); a = loop.Next(s) {
		judged, err := e.evaluateGate(ctx, w, s, a, tree, seen)
		if err != nil {
			return nil, err
		}
		events = append(events, judged)
		if s, err = loop.Apply(s, judged); err != nil {
			return nil, err
		}
	}
	return events, nil
}

func (e *Engine) evaluateGate(ctx context.Context, w *worker.Worker, s loop.State, a loop.Action, tree string, seen git.TreeSnapshot) (loop.Event, error) {
	e.fault("before:gate")
	judged, err := w.EvaluateInTree(ctx, s, a, tree, seen, &worker.Hooks{})
	e.fault("after:gate")
	if err == nil && worker.Unsuccessful(judged) {
		err = w.Lacks(s) // on a full disk no failure is believed
	}
	judged.Stamp = e.stamp()
	return judged, e.diskError(w, s, err)
}

// diskError returns ErrNoSpace or ErrUnusable where that explains an error.
func (e *Engine) diskError(w *worker.Worker, s loop.State, err error) error {
	err = situation.Of(err)
	if lack := engine.DiskError(err, func() error { return w.Lacks(s) }); lack != nil {
		return lack
	}
	return err
}
