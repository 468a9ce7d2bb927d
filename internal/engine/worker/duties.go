package worker

import (
	"context"
	"fmt"

	"ralph/internal/loop"
	"ralph/internal/proof/judge"
)

// dutiesOf returns what gates do by their commands as they are on a commit. They are kept:
// every run of a gate asks for them.
func (w *Worker) dutiesOf(ctx context.Context, commit string, gates ...loop.Gate) (all judge.Duties, err error) {
	files, err := w.files(ctx, commit)
	if err != nil {
		return all, err
	}
	for _, g := range gates {
		key := [4]string{commit, g.Dir, string(g.Kind), g.Run}
		one, known := w.duties[key]
		if !known {
			one, err = judge.DutiesOf(g, files, w.content(ctx))
			if err != nil {
				return all, fmt.Errorf("read what gate %s runs: %w", g.Name, err)
			}
			if w.duties == nil {
				w.duties = map[[4]string]judge.Duties{}
			}
			w.duties[key] = one
		}
		all = all.And(one)
	}
	return all, nil
}
