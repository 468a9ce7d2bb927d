package git

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
)

// Merged is the result of a merge.
type Merged struct {
	Commit string
	// FastForward: no new commit was needed.
	FastForward bool
}

// Merge merges theirs into ours without a work tree: a fast-forward where that is
// possible, else a merge commit with the message. Files changed differently on
// both sides are ErrConflict. No ref moves. A repository's merge drivers do not
// run; git's text merge replaces them.
func (r *Repo) Merge(ctx context.Context, ours, theirs string, m Message) (Merged, error) {
	if within, err := r.IsAncestor(ctx, ours, theirs); err != nil || within {
		return Merged{theirs, true}, err
	}
	if within, err := r.IsAncestor(ctx, theirs, ours); err != nil || within {
		return Merged{ours, true}, err
	}
	out, err := r.mergeTree(ctx, ours, theirs)
	if err != nil {
		return Merged{}, fmt.Errorf("merge %s into %s: %w", theirs, ours, err)
	}
	commit, err := r.keepTree(ctx, out, m, ours, theirs)
	return Merged{Commit: commit}, err
}

// mergeTree returns the tree: "<tree> NUL", and on conflicts (exit 1) the paths
// after it.
func (r *Repo) mergeTree(ctx context.Context, ours, theirs string) (string, error) {
	out, err := r.callTruncated(ctx, call{place: r.shared(), args: []string{
		"merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, theirs,
	}})
	all := fields(out.Stdout)
	refused, _ := errors.AsType[*CommandError](err)
	if refused != nil && refused.Code == 1 && len(all) > 1 {
		return "", ErrConflict{all[1:]}
	}
	if err != nil {
		return "", err
	}
	if len(all) == 0 {
		return "", errors.New("git merge-tree printed nothing")
	}
	return strings.TrimSpace(all[0]), nil
}

// MergeMarked merges theirs into ours and commits the result even with conflicts:
// it then contains conflict markers, and the files are named. Without conflicts
// it is the same as Merge.
func (r *Repo) MergeMarked(ctx context.Context, ours, theirs string, m Message) (commit string, conflicts []string, err error) {
	out, err := r.callTruncated(ctx, call{place: r.shared(), args: []string{
		"merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, theirs,
	}})
	all := fields(out.Stdout)
	refused, _ := errors.AsType[*CommandError](err)
	if err != nil && (refused == nil || refused.Code != 1) || len(all) == 0 {
		return "", nil, fmt.Errorf("merge %s into %s: %w", theirs, ours, cmp.Or(err, errors.New("git merge-tree printed nothing")))
	}
	commit, err = r.keepTree(ctx, strings.TrimSpace(all[0]), m, ours, theirs)
	return commit, all[1:], err
}
