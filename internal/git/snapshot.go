package git

import (
	"context"
	"fmt"
	"time"
)

// Message is the text of a commit of ours.
type Message struct {
	Text     string
	Trailers []Trailer
	// Time of the commit; zero means now.
	Time time.Time
}

func (m Message) String() string { return withTrailers(m.Text, m.Trailers) }

// Snapshot commits the present content of a tree ("" is the caller's) on top
// of parent, or as a root when parent is empty. Nothing is checked out, no ref
// moves, and the tree's index is not written. Ignored files and ralph's own
// stay out. The commit is safe only once a ref holds it.
func (r *Repo) Snapshot(ctx context.Context, tree, parent string, m Message) (string, error) {
	id, err := r.TreeHash(ctx, tree)
	if err != nil {
		return "", err
	}
	return r.commitTree(ctx, id, m.String(), m.Time, parent)
}

// CommitContent commits what another commit holds, on top of parents: several
// make a merge. Nothing is checked out, and no ref moves.
func (r *Repo) CommitContent(ctx context.Context, of string, m Message, parents ...string) (string, error) {
	tree, err := r.TreeOf(ctx, of)
	if err != nil {
		return "", err
	}
	return r.commitTree(ctx, tree, m.String(), m.Time, parents...)
}

// TreeHash answers the tree id that a Snapshot would have: equal ids, equal
// content.
func (r *Repo) TreeHash(ctx context.Context, tree string) (string, error) {
	p, err := r.at(tree)
	if err != nil {
		return "", err
	}
	_, id, err := r.stageCopy(ctx, p)
	return id, err
}

// stageCopy stages a tree through a copy of its index. What the user marked
// "assume unchanged" in a tree of their own is their wish; in ours it hides
// an agent's change.
func (r *Repo) stageCopy(ctx context.Context, p place) (state, string, error) {
	tmp, done, err := r.borrowed(p)
	if err != nil {
		return state{}, "", fmt.Errorf("copy index of %s: %w", p.tree, err)
	}
	defer done()
	look := r.work
	if p.tree != r.Root && p.tree != r.MainRoot {
		look = r.look
	}
	s, err := look(ctx, tmp)
	if err != nil {
		return s, "", err
	}
	id, err := r.stage(ctx, tmp, s)
	return s, id, err
}
