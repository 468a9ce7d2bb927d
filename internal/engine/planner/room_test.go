package planner

import (
	"context"
	"errors"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/plan"
)

// TestWithRoom: what fails on a full disk is done again when there is room, as often as
// that takes; not where no Room waits, the run was taken over, or it was asked to stop.
func TestWithRoom(t *testing.T) {
	t.Parallel()
	full := engine.NoSpace("/disk")
	waits := 0
	room := func(context.Context, error) error { waits++; return nil }
	var asked engine.Room = func(ctx context.Context, _ error) error { <-ctx.Done(); return ctx.Err() }
	stops := make(chan engine.Stop, 1)
	stops <- engine.AfterStep
	left := asked.Await(t.Context(), stops, nil, full)
	if !errors.Is(left, engine.ErrStopped) || !errors.Is(left, engine.ErrNoSpace) {
		t.Fatalf("asked to stop: %v", left)
	}
	for name, row := range map[string]struct {
		room  engine.Room
		fails []error
		want  error
		waits int
	}{
		"room again":         {room, []error{full, full}, nil, 2},
		"nothing waits":      {nil, []error{full}, engine.ErrNoSpace, 0},
		"taken over":         {room, []error{engine.ErrFenced}, engine.ErrFenced, 0},
		"asked to stop":      {room, []error{left}, engine.ErrStopped, 0},
		"something else":     {room, []error{full, errors.ErrUnsupported}, errors.ErrUnsupported, 1},
		"nothing went wrong": {room, nil, nil, 0},
	} {
		d := newDesk(t)
		d.Room, waits = row.room, 0
		lease, err := d.Store.Create(t.Context(), plan.Begin(d.spec.ID, d.spec.File, "", "b", d.spec.Base, plan.Rules{}), nil)
		must(t, err)
		r := &run{Planner: d.Planner, lease: lease}
		err = r.patiently(t.Context(), nil, func() error {
			if len(row.fails) == 0 {
				return nil
			}
			err := row.fails[0]
			row.fails = row.fails[1:]
			return err
		})
		if !errors.Is(err, row.want) || waits != row.waits {
			t.Errorf("%s: %v after %d waits", name, err, waits)
		}
	}
}
