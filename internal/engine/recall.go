package engine

import (
	"context"

	"ralph/internal/learn"
	"ralph/internal/loop"
)

// learned is what earlier loops taught that fits the next attempt. Notes are a
// help and no condition: an attempt goes on without them.
func (w *Worker) learned(ctx context.Context, s loop.State) []learn.Known {
	if w.Recall == nil || s.Learn == loop.LearnOff {
		return nil
	}
	files, err := w.list(ctx, s.Base)
	if err != nil {
		files = nil
	}
	found, err := w.Recall(ctx, learn.Ask(s, files))
	if err != nil {
		return nil
	}
	return found
}
