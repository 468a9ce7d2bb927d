package worker

import (
	"context"
	"fmt"

	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/text"
)

// findLinks names the links out of the repository that the work has at tip and its
// base has not.
func (w *Worker) findLinks(ctx context.Context, s loop.State, tip string) (links []string, err error) {
	const mostLinks, widest = 20, 200
	base, work, err := w.bothFiles(ctx, s.Base, tip)
	if err != nil {
		return nil, err
	}
	found, err := proof.LinksOut(base, work, w.content(ctx))
	if err != nil {
		return nil, fmt.Errorf("read the symbolic links of %s: %w", git.Short(tip), err)
	}
	for _, l := range found[:min(len(found), mostLinks)] {
		links = append(links, text.Clip(l, widest))
	}
	return links, nil
}
