package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// TreeNamed returns the id of the tree that a name stands for: of a commit, or of a folder in
// one ("main:checks").
func (r *Repo) TreeNamed(ctx context.Context, rev string) (string, error) {
	if !strings.Contains(rev, ":") {
		return r.TreeOf(ctx, rev)
	}
	id, err := r.resolve(ctx, rev, "")
	if err == nil && id == "" {
		return "", ErrUnknownRevision{rev}
	}
	return id, err
}

// Unpack writes the files of a tree into an empty folder, unfiltered.
func (r *Repo) Unpack(ctx context.Context, tree, dir string) error {
	files, err := r.ListTree(ctx, tree)
	if err != nil {
		return err
	}
	ids := make([]string, len(files))
	for i, f := range files {
		ids[i] = f.ID
	}
	read, err := r.Blobs(ctx, ids)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range files {
		name := filepath.FromSlash(f.Path)
		if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if f.Mode == SubmoduleMode {
			return fmt.Errorf("%s is a submodule", f.Path)
		}
		data, is := read[f.ID]
		if !is {
			data, err = r.Blob(ctx, f.ID)
		}
		switch {
		case err != nil:
		case f.Mode == "120000":
			err = root.Symlink(string(data), name)
		case f.Mode == "100755":
			err = root.WriteFile(name, data, 0o755)
		default:
			err = root.WriteFile(name, data, 0o644)
		}
		if err != nil {
			return fmt.Errorf("unpack %s: %w", f.Path, err)
		}
	}
	return nil
}
