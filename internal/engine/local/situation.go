package local

import (
	"errors"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/store"
)

// situation translates the store's errors into those that faces tell apart.
func situation(err error) error {
	if err == nil {
		return nil
	}
	var full *store.FullError
	if errors.As(err, &full) {
		ids := make([]string, len(full.Active))
		for i, a := range full.Active {
			ids[i] = a.ID
		}
		return &engine.FullError{Active: ids, Max: full.Max, Paths: full.Paths, Err: err}
	}
	var held *store.HeldError
	var fenced *store.FencedError
	switch {
	case errors.As(err, &held):
		return fmt.Errorf("%w: %w", engine.ErrRunning, err)
	case errors.As(err, &fenced):
		return fmt.Errorf("%w: %w", engine.ErrFenced, err)
	case errors.Is(err, store.ErrNoLoop):
		return fmt.Errorf("%w: %w", engine.ErrNoLoop, err)
	case errors.Is(err, store.ErrExists):
		return fmt.Errorf("%w: %w", engine.ErrExists, err)
	}
	return err
}
