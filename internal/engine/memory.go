package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"ralph/internal/learn"
	"ralph/internal/loop"
)

// Remember writes what an ended loop remembers of its own beside its other
// files, and answers what it teaches others. Doing it again writes the same.
func (l Layout) Remember(s loop.State) ([]learn.Pattern, error) {
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
	if err := WriteDurably(l.Memory(), append(data, '\n')); err != nil {
		return nil, fmt.Errorf("write the memory of loop %s: %w", s.ID, err)
	}
	return m.Taught, nil
}

// beginning of a file; empty where it cannot be read, since evidence that is
// gone teaches nothing.
func beginning(path string, most int64) string {
	f, err := os.Open(path)
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
