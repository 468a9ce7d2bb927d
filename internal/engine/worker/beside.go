package worker

import (
	"context"
	"slices"

	"ralph/internal/gate/canary"
	"ralph/internal/loop"
)

// swallowedBeside runs the gate once more with canaries in files of their own, and with
// every test of the project as it was: code that behaves well where its tests were
// changed finds them unchanged. It returns a place where the runner of the base reports
// such canaries and that of the work does not, twice, or "".
func (w *Worker) swallowedBeside(ctx context.Context, s loop.State, work evaluation, h *Hooks) (string, error) {
	work.name = "beside"
	ran, err := w.runCanary(ctx, s, work, canary.Options{Beside: true}, h)
	if err != nil || len(ran.places) == 0 || ran.sound() {
		return "", err
	}
	before, err := w.runCanary(ctx, s, work.rerunOn(s.Base, "beside"), canary.Options{Beside: true}, h)
	if err != nil || before.green {
		return "", err
	}
	if ran, err = w.runCanary(ctx, s, work, canary.Options{Beside: true}, h); err != nil {
		return "", err
	}
	for _, place := range reported(before) {
		if ran.green || slices.Contains(names(ran.missing), place) {
			return place, nil
		}
	}
	return "", nil
}
