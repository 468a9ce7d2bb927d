package worker

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"ralph/internal/gate/canary"
	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/scope"
)

// idle takes the pass from a gate in which tests of the base that could not be loaded
// there do not count: their names are unknown on the base, so that the ratchet
// misses none of them. of are the places of the base's tests.
func (w *Worker) idle(ctx context.Context, s loop.State, e evaluation, of []canary.Place, r *loop.Result) error {
	before := find(s.BaseResults, e.Gate.Name)
	if before == nil || before.Tests == nil || r.Tests.NamesFile == "" {
		return nil
	}
	unloaded := canary.Unloaded(of, before.Tests.Failing)
	if len(unloaded) == 0 {
		return nil
	}
	places, err := w.canaryPlaces(ctx, s.Base, e, canary.Options{Only: unloaded, Own: true})
	if err != nil {
		return err
	}
	names, err := readNames(r.Tests)
	if err != nil {
		return fmt.Errorf("names of the tests in gate %s: %w", e.Gate.Name, err)
	}
	passed, skipped := slices.Sorted(maps.Keys(names.With(proof.TestPassed))), slices.Sorted(maps.Keys(names.With(proof.TestSkipped)))
	for _, p := range places {
		if why := p.Idle(passed, skipped); why != "" && !mayChange(s, p) {
			lose(r, why+": the tests there did not load before the work, and must run and pass with it; a skipped test has not passed")
			return nil
		}
	}
	return nil
}

// mayChange reports whether people permit the work to change tests of a place.
func mayChange(s loop.State, p canary.Place) bool {
	return slices.ContainsFunc(append(p.Edited, canary.File{Path: p.Path}), func(f canary.File) bool { return scope.Match(s.MayChange, f.Path) })
}

// withoutUnloaded returns a run on the base again with canaries in place of the tests
// that could not be loaded, since these say nothing about the runner. A run in
// which all were loaded is returned as it is.
func (w *Worker) withoutUnloaded(ctx context.Context, s loop.State, e evaluation, ran canaryRun, own bool, h *Hooks) (canaryRun, error) {
	bare := canary.Unloaded(ran.missing, ran.failed)
	if len(bare) == 0 {
		return ran, nil
	}
	again, err := w.runCanary(ctx, s, e, canary.Options{Own: own, Bare: bare}, h)
	if err != nil || len(reported(again)) < len(reported(ran)) {
		return ran, err
	}
	return again, nil
}
