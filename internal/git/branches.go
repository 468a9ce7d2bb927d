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
	all, err := r.branchesBelow(ctx, heads)
	other := func(b Branch) bool {
		return !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(b.Name, p) })
	}
	return slices.DeleteFunc(all, other), err
}

// branchesBelow lists the refs below a folder, by their names there.
func (r *Repo) branchesBelow(ctx context.Context, folder string) (all []Branch, err error) {
	out, err := r.git(ctx, r.shared(), "for-each-ref", "--format=%(objectname) %(refname)", folder)
	for line := range strings.Lines(string(out)) {
		tip, ref, _ := strings.Cut(strings.TrimSpace(line), " ")
		all = append(all, Branch{strings.TrimPrefix(ref, folder), tip})
	}
	return all, err
}

// HeldBesides reports whether a branch or another ref has a commit that is not among
// these branches.
func (r *Repo) HeldBesides(ctx context.Context, commit string, branches map[string]bool) (bool, error) {
	return r.held(ctx, commit, "refs/", heads, branches)
}

// HeldBelow is HeldBesides for the branches that Remote.FetchBranches kept below a ref.
func (r *Repo) HeldBelow(ctx context.Context, commit, own string, branches map[string]bool) (bool, error) {
	return r.held(ctx, commit, own+"/", own+"/", branches)
}

func (r *Repo) held(ctx context.Context, commit, below, names string, branches map[string]bool) (bool, error) {
	out, err := r.git(ctx, r.shared(), "for-each-ref", "--contains="+commit, "--format=%(refname)", below)
	for line := range strings.Lines(string(out)) {
		if name, is := strings.CutPrefix(strings.TrimSpace(line), names); !is || !branches[name] {
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
