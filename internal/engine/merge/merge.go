// Package merge brings the work of a run that passed into a branch: a loop's and a plan's
// alike, onto the tip of a plan or into the branch that is checked out. What the run is,
// and which gates judge the result, its caller knows.
package merge

import (
	"context"
	"errors"

	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/loop"
)

// Work is the work of a loop or a plan that passed, on its way into a branch.
type Work struct {
	Repo *git.Repo
	// Run is the id of the run, Branch the branch with its work. Plan: it is a plan.
	Run, Branch string
	Plan        bool
	// Commit is the work, Accepted the commit as which it was accepted before; empty: it
	// was not.
	Commit, Accepted string
	// Message is that of a merge, Squash that of one commit with the whole work.
	Message, Squash git.Message
	// Judge evaluates the gates on the work on top of a commit, where that is needed. What
	// does not pass is a *engine.NotGreenError.
	Judge func(ctx context.Context, onto string, merged git.Merged) ([]loop.Result, error)
	// Add returns a commit that adds to an accepted one what is not part of the work; nil
	// adds nothing. head is where the branch was.
	Add func(ctx context.Context, head, commit string) (string, error)
	// Carried is the commit of the changes that a loop took along: where a person still has
	// them uncommitted, the result contains them.
	Carried string
}

// Integrate puts the work on top of another commit, and judges the result. No ref moves. A
// conflict is git.ErrConflict.
func (w Work) Integrate(ctx context.Context, onto string) (engine.Integrated, error) {
	merged, err := w.Repo.Merge(ctx, onto, w.Commit, w.Message)
	if err != nil {
		return engine.Integrated{}, err
	}
	results, err := w.Judge(ctx, onto, merged)
	return engine.Integrated{Commit: merged.Commit, FastForward: merged.FastForward, Results: results}, err
}

// Accept brings the work to the branch that is checked out in the user's tree: as it is
// where that is a fast-forward, else by a merge that is judged before anything of the
// user's moves. A merge that conflicts or does not pass is an *engine.ConflictError.
func (w Work) Accept(ctx context.Context, s engine.Strategy) (done engine.Accepted, err error) {
	head, err := w.Repo.Head(ctx)
	if err != nil {
		return done, err
	}
	if head.Branch == "" {
		return done, engine.ErrDetached
	}
	done = engine.Accepted{Branch: head.Branch, Commit: head.Commit, Already: true}
	if w.Accepted != "" {
		if has, err := w.Repo.IsAncestor(ctx, w.Accepted, head.Commit); has || err != nil {
			return done, err
		}
	}
	got, err := w.Integrate(ctx, head.Commit)
	if err != nil {
		return done, w.conflict(head, err)
	}
	done.Results, done.Already = got.Results, got.Commit == head.Commit
	if done.Commit, err = w.shape(ctx, s, head.Commit, got.Commit); err != nil {
		return done, err
	}
	done.FastForward = got.FastForward && done.Commit == got.Commit
	if done.Commit == head.Commit {
		return done, nil
	}
	return done, w.Repo.AdvanceOver(ctx, head.Branch, done.Commit, head.Commit, w.Carried)
}

// conflict is the error of a merge with head that cannot be accepted.
func (w Work) conflict(head git.Head, err error) error {
	out := &engine.ConflictError{Run: w.Run, Plan: w.Plan, Branch: w.Branch}
	if met, ok := errors.AsType[git.ErrConflict](err); ok {
		out.Clash = loop.NewClash(head.Branch, head.Commit, w.Commit, met.Paths)
		return out
	}
	if red, ok := errors.AsType[*engine.NotGreenError](err); ok {
		out.Clash, out.Red = red.Clash(head.Branch, head.Commit, w.Commit), red
		return out
	}
	return err
}

// shape returns the commit with which the merged work enters the branch at head. What is
// added is in the one commit of a squash, else in a commit of its own.
func (w Work) shape(ctx context.Context, s engine.Strategy, head, merged string) (string, error) {
	add := w.Add
	if add == nil {
		add = func(_ context.Context, _, commit string) (string, error) { return commit, nil }
	}
	if s == engine.SquashWork {
		whole, err := add(ctx, head, merged)
		if err != nil {
			return "", err
		}
		return w.Repo.Shape(ctx, git.SquashWork, head, w.Commit, whole, w.Squash)
	}
	commit, err := w.Repo.Shape(ctx, git.Strategy(s), head, w.Commit, merged, w.Squash)
	if err != nil {
		return "", err
	}
	return add(ctx, head, commit)
}
