package runner

import (
	"context"
	"fmt"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

// Only the owner of a loop makes checkpoints: it knows what it is doing to the
// tree, and its lease proves that it still may. So a loop in the foreground, in
// the background and under a supervisor has them alike, and a supervisor that
// is gone costs none.

// pace decides when the next checkpoint is due, by the time worked.
type pace struct {
	every time.Duration
	// worked since the last checkpoint, by a monotonic clock
	worked time.Duration
	next   int
	// making receives the result of the one in progress; nil is none.
	making chan made
}

// made is a checkpoint that stands in the repository and is not recorded yet.
type made struct {
	n      int
	commit string
	err    error
}

// paceOf continues where the last owner stopped.
func paceOf(ctx context.Context, every time.Duration, l engine.LoopLease) (pace, error) {
	p := pace{every: every, next: 1}
	last, err := l.Newest(ctx)
	if err == nil && last.N > 0 {
		p.next = last.N + 1
	}
	p.worked = max(l.State().Active-last.State.Active, 0)
	return p, err
}

// due begins a checkpoint when it is time for one, and an agent has worked.
func (r *Runner) due(ctx context.Context, passed time.Duration) {
	r.pace.worked += passed
	early := r.pace.every <= 0 || r.pace.worked < r.pace.every || r.pace.making != nil
	if early || r.state.Iteration == 0 || r.state.Ending != nil {
		return
	}
	r.pace.worked = 0
	making, state, n := make(chan made, 1), r.state, r.pace.next
	r.pace.making = making
	go func() {
		var m made
		m.commit, m.n, m.err = r.Worker.Checkpoint(context.WithoutCancel(ctx), state, n)
		making <- m
	}()
}

// checkpointed records one that was begun. One that could not be made is said,
// and made up for by the next.
func (r *Runner) checkpointed(ctx context.Context, m made) error {
	r.pace.making = nil
	if m.err != nil {
		return r.Lease.CheckpointFailed(context.WithoutCancel(ctx), m.err.Error())
	}
	r.pace.next = m.n + 1
	r.Fault("before:checkpoint")
	err := r.Lease.Checkpoint(context.WithoutCancel(ctx), m.n, m.commit, fmt.Sprintf("after %s of work", r.state.Active.Round(time.Second)))
	r.Fault("after:checkpoint")
	return err
}

// awaitCheckpoint waits for the checkpoint in progress before the tree changes
// hands.
func (r *Runner) awaitCheckpoint(ctx context.Context) error {
	if r.pace.making == nil {
		return nil
	}
	return r.checkpointed(ctx, <-r.pace.making)
}

// restore puts the loop's work back to one of its checkpoints.
func (r *Runner) restore(ctx context.Context, all []loop.Checkpoint, n int) error {
	for _, c := range all {
		if c.N != n {
			continue
		}
		if _, err := loop.Apply(r.state, loop.Restored{Stamp: r.stamp(), Checkpoint: n, Commit: c.Commit}); err != nil {
			return err // before anything is touched
		}
		done, err := r.Worker.Restore(ctx, r.state, c)
		if err != nil {
			return err
		}
		done.Stamp = r.stamp()
		return r.Commit(ctx, done)
	}
	return fmt.Errorf("checkpoint %d of loop %s: %w", n, r.state.ID, engine.ErrNoCheckpoint)
}

// softCheckpoint is one that a soft deadline asks for, made at once (seed 004).
func (s *stepping) softCheckpoint(ctx context.Context, scope string) error {
	commit := ""
	if err := s.awaitCheckpoint(ctx); err != nil {
		return err
	}
	if c, n, err := s.Worker.Checkpoint(ctx, s.state, s.pace.next); err == nil {
		if err := s.checkpointed(ctx, made{n: n, commit: c}); err != nil {
			return err
		}
		commit = c
	}
	return s.Commit(ctx, loop.SoftPassed{Stamp: s.stamp(), Scope: scope, Checkpoint: commit})
}
