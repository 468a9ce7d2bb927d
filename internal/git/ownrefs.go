package git

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Claim is a branch of ralph's, and the commit at which it must be.
type Claim struct {
	Branch, Own string
	// Was is where it was before Own, if it has not moved yet.
	Was string
	// Further commits on top of Own are allowed: the user may have helped.
	Further bool
	// Aside is the prefix of a ref that keeps the commit at which it was found.
	Aside string
}

// Reclaim moves a branch of ralph's to where it belongs. Where another process
// has moved it, a ref of ralph's keeps that commit, which is returned.
func (r *Repo) Reclaim(ctx context.Context, c Claim) (moved string, err error) {
	r.unlockOwn(heads + c.Branch)
	for range 3 { // another process may move it again
		now, err := r.RefCommit(ctx, heads+c.Branch)
		if err != nil || now == c.Own {
			return moved, err
		}
		if now != "" && now != c.Was {
			if c.Further {
				if within, err := r.IsAncestor(ctx, c.Own, now); err != nil || within {
					return "", err
				}
			}
			if _, err := r.git(ctx, r.shared(), "update-ref", "--no-deref", c.Aside+"-"+now[:12], now); err != nil {
				return "", err
			}
			moved = now
		}
		err = r.moveRef(ctx, r.shared(), heads+c.Branch, c.Own, now)
		if _, again := errors.AsType[ErrRefMoved](err); !again {
			return moved, errors.Join(err, r.Sync())
		}
	}
	return moved, ErrRefMoved{Ref: heads + c.Branch, Want: c.Own}
}

// ownRefs is where ralph's own refs live. None is fetched or pushed by default.
const ownRefs = "refs/ralph/"

// OwnRefs lists the refs of that name or below it, which must be ralph's own.
func (r *Repo) OwnRefs(ctx context.Context, name string) ([]string, error) {
	if !strings.HasPrefix(name, ownRefs) {
		return nil, fmt.Errorf("list %s: only %s is ralph's own", name, ownRefs)
	}
	out, err := r.git(ctx, r.shared(), "for-each-ref", "--format=%(refname)", strings.TrimSuffix(name, "/"))
	if err != nil {
		return nil, err
	}
	return strings.Fields(string(out)), nil
}

// DropOwnRefs deletes them without a check: their commits become unreachable.
func (r *Repo) DropOwnRefs(ctx context.Context, name string) error {
	refs, err := r.OwnRefs(ctx, name)
	if err != nil || len(refs) == 0 {
		return err
	}
	slices.Sort(refs)
	var script strings.Builder
	for _, ref := range refs {
		r.unlockOwn(ref)
		script.WriteString("delete " + ref + "\x00\x00")
	}
	if _, err := r.feed(ctx, r.shared(), []byte(script.String()), "update-ref", "--no-deref", "--stdin", "-z"); err != nil {
		return fmt.Errorf("delete refs below %s: %w", name, err)
	}
	return r.Sync()
}
