package worker

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"ralph/internal/git"
	"ralph/internal/proof"
)

// content returns the contents of files by their ids, for the searches of package proof.
func (w *Worker) content(ctx context.Context) func(id string) ([]byte, error) {
	return func(id string) ([]byte, error) { return w.blob(ctx, id) }
}

// blob returns a blob of the repository. One that is too large for a text is nil, as is that of
// a file that does not exist, which has no id.
func (w *Worker) blob(ctx context.Context, id string) ([]byte, error) {
	if data, read := w.blobs[id]; read || id == "" {
		return data, nil
	}
	data, err := w.Repo.Blob(ctx, id)
	if errors.Is(err, git.ErrTooLarge) {
		data, err = nil, nil
	}
	if err == nil {
		w.keepBlobs(map[string][]byte{id: data})
	}
	return data, err
}

// readAhead reads blobs with few programs, and keeps them: each gate of each attempt asks for
// those of the base again. Those of hidden gates are no blobs.
func (w *Worker) readAhead(ctx context.Context, ids []string) error {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		_, read := w.blobs[id]
		return read || id == "" || strings.HasPrefix(id, heldOutID)
	})
	for len(ids) > 0 {
		found, err := w.Repo.Blobs(ctx, ids)
		if err != nil || len(found) == 0 { // the others are missing or too large
			return err
		}
		w.keepBlobs(found)
		ids = slices.DeleteFunc(ids, func(id string) bool { _, read := found[id]; return read })
	}
	return nil
}

// mostKept bounds the bytes of the blobs that are kept.
const mostKept = 64 << 20

func (w *Worker) keepBlobs(found map[string][]byte) {
	size := 0
	for _, data := range found {
		size += len(data)
	}
	if w.blobs == nil || w.blobBytes+size > mostKept {
		w.blobs, w.blobBytes = map[string][]byte{}, 0
	}
	maps.Copy(w.blobs, found)
	w.blobBytes += size
}

// listing is every file of a commit.
type listing struct {
	commit string
	files  []proof.File
}

// files lists a commit. The newest two lists are kept: every gate of an attempt asks
// for those of the base and of the commit.
func (w *Worker) files(ctx context.Context, commit string) ([]proof.File, error) {
	for _, l := range w.listed {
		if l.commit == commit {
			return l.files, nil
		}
	}
	all, err := w.Repo.ListTree(ctx, commit)
	if err != nil {
		return nil, err
	}
	l := listing{commit: commit, files: make([]proof.File, len(all))}
	for i, f := range all {
		l.files[i] = proof.File(f)
	}
	w.listed = append(w.listed[max(0, len(w.listed)-1):], l)
	return l.files, nil
}

// bothFiles are the files of two commits.
func (w *Worker) bothFiles(ctx context.Context, one, other string) (a, b []proof.File, err error) {
	if a, err = w.files(ctx, one); err == nil {
		b, err = w.files(ctx, other)
	}
	return a, b, err
}
