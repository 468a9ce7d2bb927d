package local

import (
	"context"
	"errors"

	"ralph/internal/engine/situation"
	"ralph/internal/engine/worker"
	"ralph/internal/git"
	"ralph/internal/journal"
	"ralph/internal/loop"
)

// verify does the final verification of a loop that its agent drives, and records
// each step. The caller has the turn to check the loop. Without a result, because
// ralph could not do a step or was stopped, the next check verifies again.
func (e *Engine) verify(ctx context.Context, w *worker.Worker, s loop.State, tree string, seen git.TreeSnapshot) error {
	whole := context.WithoutCancel(ctx)
	lease, err := e.store.TreesOf(ctx, s.ID)
	if err != nil {
		return situation.Of(err)
	}
	w.Trees, w.Owned = trees{lease, e.fault}, lease.Owned
	for err == nil && s.Status == loop.Running && s.InVerification() {
		var done loop.Event
		if done, err = e.verifyStep(ctx, w, s, tree, seen); err != nil {
			_, undo := e.changeSince(whole, s, loop.Interrupted{Stamp: e.stamp(), Why: "the final verification broke off"})
			err = errors.Join(e.diskError(w, s, err), undo)
			break
		}
		s, err = e.change(whole, s.ID, done)
		if _, overtaken := errors.AsType[*journal.RefusedError](err); overtaken {
			err = nil // cut off meanwhile: the caller shows the state
			break
		}
	}
	if s.Status.Terminal() {
		_ = w.ReturnTrees(whole, s) // the verdict stands; ralph doctor finds what is left
	}
	return errors.Join(err, lease.Release(whole))
}

func (e *Engine) verifyStep(ctx context.Context, w *worker.Worker, s loop.State, tree string, seen git.TreeSnapshot) (loop.Event, error) {
	a := loop.Next(s)
	e.fault("before:" + string(a.Do))
	done, err := w.Verify(ctx, s, a, tree, seen, &worker.Hooks{})
	e.fault("after:" + string(a.Do))
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	if worker.Unsuccessful(done) {
		if err := w.Lacks(s); err != nil { // on a full disk no failure is believed
			return nil, err
		}
	}
	return journal.WithStamp(done, e.stamp()), nil
}

// mostRuns is more than the runs of one gate that a step of a verification makes:
// the gate, retries, the base's judges, the names of the base, canaries.
const mostRuns = 12

// cutOff ends a verification whose process is gone, or stands still for longer than
// its step can take.
func cutOff(s loop.State, checking bool, now loop.Stamp) []loop.Event {
	most := loop.Next(s).Timeout.Hard
	if checking && (most == 0 || s.Since(now) < mostRuns*most+stoppedCheck) {
		return nil
	}
	return []loop.Event{loop.Interrupted{Stamp: now, Why: "its process is gone"}}
}

// tidyDriven releases what the verifications of a loop that has ended have used. A
// check that is still in progress does so itself.
func (e *Engine) tidyDriven(ctx context.Context, s loop.State) {
	if s.GateTree == "" || e.store.Checking(s.ID) {
		return
	}
	whole := context.WithoutCancel(ctx)
	lease, err := e.store.TreesOf(whole, s.ID)
	if err != nil {
		return // as when the trees cannot be returned: ralph doctor finds what is left
	}
	w := e.workerOf(s.ID)
	w.Trees = trees{lease, e.fault}
	_ = errors.Join(w.ReturnTrees(whole, s), lease.Release(whole))
}
