package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"ralph/internal/git"
)

// content makes the worker's git calls run the content filters (LFS, git-crypt)
// that were defined when the loop started, whatever the configuration, which an
// agent can write, says later.
func (w *Worker) content(ctx context.Context) error {
	if w.filtered {
		return nil
	}
	path := filepath.Join(w.Files.Dir, "filters.json")
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		data, err = w.captureFilters(ctx, path)
	}
	var f git.Filters
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	if err != nil {
		return fmt.Errorf("freeze the content filters: %w", err)
	}
	w.Repo, w.filtered = w.Repo.WithFilters(f), true
	return nil
}

func (w *Worker) captureFilters(ctx context.Context, path string) ([]byte, error) {
	f, err := w.Repo.CaptureFilters(ctx)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	return data, WriteDurably(path, data)
}
