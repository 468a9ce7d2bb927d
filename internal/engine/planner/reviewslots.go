package planner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/engine"
	"ralph/internal/review"
)

// ReviewSlotsOf begins the name of the folder that holds the trees of a plan's
// reviewers, beside the pool of worktrees.
const ReviewSlotsOf = "review-"

func reviewSlots(trees, id string) string { return filepath.Join(trees, ReviewSlotsOf+id) }

// clearReviewSlots removes the leftovers of a review that was killed with the
// plan's run. Those that cannot be removed now are left to the next run, and to
// CleanReviewSlots.
func (r *run) clearReviewSlots(ctx context.Context) {
	root := reviewSlots(r.NewWorker(r.Dir(r.lease.ID())).TreeRoot, r.spec.ID)
	_ = review.Clear(ctx, r.Repo, root, r.state.Base)
}

// CleanReviewSlots removes reviewers' trees of plans that are not running, and
// returns their names. dryRun only lists them.
func (p *Planner) CleanReviewSlots(ctx context.Context, trees string, dryRun bool) ([]string, error) {
	found, err := LeftReviewSlots(ctx, p.Store, trees)
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

// LeftReviewSlots returns the folders of reviewers' trees whose plan is not
// running.
func LeftReviewSlots(ctx context.Context, plans engine.PlanStore, trees string) ([]string, error) {
	all, err := os.ReadDir(trees)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	var left []string
	for _, f := range all {
		id, ok := strings.CutPrefix(f.Name(), ReviewSlotsOf)
		if !ok || !f.IsDir() {
			continue
		}
		rec, err := plans.Read(ctx, id)
		switch {
		case err != nil && !errors.Is(err, engine.ErrNotFound):
			return nil, err
		case !rec.Live:
			left = append(left, filepath.Join(trees, f.Name()))
		}
	}
	return left, nil
}
