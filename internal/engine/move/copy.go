package move

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/engine/situation"
	"ralph/internal/engine/stored"
	"ralph/internal/loop"
	"ralph/internal/store"
)

// Bounds of one commit on the server (temporal/entity). A state is kept a little larger
// while it is incomplete, and by the move itself.
const (
	mostBytes  = 256 << 10
	batchBytes = mostBytes / 2
	spare      = 8 << 10
)

// here are the events of this machine after a number, as a server numbers them: without
// "created".
func (m *Mover) here(ctx context.Context, id string, after int64) ([]engine.Record, error) {
	page, err := stored.Loops{Store: m.Store}.Events(ctx, id, after+1)
	for i := range page {
		page[i].Seq--
	}
	return page, err
}

// fits refuses a loop whose record has a part that no server takes, or that does not follow
// from its events.
func (m *Mover) fits(ctx context.Context, now, first loop.State) error {
	s, size := first, 0
	for after := int64(0); ; {
		page, err := m.here(ctx, now.ID, after)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			break
		}
		for _, r := range page {
			if s, err = stored.Apply(s, r); err != nil {
				return err
			}
			size = max(size, len(r.Name)+len(r.Data))
			after = r.Seq
		}
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

// copyThere copies to the server the events that it lacks, up to the last one here.
func (m *Mover) copyThere(ctx context.Context, last int64, to lease) error {
	s := to.State().Complete()
	for to.Seq() < last {
		page, err := m.here(ctx, to.ID(), to.Seq())
		if err != nil {
			return err
		}
		if len(page) == 0 {
			return fmt.Errorf("%w: events of loop %s are missing", engine.ErrDamaged, to.ID())
		}
		for len(page) > 0 {
			n := batch(page)
			var events []loop.Event
			for _, r := range page[:n] {
				if s, err = stored.Apply(s, r); err != nil {
					return err
				}
				events = append(events, r.Event)
			}
			if err := recordThere(ctx, to, s.Incomplete(m.Here, m.There), events); err != nil {
				return err
			}
			page = page[n:]
			m.fault("copied a part")
		}
	}
	return nil
}

// batch is how many of the events fit into one commit; at least one.
func batch(page []engine.Record) int {
	size := 0
	for n, r := range page {
		if size += len(r.Name) + len(r.Data); n > 0 && size > batchBytes {
			return n
		}
	}
	return len(page)
}

// copyHere copies from the server the events that this machine lacks, up to a number.
func (m *Mover) copyHere(ctx context.Context, last int64, to *store.Lease) error {
	s := to.State().Complete()
	for to.Seq()-1 < last {
		page, err := m.Server.Events(ctx, to.ID(), to.Seq()-1)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			return fmt.Errorf("%w: events of loop %s are missing on the server", engine.ErrDamaged, to.ID())
		}
		for _, r := range page {
			if r.Seq > last {
				break
			}
			if s, err = stored.Apply(s, r); err != nil {
				return err
			}
			if err := stored.Record(ctx, to, s.Incomplete(m.There, m.Here), r); err != nil {
				return situation.Of(err)
			}
			m.fault("copied a part")
		}
	}
	return nil
}

// sameEvents refuses a record on the server whose newest event, which has a number, is not
// the one here.
func (m *Mover) sameEvents(ctx context.Context, id string, number int64) error {
	if number == 0 {
		return nil
	}
	here, err := m.here(ctx, id, number-1)
	if err != nil {
		return err
	}
	there, err := m.Server.Events(ctx, id, number-1)
	if err != nil {
		return err
	}
	if len(here) == 0 || len(there) == 0 || !sameEvent(here[0], there[0]) {
		return fmt.Errorf("%w on the other side, and its events are others", engine.ErrExists)
	}
	return nil
}

func sameEvent(a, b engine.Record) bool {
	if a.Event == nil || b.Event == nil || !a.At.Equal(b.At) {
		return false
	}
	one, data, err := loop.Encode(a.Event)
	two, more, also := loop.Encode(b.Event)
	return err == nil && also == nil && one == two && bytes.Equal(data, more)
}
