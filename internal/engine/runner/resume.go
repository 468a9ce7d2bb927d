package runner

import (
	"context"
	"errors"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/journal"
	"ralph/internal/loop"
)

// Recover ends leftover processes, heals the worktrees, and records that the
// step in progress was cut off. gap is why the loop did not move.
func (r *Runner) Recover(ctx context.Context, gap loop.Gap) error {
	note := r.Worker.LostTree(r.state)
	left, err := r.Worker.Recover(ctx, r.state)
	if err != nil {
		return err
	}
	events := []loop.Event{loop.Acquired{Stamp: r.stamp(), Owner: r.Owner, Place: r.Drive.Place, Gap: gap}}
	if r.state.Status == loop.Running && (r.state.Began || r.state.Step == loop.StepGates || note != "") {
		why := "the process that ran the loop ended"
		switch gap.Cause {
		case loop.GapDiskFull:
			why = "no space was left on a disk"
		case loop.GapUnusable:
			why = "a directory could not be used"
		}
		if left > 0 {
			why = fmt.Sprintf("%s; %d of its processes were still running and have been ended", why, left)
		}
		cut := loop.Interrupted{Stamp: r.stamp(), Why: why, Note: note}
		if r.state.Began {
			used, model := r.Worker.UsedIn(r.state.Iteration)
			cut.Usage, cut.Model = r.Worker.Priced(r.state.Agent, used, model), model
		}
		events = append(events, cut)
	}
	return r.Commit(ctx, events...)
}

// MoveHere makes the trees of a loop on this machine, where another one ran it. Work that was
// not committed there is lost: its attempt is repeated.
func (r *Runner) MoveHere(ctx context.Context) error {
	moved, elsewhere, err := r.Worker.Move(ctx, r.state)
	if err != nil || !elsewhere {
		return err
	}
	moved.Stamp = r.stamp()
	events := []loop.Event{moved}
	if r.state.Step == loop.StepCommit {
		events = append(events, loop.Interrupted{Stamp: r.stamp(), Why: "the agent's work is lost: the machine before did not commit it", Lost: true})
	}
	return r.Commit(ctx, events...)
}

// ApplyOptions does the part of a request to resume that comes before Run. Checkpoints
// are those of the loop, where it continues from one.
func (r *Runner) ApplyOptions(ctx context.Context, o engine.Options, checkpoints []loop.Checkpoint) error {
	if !o.Recovery {
		if err := r.Lease.ForgetRecovery(ctx); err != nil {
			return err
		}
	}
	if o.From > 0 {
		if err := r.restore(ctx, checkpoints, o.From); err != nil {
			return err
		}
	}
	return r.clearObstacles(ctx, o)
}

// clearObstacles removes the obstacles to running the loop that a person asked to remove:
// also a pause that the owner never received, but not one requested since. A
// loop paused for a person's decision about a limit tries again: that is the
// decision. A limit that is over is no longer waited for; one that is not stays
// in the shared store. Recovery of crashed loops undoes no pause: a user wanted
// it.
func (r *Runner) clearObstacles(ctx context.Context, o engine.Options) error {
	if err := r.executeSome(ctx, r.Lease.Found); err != nil {
		return err
	}
	now := o.Now || r.state.Stopped() && r.state.Reason.OfQuota()
	if r.state.Status == loop.Paused || r.state.PauseAsked {
		if o.Recovery {
			return nil
		}
		if err := r.Commit(ctx, loop.Resumed{Stamp: r.stamp()}); err != nil {
			return err
		}
	}
	r.accounts.shared = true
	if !now && !Serves(ctx, r.accounts.book, r.Worker, r.state) {
		return nil
	}
	err := r.Commit(ctx, loop.Woke{Stamp: r.stamp(), Asked: now})
	if _, nothing := errors.AsType[*journal.RefusedError](err); nothing {
		return nil // it waits for no time, and is not about to start an agent
	}
	return err
}

// Execute carries out a command for a loop that is not run. A loop that is ending
// needs no abort.
func (r *Runner) Execute(ctx context.Context, c engine.Command) error {
	if c.Kind == engine.Abort && r.state.Ending != nil {
		return nil
	}
	e, err := loop.EventOf(r.state, c, r.stamp())
	if err != nil {
		return err
	}
	return r.Commit(ctx, e)
}

// Rest leaves the loop where it rests.
func (r *Runner) Rest(ctx context.Context, why string) error {
	if err := r.betweenSteps(ctx); err != nil || r.state.Status != loop.Running || r.state.Ending != nil {
		return err
	}
	return r.Commit(ctx, loop.PauseAsked{Stamp: r.stamp(), By: loop.NoOwner, Why: why}, loop.Interrupted{Stamp: r.stamp(), Why: "no process runs the loop"})
}
