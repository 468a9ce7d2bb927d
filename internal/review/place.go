package review

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/git"
)

// place is where one try of one reviewer happens.
type place struct {
	desk      Desk
	dir, tree string
	run       string
}

// place makes the folder for the files, and the tree to look at.
func (d Desk) place(ctx context.Context, seat, try int) (*place, error) {
	p := &place{desk: d, dir: filepath.Join(d.Dir, fmt.Sprintf("%d-%d", seat, try))}
	for n := 2; ; n++ {
		err := os.MkdirAll(filepath.Dir(p.dir), 0o700)
		if err == nil {
			err = os.Mkdir(p.dir, 0o700)
		}
		if err == nil {
			break
		}
		if !errors.Is(err, os.ErrExist) || n > 1000 {
			return nil, fmt.Errorf("review: make its folder: %w", err)
		}
		// An interrupted review is repeated, and its files stay.
		p.dir = filepath.Join(d.Dir, fmt.Sprintf("%d-%d.%d", seat, try, n))
	}
	p.run = fmt.Sprintf("%.100s-%s", d.ID, newNonce())
	if d.Repo == nil {
		p.tree = p.file("tree")
		return p, os.Mkdir(p.tree, 0o700)
	}
	p.tree = filepath.Join(d.TreeRoot, fmt.Sprintf("%.100s-%d", d.ID, seat))
	if d.Tree != nil {
		var err error
		if p.tree, err = d.Tree(ctx, seat); err != nil {
			return nil, fmt.Errorf("review: take a tree: %w", err)
		}
	}
	return p, p.checkOut(ctx)
}

// checkOut makes the scratch tree. Its name is the same each time, so that a
// review that was killed leaves no more than one for each seat.
func (p *place) checkOut(ctx context.Context) error {
	if err := p.desk.Repo.EnsureWorktree(ctx, git.Worktree{Path: p.tree, Commit: p.desk.Commit}); err != nil {
		return fmt.Errorf("review: make a tree: %w", err)
	}
	if err := p.desk.Repo.CheckoutDetached(ctx, p.tree, p.desk.Commit); err != nil {
		return fmt.Errorf("review: check out %.12s: %w", p.desk.Commit, err)
	}
	return nil
}

// changed describes the reviewer's changes to its tree; empty is none.
func (p *place) changed(ctx context.Context) (string, error) {
	if p.desk.Repo == nil {
		left, err := os.ReadDir(p.tree)
		if err != nil || len(left) == 0 {
			return "", err
		}
		return left[0].Name(), nil
	}
	// A tree that has no HEAD any more is no reason to stop the loop.
	if head, _ := p.desk.Repo.HeadOf(ctx, p.tree); head.Commit != p.desk.Commit {
		return "the tree is at another commit", nil
	}
	d, err := p.desk.Repo.Dirty(ctx, p.tree)
	if err != nil {
		return "", fmt.Errorf("review: look at the tree: %w", err)
	}
	if d.Any() || len(d.Nested) > 0 {
		return strings.Join(append(d.Sample, d.Nested...), ", "), nil
	}
	return "", nil
}

// leave throws the tree away, also when the review was cancelled.
func (p *place) leave(ctx context.Context) {
	ctx = context.WithoutCancel(ctx)
	if p.desk.Repo == nil {
		_ = os.RemoveAll(p.tree)
		return
	}
	// A slot that stays is used again. A commit that the reviewer made is
	// released first.
	if p.checkOut(ctx) != nil || p.desk.Tree != nil {
		return
	}
	if p.desk.Repo.RetireWorktree(ctx, p.desk.TreeRoot, p.tree) == nil {
		_ = git.Sweep(p.desk.TreeRoot)
		_ = removeEmpty(p.desk.TreeRoot) // trees of others stay
	}
}
