package runner

import (
	"context"
	"errors"

	"ralph/internal/engine"
	"ralph/internal/journal"
	"ralph/internal/loop"
)

// ExecuteInbox carries out what other processes asked of the loop. A command that
// cannot be done now is dropped: its sender looked at an older state.
func (r *Runner) ExecuteInbox(ctx context.Context) error {
	return r.executeSome(ctx, func(journal.Message) bool { return true })
}

// executeSome is ExecuteInbox for some of the messages.
func (r *Runner) executeSome(ctx context.Context, which func(journal.Message) bool) error {
	messages, err := r.Lease.Inbox(ctx)
	if err != nil {
		return err
	}
	for _, m := range messages {
		if !which(m) || r.abort != nil && r.abort.message == m.ID {
			continue
		}
		if err := r.execute(ctx, m.Command(), m.ID); err != nil {
			return err
		}
	}
	return nil
}

// execute carries out a command of the inbox. An abort waits for the step in progress.
func (r *Runner) execute(ctx context.Context, c engine.Command, id int64) error {
	if c.Kind == engine.Abort && r.state.Ending == nil {
		r.abort = &abort{id, c.Text}
		return nil
	}
	e, err := loop.EventOf(r.state, c, r.stamp())
	if err == nil {
		err = r.commitWith(ctx, r.Lease.Commit, []loop.Event{e}, id)
	}
	if _, ok := errors.AsType[*journal.RefusedError](err); ok || errors.Is(err, engine.ErrAnswered) {
		return r.commitWith(ctx, r.Lease.Commit, nil, id)
	}
	if err == nil && c.Kind == engine.PauseNow && r.cut != nil {
		r.cut(errCut)
	}
	return err
}

// abort waits until the step in progress is cut off. Its message counts as
// taken only together with the event, so that a crash in between loses
// nothing.
type abort struct {
	message int64
	why     string
}

// overdue takes the default of the loop's open question if its time is over. It
// does not concern an agent at work: one that has ended its turn to get the
// answer is run again only where the question was open until then, and one that
// waits for it sends engine.Wake itself when the time is over. An answer in the
// inbox was given in time.
func (r *Runner) overdue(ctx context.Context) (taken bool, err error) {
	q := r.state.Open()
	if q == nil || q.Deadline.IsZero() || r.state.Status == loop.Paused {
		return false, nil
	}
	r.answer.Set(q.Deadline, r.Now())
	if r.answer.Left() > 0 {
		return false, nil
	}
	err = r.Commit(ctx, loop.Woke{Stamp: r.stamp(), Question: q.ID})
	if errors.Is(err, engine.ErrAnswered) {
		return true, r.ExecuteInbox(ctx)
	}
	return true, err
}
