package local

import (
	"context"
	"errors"
	"slices"

	"ralph/internal/engine"
	"ralph/internal/engine/situation"
	"ralph/internal/engine/stored"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/store"
)

// Send hands the command to the owner, or carries it out where there is none.
// Where the owner releases before it reads the inbox, the message is ours.
func (e *Engine) Send(ctx context.Context, id string, c engine.Command) (loop.State, error) {
	record, err := e.loops.Read(ctx, id)
	if err != nil {
		return loop.State{}, situation.Of(err)
	}
	c = e.Masked(record.State, c)
	switch moved := engine.MovedOf(record.State); {
	case moved != nil:
		return record.State, moved
	case record.State.Status.Terminal():
		return record.State, engine.ErrEnded
	case record.State.Mode == loop.AgentDriven:
		return e.sendDriven(ctx, id, c)
	case !record.Live:
		state, err := e.execute(ctx, id, c)
		if !errors.Is(err, engine.ErrRunning) {
			return state, err
		}
	}
	if err := e.post(ctx, id, c); err != nil {
		return record.State, situation.Of(err)
	}
	if err := engine.ExecuteLeft(ctx, e.loops, id, e.executeInbox); err != nil {
		return record.State, situation.Of(err)
	}
	record, err = e.loops.Read(ctx, id)
	return record.State, situation.Of(err)
}

// post puts a command into the inbox of the owner. An answer that the owner could only drop,
// as another has come before it, or the default was taken, is refused here: an
// answer that is confirmed has effect.
func (e *Engine) post(ctx context.Context, id string, c engine.Command) error {
	m := c.Message()
	if c.Kind != engine.Answer {
		return e.loops.Send(ctx, id, m)
	}
	var at loop.State
	err := e.store.SendAnswer(ctx, id, m, func(s loop.State) error {
		at = s
		return loop.CheckCommand(s, c, e.stamp())
	})
	if errors.Is(err, store.ErrAnswered) {
		err = &journal.RefusedError{Event: loop.Answered{}.Name(), Status: string(at.Status), Why: "it has just been answered"}
	}
	return err
}

// sendDriven executes a command on a loop that its agent drives.
func (e *Engine) sendDriven(ctx context.Context, id string, c engine.Command) (loop.State, error) {
	s, err := e.recordDueByID(ctx, id)
	if err != nil || s.Status.Terminal() {
		return s, err
	}
	event, err := loop.EventOf(s, c, e.stamp())
	if err != nil {
		return s, err
	}
	return e.changeIf(ctx, id, store.Admission{Max: c.Max, Force: c.Force, PerParent: c.PerParent}, anyState, event)
}

// execute does the work of commands while no process runs the loop.
func (e *Engine) execute(ctx context.Context, id string, commands ...engine.Command) (loop.State, error) {
	lease, err := e.loops.Acquire(ctx, id, nil, false)
	if err != nil {
		return loop.State{}, situation.Of(err)
	}
	state, err := e.executeUnder(ctx, lease, commands...)
	if _, refused := errors.AsType[*journal.RefusedError](err); err != nil && !refused {
		return state, errors.Join(err, lease.Release(ctx))
	}
	return state, errors.Join(err, e.release(ctx, lease))
}

// executeInbox does the work of the commands that wait in the inbox of a loop.
func (e *Engine) executeInbox(ctx context.Context, lease stored.LoopLease) error {
	_, err := e.executeUnder(ctx, lease)
	if errors.Is(err, engine.ErrEnded) {
		return nil
	}
	return err
}

// executeUnder does the work of commands under a lease, those that wait in the inbox
// first: an abort is closed to its end; anything else leaves the loop paused or waiting,
// never running without an owner.
func (e *Engine) executeUnder(ctx context.Context, lease stored.LoopLease, commands ...engine.Command) (loop.State, error) {
	r, err := e.recover(ctx, lease, engine.Drive{}, loop.Gap{})
	if err != nil {
		return loop.State{}, err
	}
	if r.State().Status.Terminal() {
		return r.State(), engine.ErrEnded
	}
	err = r.ExecuteInbox(ctx)
	for _, c := range commands {
		if err == nil {
			err = r.Execute(ctx, c)
		}
	}
	if _, refused := errors.AsType[*journal.RefusedError](err); err != nil && !refused {
		return r.State(), situation.Of(err)
	}
	// A message of the inbox may have continued the loop before the command was refused.
	rested := r.Rest(ctx, restWords(r.State(), commands))
	if rested == nil && r.State().Ending != nil {
		rested = e.run(ctx, r)
	}
	return r.State(), errors.Join(err, situation.Of(rested))
}

// restWords is the message of a loop that rests without a request to pause.
func restWords(s loop.State, commands []engine.Command) string {
	answered := func(c engine.Command) bool { return c.Question != "" || c.Kind == engine.Answer }
	paused := func(c engine.Command) bool { return c.Kind == engine.Pause || c.Kind == engine.PauseNow }
	switch {
	case slices.ContainsFunc(commands, answered) && s.InPlan():
		return "answered; it continues with its plan"
	case slices.ContainsFunc(commands, answered):
		return "answered; the loop is not running"
	case slices.ContainsFunc(commands, paused):
		return ""
	}
	return "not running; continue with: " + next.Resume(s.ID)
}
