package team

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"ralph/internal/durable"
	"ralph/internal/engine"
)

// Clean deletes the copies of archived loops of this clone. They do not come back while the
// server lists them.
func (e *Engine) Clean(ctx context.Context, o engine.CleanOptions) (engine.Cleaned, error) {
	o.Worktrees = false // those of this clone belong to the loops of this machine
	if !o.DryRun {
		ids, err := e.archived(ctx)
		if err == nil {
			// First, because another look at the server may come in between. What is
			// archived and stays is known by its copy.
			err = e.recordCleaned(ids)
		}
		if err != nil {
			return engine.Cleaned{}, err
		}
	}
	return e.Engine.Clean(ctx, o)
}

// archived are the ids of the archived loops that have a copy.
func (e *Engine) archived(ctx context.Context) (ids []string, err error) {
	all, err := e.Engine.Marks(ctx, engine.Filter{Ended: true, Archived: true})
	for _, m := range all {
		if m.Archived {
			ids = append(ids, m.ID)
		}
	}
	return ids, err
}

// recordCleaned adds loops to those whose copies may be deleted. Where two processes do it at
// once, those of one come back.
func (e *Engine) recordCleaned(ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	all, err := e.cleaned()
	if err != nil {
		return err
	}
	all = append(all, ids...)
	slices.Sort(all)
	data, err := json.Marshal(slices.Compact(all))
	if err != nil {
		return err
	}
	return durable.Write(e.CleanedFile, data)
}

// cleaned are the loops whose copies may have been deleted.
func (e *Engine) cleaned() (ids []string, err error) {
	data, err := os.ReadFile(e.CleanedFile)
	if e.CleanedFile == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &ids)
	}
	if err != nil {
		return nil, fmt.Errorf("read the list of deleted copies: %w", err)
	}
	return ids, nil
}
