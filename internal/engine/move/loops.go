package move

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/engine/situation"
	"ralph/internal/engine/stored"
	"ralph/internal/loop"
)

// loops are loops as a move needs them.
func (m *Mover) loops() kind[loop.State, loop.Event, stored.Copy] {
	return kind[loop.State, loop.Event, stored.Copy]{
		machine: loopMachine, noun: "loop", records: m.Stored, server: m.Server, hold: m.holdLoop, keep: m.keepLoop, keepThere: none[loop.State],
		refusals: refusals[loop.State]{
			moved: engine.MovedOf, alone: m.alone, immovable: m.immovable, same: m.sameLoop, come: m.loopMayCome,
		},
		leaving: leaving[loop.State, stored.Copy]{
			rest: m.restLoop, offer: m.offerLoop, partsOut: noneKept[loop.State], recall: none[loop.State],
			requestThere: m.firstThere, putFiles: m.putLoopFiles, handBack: m.handBackTrees,
		},
		coming: coming[loop.State, loop.Event, stored.Copy]{
			fetch: m.fetchLoop, pause: m.pauseLoop, partsBack: none[loop.State],
			requestHere: func(engine.Stored[loop.State]) ([]byte, error) { return nil, nil }, create: m.createLoop,
			getFiles: m.getLoopFiles, land: m.landLoop, returned: none[string], writeBack: none[stored.Copy],
		},
		copying: copying[loop.State, loop.Event, stored.Copy]{
			start: func(_, to loop.State, _ bool) loop.State { return to.Complete() }, play: stored.Apply,
			copied: copiedLoop, most: 1,
		},
	}
}

// immovable returns why a loop cannot be moved; one of a plan moves with it only.
func (m *Mover) immovable(s loop.State) string {
	return s.Immovable(m.plan != "" && s.Parent == m.plan)
}

// alone refuses a loop of a plan that is to be moved without it, whatever its record tells.
func (m *Mover) alone(r engine.Stored[loop.State]) error {
	if s := r.State; s.Parent != "" && s.Parent != m.plan {
		return &engine.ImmovableError{ID: s.ID, Why: s.Immovable(false)}
	}
	return nil
}

// holdLoop is the lease of a loop here, which may have been archived since it left.
func (m *Mover) holdLoop(ctx context.Context, id string, _ []byte) (stored.Copy, error) {
	if err := m.Stored.Store.Unarchive(ctx, id); err != nil {
		return stored.Copy{}, situation.Of(err)
	}
	return m.Stored.Acquire(ctx, id, false)
}

// first returns the state with which the record here begins.
func (m *Mover) first(ctx context.Context, id string) (loop.State, error) {
	first, ok, err := m.Stored.Store.First(ctx, id)
	if err == nil && !ok {
		return first, &engine.ImmovableError{ID: id, Why: "an older version began its record"}
	}
	return first, situation.Of(err)
}

// sameLoop refuses a loop of the same id that is another one.
func (m *Mover) sameLoop(ctx context.Context, have, there engine.Stored[loop.State]) error {
	first, err := m.first(ctx, have.State.ID)
	if err != nil {
		return err
	}
	if err := sameRun(there.Spec, first); err != nil {
		return err
	}
	return m.sameEvents(ctx, first.ID, min(there.Seq, have.Seq))
}

// restLoop pauses a loop whose process died, and carries out what was sent to it.
func (m *Mover) restLoop(ctx context.Context, r engine.Stored[loop.State]) error {
	unread, err := m.Stored.Store.Unread(ctx, r.State.ID)
	if err == nil && (unread || !r.State.AtRest()) {
		err = m.Local.Rest(ctx, r.State.ID)
	}
	return err
}

// offerLoop pushes the work of a loop that can move.
func (m *Mover) offerLoop(ctx context.Context, l stored.Copy, exists bool) error {
	s := l.State()
	if s.Move != nil {
		return m.Travel.Offer(ctx, s, exists)
	}
	if why := m.immovable(s); why != "" {
		return &engine.ImmovableError{ID: s.ID, Why: why}
	}
	if !s.AtRest() {
		return fmt.Errorf("loop %s does not rest yet: %w", s.ID, engine.ErrNotNow)
	}
	first, err := m.first(ctx, s.ID)
	if err != nil {
		return err
	}
	if err := errors.Join(m.fits(ctx, s, first), m.Local.MayLeave(ctx, l.LoopLease)); err != nil {
		return err
	}
	return m.Travel.Offer(ctx, s, exists)
}

// firstThere is the first state of a loop, which is also its request.
func (m *Mover) firstThere(ctx context.Context, l stored.Copy) (first loop.State, spec []byte, err error) {
	if first, err = m.first(ctx, l.ID()); err == nil {
		spec, err = json.Marshal(first)
	}
	return first, spec, err
}

func (m *Mover) putLoopFiles(ctx context.Context, l stored.Copy, epoch int64) error {
	return m.Travel.PutFiles(ctx, l.ID(), epoch, l.Dir())
}

func (m *Mover) handBackTrees(ctx context.Context, l stored.Copy) (kept []string, err error) {
	branch, err := m.Local.Leave(ctx, l.LoopLease)
	if branch != "" {
		kept = []string{branch}
	}
	if err != nil {
		err = fmt.Errorf("loop %s has moved; hand back its trees here: %w", l.ID(), err)
	}
	return kept, err
}

// keepLoop makes the branches of a loop that has left.
func (m *Mover) keepLoop(ctx context.Context, l stored.Copy) (kept []string, err error) {
	if s := l.State(); !s.Away() {
		return nil, nil
	}
	if kept, err = m.handBackTrees(ctx, l); err != nil {
		return kept, err
	}
	return kept, m.landLoop(ctx, l, "")
}

// loopMayCome refuses a loop that a worker has to continue first, or that cannot be read here.
func (m *Mover) loopMayCome(ctx context.Context, b both[loop.State]) error {
	if s := b.there.State; s.Began || s.Ending != nil && !s.Status.Terminal() {
		return fmt.Errorf("loop %s was cut off in the middle of a step, which a worker has to end first: %w", s.ID, engine.ErrNotNow)
	}
	return m.playable(ctx, b.there, b.have, b.isHere)
}

func (m *Mover) fetchLoop(ctx context.Context, s loop.State) (kept string, err error) {
	return m.Travel.FetchWhole(ctx, s)
}

// pauseLoop are the events that pause a loop which waits for a worker.
func (m *Mover) pauseLoop(s loop.State) (events []loop.Event) {
	if !s.AtRest() {
		events = append(events, loop.PauseAsked{Stamp: m.stamp(), By: loop.NoOwner, Why: "no worker had it when it moved"})
		if s.Status == loop.Running {
			events = append(events, loop.Interrupted{Stamp: m.stamp(), Why: "no process runs the loop"})
		}
	}
	return events
}

func (m *Mover) createLoop(ctx context.Context, there engine.Stored[loop.State], _ []byte) (stored.Copy, error) {
	first, err := firstOf(there.Spec, there.State.ID)
	if err != nil {
		return stored.Copy{}, err
	}
	return m.Stored.CreateMoved(ctx, first, first.Incomplete(m.There, m.Here))
}

func (m *Mover) getLoopFiles(ctx context.Context, l stored.Copy, _ engine.Stored[loop.State]) error {
	return m.Travel.GetFiles(ctx, l.ID(), l.Dir())
}

func (m *Mover) landLoop(ctx context.Context, l stored.Copy, kept string) error {
	return m.Local.Arrive(ctx, l.LoopLease, kept)
}

// copiedLoop records an event of the server: one, since each may reserve from a budget.
func copiedLoop(ctx context.Context, l stored.Copy, next loop.State, events []loop.Event) error {
	return l.CommitCopied(ctx, next, events[0])
}
