package git

import (
	"context"
	"fmt"
)

// ErrDamaged: objects that a commit needs are missing, or are not what they
// are called.
type ErrDamaged struct {
	Commit string
	Err    error
}

func (e ErrDamaged) Error() string {
	return fmt.Sprintf("objects of commit %.10s are missing or damaged: %v", e.Commit, e.Err)
}

func (e ErrDamaged) Unwrap() error { return e.Err }

// Verify reads every object that commit needs besides those of base, as git
// would to send them to another repository. What it cannot read is ErrDamaged.
func (r *Repo) Verify(ctx context.Context, commit, base string) error {
	list := commit + "\n"
	if base != "" {
		list += "^" + base + "\n"
	}
	_, err := r.callCut(ctx, call{
		place: r.bare(), args: []string{"pack-objects", "--revs", "--stdout", "-q"}, stdin: []byte(list), max: 1 << 10,
	})
	if exitCode(err) > 0 {
		return ErrDamaged{commit, err}
	}
	return err
}
