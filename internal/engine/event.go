package engine

import (
	"context"
	"fmt"
	"iter"
	"math"
	"time"

	"ralph/internal/journal"
)

// EventPage is how many events are read at once: what shows or follows a long run
// needs no more memory than for a short one.
const EventPage = 500

// Event is an event of a loop or of a plan as it was recorded.
type Event struct {
	Seq   int64
	Epoch int64
	At    time.Time
	Name  string
	Data  []byte
	// Decoded is Data, a loop.Event or a plan.Event; nil for one of a newer version,
	// and for one that is damaged.
	Decoded journal.Event
}

// Decode returns an event with Decoded set. decode is that of the machine: loop.Decode or
// plan.Decode.
func Decode[E journal.Event](r Event, decode func(name string, data []byte) (E, error)) Event {
	if e, err := decode(r.Name, r.Data); err == nil {
		r.Decoded = e
	}
	return r
}

// Newest is the last event of a run, whatever its number.
const Newest = math.MaxInt64

// Events returns the events of a run after a number up to a last one. page is Events of a
// store or of an engine. It ends with the first error; ErrDamaged: not all of them are there.
func Events(ctx context.Context, page func(ctx context.Context, id string, after int64) ([]Event, error), id string, after, last int64) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for after < last {
			some, err := page(ctx, id, after)
			if err != nil {
				yield(Event{}, err)
				return
			}
			if len(some) == 0 {
				if last != Newest {
					yield(Event{}, fmt.Errorf("%w: events of %s are missing after %d", ErrDamaged, id, after))
				}
				return
			}
			for _, r := range some {
				if r.Seq > last || !yield(r, nil) {
					return
				}
				after = r.Seq
			}
		}
	}
}
