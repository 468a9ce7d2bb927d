package worker

import (
	"context"
	"fmt"

	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/text"
)

// findSuspects names the lines that the work adds to the product and that can end or
// steer a run of its tests. Work of which not all can be searched counts as if it had
// one.
func (w *Worker) findSuspects(ctx context.Context, s loop.State, tip string) (suspects []string, err error) {
	const mostNamed, widest = 20, 200
	base, err := w.files(ctx, s.Base)
	if err != nil {
		return nil, err
	}
	work, err := w.files(ctx, tip)
	if err != nil {
		return nil, err
	}
	found, all, err := proof.Suspects(base, work, proof.Inspects(s.Gates), func(id string) ([]byte, error) {
		if id == "" {
			return nil, nil
		}
		return w.blob(ctx, id)
	})
	if err != nil {
		return nil, fmt.Errorf("search the changed sources of %s: %w", shortID(tip), err)
	}
	for _, f := range found[:min(len(found), mostNamed)] {
		suspects = append(suspects, text.Clip(f.String(), widest))
	}
	if !all {
		suspects = append(suspects, "more changed sources than are searched for such code")
	}
	return suspects, nil
}
