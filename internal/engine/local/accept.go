package local

import (
	"context"
	"errors"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/engine/situation"
	"ralph/internal/engine/stored"
	"ralph/internal/engine/worker"
	"ralph/internal/loop"
)

// withEnded does something under the lease of a loop that has ended.
func (e *Engine) withEnded(ctx context.Context, id string, act func(stored.LoopLease) error) error {
	var lease stored.LoopLease
	err := e.awaitEnded(ctx, id, func() (err error) {
		lease, err = e.loops.Acquire(ctx, id, nil, false)
		return err
	})
	if err != nil {
		return err
	}
	return errors.Join(act(lease), e.release(ctx, lease))
}

// awaitEnded does something that needs the lease of a loop that has ended. Its owner
// records the end, learns from it and only then releases it; a caller notified of the
// end comes at this moment.
func (e *Engine) awaitEnded(ctx context.Context, id string, act func() error) error {
	ended := func() bool {
		r, err := e.loops.Read(ctx, id)
		return err == nil && r.State.Status.Terminal()
	}
	return engine.AwaitLease(ctx, ended, func() error { return situation.Of(act()) })
}

// Accept merges a passed loop. It holds the loop's lease meanwhile, so that
// two calls cannot collide.
func (e *Engine) Accept(ctx context.Context, id string, o engine.AcceptOptions) (done engine.Accepted, err error) {
	err = e.withEnded(ctx, id, func(lease stored.LoopLease) error {
		s, w := lease.State(), e.worker(lease)
		if done, err = e.accept(ctx, s, w, o); err != nil {
			return engine.RecordConflict(err, s.Clash, func(c loop.Clash) error {
				_, err := engine.CommitLoop(ctx, lease, loop.Conflicted{Stamp: e.stamp(), Clash: c})
				return err
			})
		}
		if err := e.recordAccepted(ctx, lease, done); err != nil {
			return err
		}
		e.closeOthers(ctx, s)
		if !o.KeepBranches {
			done.Stays = w.DropMerged(ctx, s, done.Commit)
		}
		return nil
	})
	return done, err
}

// AcceptedWithPlan records that the work of a passed loop was accepted with its plan.
func (e *Engine) AcceptedWithPlan(ctx context.Context, id string, done engine.Accepted) error {
	return e.withEnded(ctx, id, func(lease stored.LoopLease) error { return e.recordAccepted(ctx, lease, done) })
}

// recordAccepted records that the work is merged, and lets others learn from it. A
// process killed before that accepts once more, and finds that the branch has it.
func (e *Engine) recordAccepted(ctx context.Context, lease stored.LoopLease, done engine.Accepted) error {
	s := lease.State()
	if s.Accepted == done.Commit || done.Already && s.Accepted != "" {
		return nil
	}
	if _, err := engine.CommitLoop(ctx, lease, loop.Accepted{Stamp: e.stamp(), Branch: done.Branch, Commit: done.Commit}); err != nil {
		return err
	}
	e.learn(ctx, s.ID)
	return nil
}

func (e *Engine) accept(ctx context.Context, s loop.State, w *worker.Worker, o engine.AcceptOptions) (engine.Accepted, error) {
	switch moved := engine.MovedOf(s); {
	case moved != nil:
		return engine.Accepted{}, moved
	case !s.Status.Terminal():
		return engine.Accepted{}, engine.ErrNotEnded
	case s.Status != loop.StatusPassed:
		return engine.Accepted{}, fmt.Errorf("%w; loop %s ended as %s", engine.ErrNotPassed, s.ID, s.Status)
	case s.Commit == "":
		return engine.Accepted{}, fmt.Errorf("%w: nothing was changed", engine.ErrNotPassed)
	}
	if err := errors.Join(o.Holds(s.Commit), e.founded(ctx, s)); err != nil {
		return engine.Accepted{}, err
	}
	return w.Accept(ctx, s, o.Strategy)
}

// founded refuses a record whose verdict does not follow from its results, or whose
// events lead elsewhere. Events that cannot be applied, such as those of older versions,
// say nothing.
func (e *Engine) founded(ctx context.Context, s loop.State) error {
	if err := s.Founded(); err != nil {
		return fmt.Errorf("loop %s: %w: %w", s.ID, engine.ErrDamaged, err)
	}
	played, ok, err := e.store.Replay(ctx, s.ID)
	if err != nil {
		return situation.Of(err)
	}
	if ok && (played.Status != s.Status || played.Commit != s.Commit || played.Founded() != nil) {
		return fmt.Errorf("loop %s: %w: its events lead to %q at %.10s, and its state is %q at %.10s", s.ID, engine.ErrDamaged, played.Status, played.Commit, s.Status, s.Commit)
	}
	return nil
}

// Integrate makes a passed loop's work stand on top of another commit, and judges
// the result. It holds the loop's lease meanwhile.
func (e *Engine) Integrate(ctx context.Context, id, commit, onto string) (done engine.Integrated, err error) {
	err = e.withEnded(ctx, id, func(lease stored.LoopLease) error {
		s := lease.State()
		if s.Status != loop.StatusPassed {
			return fmt.Errorf("%w; loop %s ended as %s", engine.ErrNotPassed, id, s.Status)
		}
		if err := e.founded(ctx, s); err != nil {
			return err
		}
		done, err = e.worker(lease).Integrate(ctx, s, commit, onto)
		return err
	})
	return done, err
}

// Evaluate runs the hard gates of a loop that has ended on another commit.
func (e *Engine) Evaluate(ctx context.Context, id, commit string) (results []loop.Result, err error) {
	err = e.withEnded(ctx, id, func(lease stored.LoopLease) error {
		if !lease.State().Status.Terminal() {
			return engine.ErrNotEnded
		}
		results, err = e.worker(lease).EvaluateAt(ctx, lease.State(), commit)
		return err
	})
	return results, err
}
