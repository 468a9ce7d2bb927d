package git

import (
	"context"
	"fmt"
)

// CommitOptions control how a tree is committed.
type CommitOptions struct {
	// Branch is where the commit lands (short name). Empty means wherever HEAD
	// is; in place it is required.
	Branch string
	// InPlace: the tree is the user's own. Its index and HEAD stay as they are,
	// only Branch moves.
	InPlace bool
	// Parent is built on when HEAD and Branch are both gone.
	Parent string
}

// Work is the result of Commit.
type Work struct {
	// Commit holds the tree's content; Made reports that it is new.
	Commit string
	Made   bool
	// Nested are untracked folders that are repositories of their own. Their
	// content is not part of the commit.
	Nested []string
}

// Commit keeps the work of an agent in a tree: its own commits as they are, the
// rest in one commit of ralph's. The same call again returns the same commit. To
// see whether the agent did anything, compare with the commit before.
//
// Branch loses nothing: where the agent left HEAD elsewhere, the new commit
// descends from both, and HEAD is put back on Branch. (A branch that the agent
// itself reset or amended stays so; IsAncestor shows it.)
func (r *Repo) Commit(ctx context.Context, tree string, m Message, o CommitOptions) (Work, error) {
	if o.InPlace {
		return r.commitInPlace(ctx, tree, m, o)
	}
	p, err := r.linked(tree)
	if err != nil {
		return Work{}, err
	}
	unlock(p.gitDir)
	r.unlockOwn(heads + o.Branch)
	s, err := r.fullStatus(ctx, p)
	if err != nil {
		return Work{}, err
	}
	if nothing := !changes(s) && s.head != "" && (o.Branch == "" || s.branch == o.Branch); nothing {
		// Commits of the agent's own are not synced yet.
		return Work{Commit: s.head, Nested: s.nested()}, r.Sync()
	}
	before := make(chan string, 1)
	go func() { // concurrently with staging
		tree, _ := r.TreeOf(ctx, s.head)
		before <- tree
	}()
	id, err := r.stage(ctx, p, s)
	s.tree = <-before
	if err != nil {
		return Work{}, err
	}
	work, err := r.land(ctx, p, s, id, m, o)
	if err == nil {
		endUnfinished(p.gitDir)
	}
	return work, err
}

func changes(s state) bool {
	for _, e := range s.entries {
		if !e.nested() && (!ownFile(e.path) || e.staged != '?' && e.staged != '.') {
			return true
		}
	}
	return false
}

func (r *Repo) commitInPlace(ctx context.Context, tree string, m Message, o CommitOptions) (Work, error) {
	if o.Branch == "" {
		return Work{}, fmt.Errorf("commit in place: %w", ErrBadRefName{})
	}
	p, err := r.at(tree)
	if err != nil {
		return Work{}, err
	}
	r.unlockOwn(heads + o.Branch)
	s, id, err := r.stageCopy(ctx, p)
	if err != nil {
		return Work{}, err
	}
	if s.branch == o.Branch {
		return Work{}, ErrCheckedOut{o.Branch, p.tree}
	}
	return r.land(ctx, p, s, id, m, o)
}

// land makes the commit, if there is something to commit, and moves the refs.
func (r *Repo) land(ctx context.Context, p place, s state, tree string, m Message, o CommitOptions) (Work, error) {
	tip := s.head
	if o.Branch != "" && s.branch != o.Branch {
		var err error
		if tip, _, err = r.branch(ctx, o.Branch); err != nil {
			return Work{}, err
		}
	}
	parents, err := r.parents(ctx, s.head, tip, o.Parent)
	if err != nil {
		return Work{}, err
	}
	commit, made, err := r.commitOn(ctx, s, tree, m, parents)
	if err != nil {
		return Work{}, err
	}
	if err := r.Sync(); err != nil { // the objects, before a ref names them
		return Work{}, err
	}
	if err := r.point(ctx, p, s, commit, tip, o); err != nil {
		return Work{}, err
	}
	return Work{Commit: commit, Made: made, Nested: s.nested()}, r.Sync()
}

// parents keeps both HEAD and the branch reachable, without naming one that
// the other contains.
func (r *Repo) parents(ctx context.Context, head, tip, fallback string) ([]string, error) {
	switch {
	case head == "" && tip == "":
		return []string{fallback}, nil
	case head == "" || head == tip:
		return []string{tip}, nil
	case tip == "":
		return []string{head}, nil
	}
	if within, err := r.IsAncestor(ctx, tip, head); err != nil || within {
		return []string{head}, err
	}
	if within, err := r.IsAncestor(ctx, head, tip); err != nil || within {
		return []string{tip}, err
	}
	return []string{head, tip}, nil
}

// commitOn returns the only parent when it has the same tree.
func (r *Repo) commitOn(ctx context.Context, s state, tree string, m Message, parents []string) (string, bool, error) {
	if len(parents) == 1 && parents[0] != "" {
		same, err := s.tree, error(nil)
		if parents[0] != s.head || same == "" {
			same, err = r.TreeOf(ctx, parents[0])
		}
		if err != nil || same == tree {
			return parents[0], false, err
		}
	}
	commit, err := r.commitTree(ctx, tree, m.String(), m.Time, parents...)
	return commit, true, err
}

func (r *Repo) point(ctx context.Context, p place, s state, commit, tip string, o CommitOptions) error {
	if o.Branch == "" && s.branch == "" { // detached, and meant to stay so
		_, err := r.git(ctx, p, "update-ref", "--no-deref", "-m", "ralph", "HEAD", commit, tip)
		return err
	}
	branch := o.Branch
	if branch == "" {
		branch = s.branch
	}
	if commit != tip {
		// From the worktree's own git dir: the log of its HEAD gets the move too.
		if err := r.moveRef(ctx, place{gitDir: p.gitDir}, heads+branch, commit, tip); err != nil {
			return err
		}
	}
	if o.InPlace || s.branch == branch {
		return nil
	}
	_, err := r.git(ctx, p, "symbolic-ref", "-m", "ralph", "HEAD", heads+branch)
	return err
}
