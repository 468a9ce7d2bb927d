package move

import (
	"context"
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
				var e loop.Event
				if s, e, err = stored.Apply(s, r); err != nil {
					return err
				}
				events = append(events, e)
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
func (m *Mover) copyHere(ctx context.Context, last int64, to *store.LoopLease) error {
	s := to.State().Complete()
	for r, err := range engine.Records(ctx, m.Server.Events, to.ID(), to.Seq()-1, last) {
		if err != nil {
			return err
		}
		next, e, err := stored.Apply(s, r)
		if err != nil {
			return err
		}
		if err := stored.Record(ctx, to, next.Incomplete(m.There, m.Here), e); err != nil {
			return situation.Of(err)
		}
		s = next
		m.fault("copied a part")
	}
	return nil
}
