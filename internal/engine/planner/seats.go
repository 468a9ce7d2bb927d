package planner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/review"
	"ralph/internal/store"
)

// SeatsOf begins the name of the folder that holds the trees of a plan's
// reviewers, beside the pool of worktrees.
const SeatsOf = "review-"

func seats(trees, id string) string { return filepath.Join(trees, SeatsOf+id) }

// clearSeats removes what a review left that was killed with the plan's run. What
// cannot go now is tried again by the next run, and by CleanSeats.
func (r *run) clearSeats(ctx context.Context) {
	root := seats(r.Hands(r.lease.Dir()).TreeRoot, r.spec.ID)
	_ = review.Clear(ctx, r.Repo, root, r.state.Base)
}

// CleanSeats removes reviewers' trees of plans that nobody runs, and answers
// which. dryRun only names them.
func (p *Planner) CleanSeats(ctx context.Context, trees string, dryRun bool) ([]string, error) {
	found, err := LeftSeats(ctx, p.Store, trees)
	if err != nil || dryRun || len(found) == 0 {
		return found, err
	}
	head, err := p.Repo.Head(ctx)
	if err != nil {
		return nil, err
	}
	var removed []string
	var errs []error
	for _, root := range found {
		if err := review.Clear(ctx, p.Repo, root, head.Commit); err != nil {
			errs = append(errs, fmt.Errorf("remove %s: %w", root, err))
			continue
		}
		removed = append(removed, root)
	}
	return removed, errors.Join(errs...)
}

// LeftSeats are the folders of reviewers' trees whose plan nobody runs.
func LeftSeats(ctx context.Context, memory *store.Store, trees string) ([]string, error) {
	all, err := os.ReadDir(trees)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	var left []string
	for _, f := range all {
		id, ok := strings.CutPrefix(f.Name(), SeatsOf)
		if !ok || !f.IsDir() {
			continue
		}
		rec, err := memory.Plan(ctx, id)
		switch {
		case err != nil && !errors.Is(err, store.ErrNoPlan):
			return nil, err
		case !rec.Live:
			left = append(left, filepath.Join(trees, f.Name()))
		}
	}
	return left, nil
}
