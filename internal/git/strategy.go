package git

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Strategy is how accepted work enters the history of a branch.
type Strategy string

// The strategies: a fast-forward where that is possible, else a merge commit; one
// commit with the whole work; or the commits of the work, one by one, on the branch.
const (
	MergeWork  Strategy = "merge"
	SquashWork Strategy = "squash"
	RebaseWork Strategy = "rebase"
)

// errNotLinear is returned for work that cannot be rebased: it has merges, or its
// commits do not apply one by one.
var errNotLinear = errors.New("the commits of the work cannot be put on the branch one by one")

// Shape returns the commit with which work enters the branch at onto: it has the
// content of merged, the result of Merge that was judged. No ref moves.
func (r *Repo) Shape(ctx context.Context, s Strategy, onto, work, merged string, m Message) (string, error) {
	switch {
	case merged == onto || s == MergeWork || s == "":
		return merged, nil
	case s == SquashWork:
		return r.CommitContent(ctx, merged, m, onto)
	}
	return r.replay(ctx, onto, work, merged)
}

// replay puts the commits of work on top of onto, each with its message and author.
// Merges are left out: where one of them held more than a merge, the result differs
// from what was judged, and is refused.
func (r *Repo) replay(ctx context.Context, onto, work, merged string) (string, error) {
	log, err := r.Log(ctx, onto, work, 0)
	if err != nil {
		return "", err
	}
	at := onto
	for _, c := range slices.Backward(log) {
		switch {
		case len(c.Parents) > 1:
		case len(c.Parents) == 1 && c.Parents[0] == at: // it fits as it is
			at = c.ID
		default:
			if at, err = r.pick(ctx, at, c); err != nil {
				return "", err
			}
		}
	}
	want, err := r.TreeOf(ctx, merged)
	if err != nil {
		return "", err
	}
	if got, err := r.TreeOf(ctx, at); err != nil || got != want {
		return "", errors.Join(err, fmt.Errorf("%w: the result differs from the merge that was judged", errNotLinear))
	}
	return at, r.Sync()
}

// Apply returns one commit on onto with the changes from base to work; onto itself where
// it has them. Files that onto changed differently are ErrConflict. No ref moves.
func (r *Repo) Apply(ctx context.Context, onto, base, work string, m Message) (string, error) {
	whole, err := r.CommitContent(ctx, work, m, base)
	if err != nil {
		return "", err
	}
	tree, err := r.applied(ctx, onto, whole, base)
	if err != nil {
		return "", err
	}
	if have, err := r.TreeOf(ctx, onto); err != nil || have == tree {
		return onto, err
	}
	return r.keepTree(ctx, tree, m, onto)
}

// applied is the tree of at with the changes that a commit makes to its parents. The merge of
// the commit with a copy of at beside it has its parents as the base.
func (r *Repo) applied(ctx context.Context, at, commit string, parents ...string) (string, error) {
	tree, err := r.TreeOf(ctx, at)
	if err != nil {
		return "", err
	}
	beside, err := r.commitTree(ctx, tree, "A copy of "+at+", to apply a commit to\n", variantTime, parents...)
	if err != nil {
		return "", err
	}
	return r.mergeTree(ctx, beside, commit)
}

// pick puts the change of a commit on top of another one.
func (r *Repo) pick(ctx context.Context, at string, c CommitInfo) (string, error) {
	tree, err := r.applied(ctx, at, c.ID, c.Parents...)
	if err != nil {
		return "", errors.Join(fmt.Errorf("%w: %.10s", errNotLinear, c.ID), err)
	}
	env, err := r.identity(ctx, c.Time)
	if err != nil {
		return "", err
	}
	env = append(slices.Clone(env), "GIT_AUTHOR_NAME="+c.Author, "GIT_AUTHOR_EMAIL="+c.Email)
	out, err := r.call(ctx, call{place: r.shared(), args: []string{"commit-tree", tree, "-p", at}, stdin: []byte(c.Message), env: env})
	if err != nil {
		return "", fmt.Errorf("write commit: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// acceptedRefs keep commits that were accepted in another shape.
const acceptedRefs = ownRefs + "accepted/"

// DropAccepted deletes a ref whose work was accepted as commit. Where commit does not
// hold the ref's own commits, because they were squashed or rebased, a ref of ralph's
// own keeps them under id.
func (r *Repo) DropAccepted(ctx context.Context, id, ref, tip, commit string) error {
	held, err := r.IsAncestor(ctx, tip, commit)
	if err != nil {
		return err
	}
	if kept := acceptedRefs + id; !held {
		old, err := r.RefCommit(ctx, kept)
		if err != nil {
			return err
		}
		if old != tip {
			if err := r.UpdateRef(ctx, kept, tip, old); err != nil {
				return err
			}
		}
	}
	return r.DeleteRef(ctx, ref, tip)
}
