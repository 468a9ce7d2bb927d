package git

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// variantTime makes equal variants the same object.
var variantTime = time.Unix(1_000_000_000, 0)

// Edit changes one path of a commit's tree. Without Mode the path is removed;
// else it becomes the blob ID or, where ID is empty, Data.
type Edit struct {
	Path, Mode, ID string
	Data           []byte
}

// Variant returns a commit on top of commit whose tree has the edits. A path that
// an edit needs as a folder, or that was one, is removed with what is below it.
// Nothing is checked out, and no ref moves: git may throw the commit away after
// two weeks.
func (r *Repo) Variant(ctx context.Context, commit string, edits []Edit) (string, error) {
	if len(edits) == 0 {
		return commit, nil
	}
	dir, err := r.scratch()
	if err != nil {
		return "", fmt.Errorf("make a temporary index: %w", err)
	}
	defer os.RemoveAll(dir)
	p := r.shared()
	p.index = filepath.Join(dir, "index")
	if _, err := r.git(ctx, p, "read-tree", commit); err != nil {
		return "", fmt.Errorf("read the tree of %s: %w", commit, err)
	}
	var removed, put bytes.Buffer
	for _, e := range edits {
		// git leaves such paths out with a warning.
		if strings.ContainsRune(e.Path, 0) || !filepath.IsLocal(filepath.FromSlash(e.Path)) {
			return "", fmt.Errorf("change the tree of %s: %q is no path in it", commit, e.Path)
		}
		fmt.Fprintf(&removed, "0 %s\t%s\x00", strings.Repeat("0", len(commit)), e.Path)
		if e.Mode == "" {
			continue
		}
		if e.ID == "" {
			out, err := r.feed(ctx, r.shared(), e.Data, "hash-object", "-w", "--no-filters", "--stdin")
			if err != nil {
				return "", fmt.Errorf("store %s: %w", e.Path, err)
			}
			e.ID = strings.TrimSpace(string(out))
		}
		fmt.Fprintf(&put, "%s %s\t%s\x00", e.Mode, e.ID, e.Path)
	}
	// --replace: a file may take a folder's place, and a folder a file's.
	if _, err := r.feed(ctx, p, append(removed.Bytes(), put.Bytes()...), "update-index", "-z", "--replace", "--index-info"); err != nil {
		return "", fmt.Errorf("change the tree of %s: %w", commit, err)
	}
	tree, err := r.line(ctx, p, "write-tree")
	if err != nil {
		return "", fmt.Errorf("write the changed tree of %s: %w", commit, err)
	}
	return r.commitTree(ctx, tree, "A variant of "+commit+", to judge it by\n", variantTime, commit)
}
