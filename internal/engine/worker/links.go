package worker

import (
	"cmp"
	"context"
	"fmt"

	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/text"
)

// findLinks names the links out of the repository that the work has and its base has
// not.
func (w *Worker) findLinks(ctx context.Context, s loop.State, done *loop.Committed) error {
	const mostLinks, widest = 20, 200
	base, err := w.files(ctx, cmp.Or(s.Origin, s.Base))
	if err != nil {
		return err
	}
	work, err := w.files(ctx, done.Commit)
	if err != nil {
		return err
	}
	found, err := proof.LinksOut(base, work, func(id string) ([]byte, error) { return w.blob(ctx, id) })
	if err != nil {
		return fmt.Errorf("read the symbolic links of %s: %w", shortID(done.Commit), err)
	}
	for _, l := range found[:min(len(found), mostLinks)] {
		done.Links = append(done.Links, text.Clip(l, widest))
	}
	return nil
}
