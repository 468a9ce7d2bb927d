package engine

import (
	"context"
	"errors"
	"time"
)

// AwaitLease repeats an act that needs the lease of a run while another process holds it,
// and then returns ErrRunning: for 160 ms, because a process that was killed while it
// started another one holds its lock until that one has become its program; for three
// seconds where soon reports that the run is released in a moment.
func AwaitLease(ctx context.Context, soon func() bool, act func() error) error {
	const few, many, pause = 5, 75, 40 * time.Millisecond
	for n := 1; ; n++ {
		err := act()
		if !errors.Is(err, ErrRunning) || n == many || n >= few && !soon() {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
