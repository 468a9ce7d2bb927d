package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrShallow is returned where the history of a clone is cut off.
var ErrShallow = errors.New("the clone is shallow: its first commit is not here")

// FirstCommit returns the commit with which the history of a commit began. Of a history
// that was merged from several it is that of the first parents, so a merge does not
// change it.
func (r *Repo) FirstCommit(ctx context.Context, commit string) (string, error) {
	if _, err := os.Lstat(filepath.Join(r.CommonDir, "shallow")); !errors.Is(err, fs.ErrNotExist) {
		return "", errors.Join(ErrShallow, err)
	}
	first, err := r.line(ctx, r.shared(), "rev-list", "--first-parent", "--max-parents=0", "--end-of-options", commit, "--")
	if err == nil && (first == "" || strings.Contains(first, "\n")) {
		err = fmt.Errorf("the first commit of %s: git lists %q", commit, first)
	}
	return first, err
}
