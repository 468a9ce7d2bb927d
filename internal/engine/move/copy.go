package move

import (
	"context"
	"fmt"
	"slices"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/journal"
	"ralph/internal/loop"
)

// Bounds of one commit on the server (temporal/entity). A state is kept a little larger
// while it is incomplete, and by the move itself.
const (
	mostBytes  = 256 << 10
	batchBytes = mostBytes / 2
	spare      = 8 << 10
)

// journalOf returns the events of a run after a number.
type journalOf func(ctx context.Context, id string, after int64) ([]engine.Event, error)

// copyThere copies to the server the events that it lacks, up to the last one here.
func (m *Mover) copyThere(ctx context.Context, last int64, to lease) error {
	s := to.State().Complete()
	return copyMissing(ctx, m.Copies.Events, last, to, func(r engine.Event) (_ loop.State, e loop.Event, err error) {
		s, e, err = stored.Apply(s, r)
		return s.Incomplete(m.Here, m.There), e, err
	}, m.fault)
}

// copyMissing copies the events that a store lacks, up to a number, several in one commit.
// read returns one of them with the state that is recorded after it.
func copyMissing[S any, E journal.Event](ctx context.Context, from journalOf, last int64, to engine.Lease[S, E], read func(engine.Event) (S, E, error), fault func(string)) error {
	for to.Seq() < last {
		page, err := from(ctx, to.ID(), to.Seq())
		if err != nil {
			return err
		}
		page = slices.DeleteFunc(page, func(r engine.Event) bool { return r.Seq > last })
		if len(page) == 0 {
			return missing(to.ID())
		}
		for len(page) > 0 {
			n := batch(page)
			var next S
			events := make([]E, n)
			for i, r := range page[:n] {
				if next, events[i], err = read(r); err != nil {
					return err
				}
			}
			if err := record(ctx, to, next, events); err != nil {
				return err
			}
			page = page[n:]
			fault("copied a part")
		}
	}
	return nil
}

func missing(id string) error {
	return fmt.Errorf("%w: events of %s are missing", engine.ErrDamaged, id)
}

// sameEvent refuses a run that has the id of another one: the events of the two records under
// a number, which both have, differ.
func sameEvent[S any, E journal.Event](ctx context.Context, kind machine[S, E], here, there journalOf, id string, number int64) error {
	var events [2]string
	for i, from := range []journalOf{here, there} {
		page, err := from(ctx, id, number-1)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			continue
		}
		if e, known := page[0].Decoded.(E); known {
			name, data, err := kind.encode(e)
			if err != nil {
				return err
			}
			events[i] = name + string(data)
		}
	}
	if events[0] == "" || events[0] != events[1] {
		return fmt.Errorf("%w on the other side, and its events are others", engine.ErrExists)
	}
	return nil
}

// batch is how many of the events fit into one commit; at least one.
func batch(page []engine.Event) int {
	size := 0
	for n, r := range page {
		if size += len(r.Name) + len(r.Data); n > 0 && size > batchBytes {
			return n
		}
	}
	return len(page)
}

// copyHere copies from the server the events that this machine lacks, up to a number.
func (m *Mover) copyHere(ctx context.Context, last int64, to stored.Copy) error {
	s := to.State().Complete()
	for r, err := range engine.Events(ctx, m.Server.Events, to.ID(), to.Seq(), last) {
		if err != nil {
			return err
		}
		next, e, err := stored.Apply(s, r)
		if err != nil {
			return err
		}
		if err := to.CommitCopied(ctx, next.Incomplete(m.There, m.Here), e); err != nil {
			return err
		}
		s = next
		m.fault("copied a part")
	}
	return nil
}
