package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrForged is an object whose content is not what its name says.
var ErrForged = errors.New("the repository's objects were changed: git fsck names them")

// mostChecked bounds the objects that CheckWhole reads at once.
const mostChecked = 1000

// CheckWhole reads a commit, its folders and its files of at most 32 MiB, and fails with ErrForged
// where the content of one is not what its name says. git itself asks that in git fsck alone.
func (r *Repo) CheckWhole(ctx context.Context, commit string) error {
	tree, err := r.resolve(ctx, commit, "^{tree}")
	if err != nil {
		return err
	}
	out, err := r.call(ctx, call{place: r.bare(), args: []string{"ls-tree", "-r", "-t", "-l", "-z", "--full-tree", commit}, max: 1 << 30})
	if err != nil {
		return err
	}
	ids, bytes := []string{commit, tree}, 0
	for _, e := range fields(out) {
		info, _, _ := strings.Cut(e, "\t")
		f := strings.Fields(info)
		if len(f) != 4 {
			return fmt.Errorf("unexpected line of ls-tree: %q", e)
		}
		size, _ := strconv.Atoi(f[3]) // a folder has none
		if f[1] == "commit" || size > mostBlobs {
			continue
		}
		if len(ids) == mostChecked || bytes+size > mostBlobs {
			if err := r.checkObjects(ctx, ids); err != nil {
				return err
			}
			ids, bytes = nil, 0
		}
		ids, bytes = append(ids, f[2]), bytes+size
	}
	return r.checkObjects(ctx, ids)
}

// checkObjects fails where one of these objects is not what its name says.
func (r *Repo) checkObjects(ctx context.Context, ids []string) error {
	out, err := r.call(ctx, call{place: r.bare(), args: []string{"cat-file", "--batch", "-z"}, stdin: []byte(strings.Join(ids, "\x00") + "\x00"), max: 1 << 30})
	if err != nil {
		return fmt.Errorf("read %d objects: %w", len(ids), err)
	}
	for _, id := range ids {
		header, rest, _ := bytes.Cut(out, []byte("\n"))
		f := strings.Fields(string(header))
		if len(f) != 3 {
			return fmt.Errorf("object %s: %w", id, ErrNotFound)
		}
		size, err := strconv.Atoi(f[2])
		if err != nil || size >= len(rest) {
			return fmt.Errorf("object %s: unexpected output of cat-file", id)
		}
		if objectName(fmt.Appendf(nil, "%s %d\x00%s", f[1], size, rest[:size]), len(id)) != id {
			return fmt.Errorf("object %s is not what its name says: %w", Short(id), ErrForged)
		}
		out = rest[size+1:]
	}
	return nil
}
