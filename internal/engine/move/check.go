package move

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// fits refuses a loop whose record has a part that no server takes, or that does not follow
// from its events.
func (m *Mover) fits(ctx context.Context, now, first loop.State) error {
	s, size := first, 0
	for r, err := range engine.Events(ctx, m.Stored.Events, now.ID, 0, engine.Newest) {
		if err == nil {
			s, _, err = stored.Apply(s, r)
		}
		if err != nil {
			return err
		}
		size = max(size, len(r.Name)+len(r.Data))
	}
	for _, st := range []loop.State{first, now} {
		data, err := json.Marshal(st)
		if err != nil {
			return err
		}
		size = max(size, len(data)+spare)
	}
	if size > mostBytes {
		return &engine.ImmovableError{ID: now.ID, Why: fmt.Sprintf("a part of its record is larger than the %d bytes that a server takes", mostBytes)}
	}
	s.ForcedOver = now.ForcedOver // set where a store admits a loop
	played, err := json.Marshal(s)
	if err != nil {
		return err
	}
	recorded, err := json.Marshal(now)
	if err == nil && !bytes.Equal(played, recorded) {
		err = &engine.ImmovableError{ID: now.ID, Why: "its events do not lead to its state: an older version wrote a part of its record"}
	}
	return err
}

// planFits refuses a plan whose record has a part that no server takes, or that this version
// cannot read.
func (m *Mover) planFits(ctx context.Context, s plan.State, spec engine.PlanSpec) error {
	size := 0
	for r, err := range engine.Events(ctx, m.Plans.Stored.Events, s.ID, 0, engine.Newest) {
		if err == nil {
			_, _, err = playPlan(s, r)
		}
		if err != nil {
			return err
		}
		size = max(size, len(r.Name)+len(r.Data))
	}
	for _, part := range []any{s, spec} {
		data, err := json.Marshal(part)
		if err != nil {
			return err
		}
		size = max(size, len(data)+spare)
	}
	if size > mostBytes {
		return &engine.ImmovableError{ID: s.ID, Plan: true, Why: fmt.Sprintf("a part of its record is larger than the %d bytes that a server takes", mostBytes)}
	}
	return nil
}

// playable refuses a record whose events the server has not any more, or that this version
// cannot apply, while nothing is done yet: a move that began could not be completed.
func (m *Mover) playable(ctx context.Context, there, have engine.Stored[loop.State], isHere bool) (err error) {
	s, after := have.State.Complete(), have.Seq
	if !isHere {
		after = 0
		if s, err = firstOf(there.Spec, there.State.ID); err != nil {
			return err
		}
	}
	for r, err := range engine.Events(ctx, m.Server.Events, there.State.ID, after, there.Seq) {
		if err == nil {
			s, _, err = stored.Apply(s, r)
		}
		if err != nil {
			return err
		}
	}
	if s.Status != there.State.Status || s.Commit != there.State.Commit {
		return fmt.Errorf("loop %s: %w: its events lead to %q at %.10s, and its state on the server is %q at %.10s", s.ID, engine.ErrDamaged, s.Status, s.Commit, there.State.Status, there.State.Commit)
	}
	return nil
}

// firstOf is the state with which the record on the server begins.
func firstOf(spec []byte, id string) (first loop.State, err error) {
	if err := json.Unmarshal(spec, &first); err != nil || first.ID != id {
		return first, fmt.Errorf("%w: the record of loop %s on the server has no first state", engine.ErrDamaged, id)
	}
	return first, nil
}

// release ends a lease. The run has moved or not all the same: without an answer the lease on
// a server ends when its heartbeats are missed.
func release[S any, E journal.Event](ctx context.Context, l engine.Lease[S, E]) {
	_ = l.Release(context.WithoutCancel(ctx))
}

// sameRun returns ErrExists unless the record on the server begins as the one here.
func sameRun(spec []byte, first loop.State) error {
	var there loop.State
	if err := json.Unmarshal(spec, &there); err != nil {
		return fmt.Errorf("%w: the record of loop %s on the server has no first state", engine.ErrDamaged, first.ID)
	}
	here, err := roundTripped(first)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(here, there) {
		return fmt.Errorf("%w on the other side, and it is another one", engine.ErrExists)
	}
	return nil
}

// roundTripped is a state as a record has it.
func roundTripped(s loop.State) (out loop.State, err error) {
	data, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	return out, err
}

// sameEvents refuses a record on the server whose newest event, which has a number, is not
// the one here.
func (m *Mover) sameEvents(ctx context.Context, id string, number int64) error {
	if number == 0 {
		return nil
	}
	return sameEvent(ctx, loopMachine, m.Stored.Events, m.Server.Events, id, number)
}
