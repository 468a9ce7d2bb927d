package planner

import (
	"context"
	"errors"
	"fmt"

	"ralph/internal/plan"
)

// Branch is the integration branch of a plan: the tasks land there.
func Branch(id string) string { return "ralph/" + id + "/_landed" }

// syncBranch brings the integration branch to the tip that was recorded.
func (r *run) syncBranch(ctx context.Context) error {
	ref := "refs/heads/" + r.state.Branch
	at, err := r.Repo.RefCommit(ctx, ref)
	switch {
	case err != nil:
		return err
	case at == "":
		return r.Repo.StartBranch(ctx, r.state.Branch, r.state.Tip)
	case at == r.state.Tip:
		return nil
	}
	behind, err := r.Repo.IsAncestor(ctx, at, r.state.Tip)
	if err != nil {
		return err
	}
	if !behind {
		return &movedError{r.state.Branch, at, r.state.Tip}
	}
	return r.Repo.UpdateRef(ctx, ref, r.state.Tip, at)
}

// movedError: the integration branch is not where the plan left it.
type movedError struct{ branch, at, left string }

func (e *movedError) Error() string {
	return fmt.Sprintf("branch %s was moved by somebody else: it stands at %s, the plan left it at %s; put it back (git branch -f %s %s) and run the plan again",
		e.branch, short(e.at), short(e.left), e.branch, short(e.left))
}

// keepBranch brings the integration branch to the tip, after an event that may
// have moved it. A branch that somebody else has moved ends the run: nobody may
// guess which of the two is meant.
func (r *run) keepBranch(ctx context.Context, after plan.Event) error {
	switch after.(type) {
	case plan.Opened, plan.Landed, plan.Repaired, plan.Proof:
	default:
		return nil
	}
	err := r.syncBranch(ctx)
	if moved, ok := errors.AsType[*movedError](err); ok && !r.state.Status.Terminal() {
		return r.apply(ctx, plan.Broken{Stamp: r.stamp(), Message: moved.Error()})
	}
	return err
}
