package worker

import (
	"context"
	"slices"

	"ralph/internal/gate/canary"
	"ralph/internal/loop"
	"ralph/internal/proof/judge"
)

// mostLater bounds the runners that are tried behind the first one.
const mostLater = 3

// tryLater tries runners that a gate starts one after the other ("go test ./... && pytest"): with
// canaries in all places it stops at the first runner. It runs the gate with canaries only where
// none was reported yet, though the gate runs tests there. A place counts where the base
// reports it; what the work does not report is tried twice. A runner that is told to stop at its
// first failure does so at each canary, and is left alone.
func (w *Worker) tryLater(ctx context.Context, s loop.State, c evaluation, of, passed []string, r loop.Result, ran *canaryRun, h *Hooks) error {
	if _, stops := judge.ToItsEnd(c.Gate.Run); stops {
		return nil
	}
	c.name = "later"
	base := c.rerunOn(s.Base, c.name)
	for range mostLater {
		left := slices.DeleteFunc(slices.Clone(of), func(at string) bool { return slices.Contains(names(ran.places), at) })
		left, err := w.withTests(ctx, s.Base, c, left, passed, r.Tests.NamesPartial)
		if err != nil || len(left) == 0 {
			return err
		}
		before, err := w.runCanary(ctx, s, base, canary.Options{Only: left, Own: true}, h)
		if err != nil {
			return err
		}
		p := provedBy(before)
		if len(p.Places) == 0 {
			return nil
		}
		var next canaryRun
		for range 2 {
			if next, err = w.runCanary(ctx, s, c, canary.Options{Only: p.Places, Own: true}, h); err != nil {
				return err
			}
			next.expect(passed)
			if next.only(p); next.sound() {
				break
			}
		}
		ran.places, ran.missing, ran.forgiven = append(ran.places, next.places...), next.missing, next.forgiven
		if ran.green = next.green; !ran.sound() || len(next.places) == 0 {
			return nil
		}
	}
	return nil
}

// withTests are the places in which tests of the project passed with the work. partial: some that
// passed have no names, so that any place may have them.
func (w *Worker) withTests(ctx context.Context, commit string, e evaluation, of, passed []string, partial bool) (with []string, err error) {
	if len(of) == 0 || partial {
		return of, nil
	}
	places, err := w.canaryPlaces(ctx, commit, e, canary.Options{Only: of, Own: true})
	for _, p := range places {
		if len(canary.Tests([]canary.Place{p}, passed)) > 0 {
			with = append(with, p.At)
		}
	}
	return with, err
}
