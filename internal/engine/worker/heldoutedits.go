package worker

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"

	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/sandbox/room"
)

// The files of a hidden gate have their canaries, too. These lie over the tree with a copy of the
// files while the gate runs: agents can read the objects of their repository.

// heldOutID begins the id of a file of a hidden gate, which is no object of git; its path follows.
const heldOutID = "held out: "

// cover puts the files of a hidden gate in place of those that they cover, by their paths.
func (w *Worker) cover(ctx context.Context, g loop.Gate, ids map[string]string) error {
	files, err := w.heldOut(ctx, g)
	if err != nil || files == "" {
		return err
	}
	over := map[string]string{}
	err = filepath.WalkDir(files, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		below, err := filepath.Rel(files, file)
		if over[filepath.ToSlash(below)] = ""; d.Type().IsRegular() {
			over[filepath.ToSlash(below)] = heldOutID + file
		}
		return err
	})
	maps.DeleteFunc(ids, func(p, _ string) bool {
		for ; p != "."; p = path.Dir(p) {
			if _, covered := over[p]; covered {
				return true
			}
		}
		return false
	})
	for p, id := range over {
		if id != "" && inDir(p, g.Dir) {
			ids[p] = id
		}
	}
	return err
}

// dataOf is blob for files of a hidden gate, too.
func (w *Worker) dataOf(ctx context.Context, id string) ([]byte, error) {
	if file, held := strings.CutPrefix(id, heldOutID); held {
		return os.ReadFile(file)
	}
	return w.blob(ctx, id)
}

// edit makes a gate judge its commit with these edits. done removes what it made for that.
func (w *Worker) edit(ctx context.Context, e *evaluation, edits []git.Edit) (done func(), err error) {
	files, err := w.heldOut(ctx, *e.Gate)
	if err != nil {
		return nil, err
	}
	if files == "" {
		e.variant, err = w.Repo.Variant(ctx, e.Commit, edits)
		return func() {}, err
	}
	made, err := os.MkdirTemp(w.heldOutRoot(), ".new-")
	if err != nil {
		return nil, err
	}
	e.over = made
	if err = copyTree(files, made); err == nil {
		err = writeEdits(made, edits)
	}
	if err != nil {
		room.RemoveAll(made)
		return nil, fmt.Errorf("edit a copy of the files of hidden gate %s: %w", e.Gate.Name, err)
	}
	return func() { room.RemoveAll(made) }, nil
}

// writeEdits writes edits below a folder and nowhere else.
func writeEdits(dir string, edits []git.Edit) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, e := range edits {
		if err := root.MkdirAll(path.Dir(e.Path), 0o755); err != nil {
			return err
		}
		_ = root.Remove(e.Path)
		if err := root.WriteFile(e.Path, e.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
