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

// Record is an event of a loop or of a plan as it was recorded.
type Record struct {
	Seq   int64
	Epoch int64
	At    time.Time
	Name  string
	Data  []byte
	// Event is Data decoded, a loop.Event or a plan.Event; nil for one of a newer version,
	// and for one that is damaged.
	Event journal.Event
}

// Decoded returns a record with its event. decode is that of the machine: loop.Decode or
// plan.Decode.
func Decoded[E journal.Event](r Record, decode func(name string, data []byte) (E, error)) Record {
	if e, err := decode(r.Name, r.Data); err == nil {
		r.Event = e
	}
	return r
}

// Newest is the last event of a run, whatever its number.
const Newest = math.MaxInt64

// Records returns the events of a run after a number up to a last one. page is Events of a
// store or of an engine. It ends with the first error; ErrDamaged: not all of them are there.
func Records(ctx context.Context, page func(ctx context.Context, id string, after int64) ([]Record, error), id string, after, last int64) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for after < last {
			some, err := page(ctx, id, after)
			if err != nil {
				yield(Record{}, err)
				return
			}
			if len(some) == 0 {
				if last != Newest {
					yield(Record{}, fmt.Errorf("%w: events of %s are missing after %d", ErrDamaged, id, after))
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
