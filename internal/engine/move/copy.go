package move

import (
	"context"
	"fmt"
	"slices"

	"ralph/internal/engine"
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

// end is one of the two stores between which a run moves.
type end struct {
	home   loop.Home
	events journalOf
}

// arrival is how a run comes to the store where it arrives. land, where it is set, makes what
// its record names; most is how many events a commit takes, 0 any number.
type arrival[S any, E journal.Event] struct {
	start  S
	files  func() error
	land   func() error
	record func(next S, events []E) error
	most   int
}

// carry brings the files of a run, copies its record, and lets it arrive.
func carry[S any, E journal.Event, H engine.Lease[S, E]](ctx context.Context, m *Mover, k kind[S, E, H], src, dst end, from, to engine.Lease[S, E], a arrival[S, E]) error {
	m.fault("acquired both")
	if to.Seq() > from.Seq() { // the request of a process that was killed has just arrived
		return confirm(ctx, m, k.machine, from, dst.events)
	}
	if err := a.files(); err != nil {
		return err
	}
	m.fault("brought the files")
	s := a.start
	err := copyMissing(ctx, src.events, from.Seq(), to, a, func(r engine.Event) (_ S, e E, err error) {
		s, e, err = k.play(s, r)
		return k.incomplete(s, src.home, dst.home), e, err
	}, m.fault)
	if err == nil && a.land != nil {
		err = a.land()
	}
	if err != nil {
		return err
	}
	return arrive(ctx, m, k.machine, from, to, s, dst.events)
}

// copyMissing copies the events that a store lacks, up to a number, several in one commit.
// read returns one of them with the state that is recorded after it.
func copyMissing[S any, E journal.Event](ctx context.Context, from journalOf, last int64, to engine.Lease[S, E], a arrival[S, E], read func(engine.Event) (S, E, error), fault func(string)) error {
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
			n := batch(page, a.most)
			var next S
			events := make([]E, n)
			for i, r := range page[:n] {
				if next, events[i], err = read(r); err != nil {
					return err
				}
			}
			if err := a.record(next, events); err != nil {
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

// batch is how many of the events fit into one commit; at least one, and at most so many.
func batch(page []engine.Event, most int) int {
	size := 0
	for n, r := range page {
		if size += len(r.Name) + len(r.Data); n > 0 && (size > batchBytes || n == most) {
			return n
		}
	}
	return len(page)
}
