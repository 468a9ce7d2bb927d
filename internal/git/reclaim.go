package git

import (
	"context"
	"errors"
)

// Claim is a branch of ours, and the commit on which it must stand.
type Claim struct {
	Branch, Own string
	// Was is where it stood before Own, if its move was not made yet.
	Was string
	// Further commits on top of Own are welcome: a person may have helped.
	Further bool
	// Aside is the beginning of a ref that keeps where it was found instead.
	Aside string
}

// Reclaim makes a branch of ours stand where it belongs. Where somebody else
// moved it, that commit is kept by a ref of ours and answered.
func (r *Repo) Reclaim(ctx context.Context, c Claim) (moved string, err error) {
	for range 3 { // whoever moves it may do so again
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
