package git

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// ownRefs is where refs live that nobody but ralph makes. Nothing below is
// fetched or pushed by default.
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

// DropOwnRefs deletes them, whatever they hold: their commits are found no more.
func (r *Repo) DropOwnRefs(ctx context.Context, name string) error {
	refs, err := r.OwnRefs(ctx, name)
	if err != nil || len(refs) == 0 {
		return err
	}
	slices.Sort(refs)
	var script strings.Builder
	for _, ref := range refs {
		script.WriteString("delete " + ref + "\x00\x00")
	}
	if _, err := r.feed(ctx, r.shared(), []byte(script.String()), "update-ref", "--no-deref", "--stdin", "-z"); err != nil {
		return fmt.Errorf("delete refs below %s: %w", name, err)
	}
	return r.Sync()
}
