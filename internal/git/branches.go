package git

import (
	"context"
	"slices"
	"strings"
)

// Branch is a branch and its commit.
type Branch struct{ Name, Tip string }

// Branches lists the branches whose names begin with one of these, sorted by name.
func (r *Repo) Branches(ctx context.Context, prefixes ...string) ([]Branch, error) {
	out, err := r.git(ctx, r.shared(), "for-each-ref", "--format=%(objectname) %(refname)", heads)
	if err != nil {
		return nil, err
	}
	var all []Branch
	for line := range strings.Lines(string(out)) {
		tip, ref, _ := strings.Cut(strings.TrimSpace(line), " ")
		name := strings.TrimPrefix(ref, heads)
		if slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) }) {
			all = append(all, Branch{name, tip})
		}
	}
	return all, nil
}

// HeldBesides reports whether a branch or another ref has a commit that is not among
// these branches.
func (r *Repo) HeldBesides(ctx context.Context, commit string, branches map[string]bool) (bool, error) {
	out, err := r.git(ctx, r.shared(), "for-each-ref", "--contains="+commit, "--format=%(refname)")
	for line := range strings.Lines(string(out)) {
		if name, is := strings.CutPrefix(strings.TrimSpace(line), heads); !is || !branches[name] {
			return true, err
		}
	}
	return false, err
}

// CheckedOut returns the tree that a branch is checked out in; "" where in none.
func (r *Repo) CheckedOut(ctx context.Context, name string) (tree string, err error) {
	_, tree, err = r.branch(ctx, name)
	return tree, err
}

// DeleteBranch deletes a branch that is at tip, whatever it holds.
func (r *Repo) DeleteBranch(ctx context.Context, name, tip string) error {
	return r.deleteRef(ctx, heads+name, tip)
}
