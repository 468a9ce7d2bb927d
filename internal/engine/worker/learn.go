package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"ralph/internal/durable"
	"ralph/internal/engine"
	"ralph/internal/kept"
	"ralph/internal/learn"
	"ralph/internal/loop"
)

// learned returns the notes of earlier loops that fit the next attempt. They
// are a help and no condition: an attempt continues without them.
func (w *Worker) learned(ctx context.Context, s loop.State) []learn.Known {
	if w.Recall == nil || s.Learn == loop.LearnOff {
		return nil
	}
	files, err := w.list(ctx, s.Base)
	if err != nil {
		files = nil
	}
	found, err := w.Recall(ctx, learn.Ask(s, files))
	if err != nil {
		return nil
	}
	return found
}

// Remember writes the summary of an ended loop beside its other files, and
// returns the patterns that it teaches others. After the loop was accepted it is
// written anew: its patterns say so.
func Remember(l engine.Layout, s loop.Whole) ([]learn.Pattern, error) {
	if _, err := os.Stat(l.Dir); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the files of loop %s are gone: %w", s.ID, err)
	}
	const mostPatch, mostOutput = 1 << 20, 256 << 10
	m := learn.Remember(s, learn.Files{
		Patch:  func(n int) string { return beginning(l.Patch(n), mostPatch) },
		Output: func(n int, gate string) string { return beginning(l.GateLog(n, gate, 0), mostOutput) },
	})
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the memory of loop %s: %w", s.ID, err)
	}
	if err := durable.Write(l.Memory(), append(data, '\n')); err != nil {
		return nil, fmt.Errorf("write the memory of loop %s: %w", s.ID, err)
	}
	return m.Taught, nil
}

// beginning of a file; empty where it cannot be read, since evidence that is
// gone teaches nothing.
func beginning(path string, most int64) string {
	f, err := kept.Open(path, 0)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return ""
	}
	return string(data)
}
