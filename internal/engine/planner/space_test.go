package planner

import (
	"context"
	"errors"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/plan"
)

// TestWithSpace: what fails on a full disk is done again when there is space, as often as
// that takes; not where no SpaceWait waits, the run was taken over, or it was asked to stop.
func TestWithSpace(t *testing.T) {
	t.Parallel()
	full := engine.NoSpace("/disk")
	waits := 0
	space := func(context.Context, error) error { waits++; return nil }
	var asked engine.SpaceWait = func(ctx context.Context, _ error) error { <-ctx.Done(); return ctx.Err() }
	stops := make(chan engine.Stop, 1)
	stops <- engine.AfterStep
	left := asked.Await(t.Context(), stops, nil, full)
	if !errors.Is(left, engine.ErrStopped) || !errors.Is(left, engine.ErrNoSpace) {
		t.Fatalf("asked to stop: %v", left)
	}
	for name, row := range map[string]struct {
		space engine.SpaceWait
		fails []error
		want  error
		waits int
	}{
		"space again":        {space, []error{full, full}, nil, 2},
		"nothing waits":      {nil, []error{full}, engine.ErrNoSpace, 0},
		"taken over":         {space, []error{engine.ErrFenced}, engine.ErrFenced, 0},
		"asked to stop":      {space, []error{left}, engine.ErrStopped, 0},
		"something else":     {space, []error{full, errors.ErrUnsupported}, errors.ErrUnsupported, 1},
		"nothing went wrong": {space, nil, nil, 0},
	} {
		d := newDesk(t)
		d.SpaceWait, waits = row.space, 0
		lease, err := d.Store.Create(t.Context(), plan.Begin(d.spec.ID, d.spec.File, "", "b", d.spec.Base, plan.Rules{}), nil)
		must(t, err)
		r := &run{Planner: d.Planner, lease: lease}
		err = r.retryInterrupted(t.Context(), nil, func() error {
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
