package worker

import (
	"context"

	"ralph/internal/loop"
	"ralph/internal/proc"
)

// toolGone returns an interruption for a gate whose command could be started on the base
// and cannot be any more, not on the base either: the machine lacks it now, which says
// nothing about the work. Where the base still starts it, the work is to blame.
func (w *Worker) toolGone(ctx context.Context, s loop.State, e evaluation, r loop.Result, h *Hooks) error {
	before := loop.ResultOf(s.BaseResults, e.Gate.Name)
	if !r.CannotStart || e.OnBase || e.landing || s.GatesInAgentTree || before == nil || before.CannotStart {
		return nil
	}
	base := e.rerun("base")
	base.Commit, base.OnBase = s.Base, true
	again, err := w.runGate(ctx, s, base, h)
	if err != nil || !again.CannotStart {
		return err
	}
	return &proc.Cut{What: "gate " + e.Gate.Name, How: r.Reason + ", and not on the base either, where it ran before", Cause: loop.CauseLack}
}
