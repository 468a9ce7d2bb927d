package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"ralph/internal/learn"
	"ralph/internal/loop"
)

// A request to the store of patterns cannot be met: no pattern has this
// number, or the text cannot be kept.
var (
	ErrNoPattern = errors.New("no such pattern")
	ErrUnfit     = errors.New("this cannot be kept")
)

// Learner reports to front ends the patterns that loops of this repository
// taught each other, and accepts additions of people and agents.
type Learner interface {
	// Patterns finds those that hold all words of a text, those that help first.
	Patterns(ctx context.Context, q PatternQuery) ([]learn.Known, error)
	Pattern(ctx context.Context, num int64) (learn.Known, error)
	// AddPattern records a pattern: promoted where a person wrote it, to be
	// reviewed where an agent did.
	AddPattern(ctx context.Context, w learn.NoteInput, person bool) (learn.Known, error)
	// ReviewPattern records a person's decision about a pattern.
	ReviewPattern(ctx context.Context, num int64, r learn.Review) (learn.Known, error)
	// Briefing is the section of notes that fit a loop, for the session that
	// drives it; Hints only those on the failure it has now, each of them once. A
	// note shown to a loop counts as used. Without notes both are empty.
	Briefing(ctx context.Context, id string) (string, error)
	Hints(ctx context.Context, id string) (string, error)
	// BestNotes returns the section of notes for a session without a loop:
	// those that a person promoted and, unless reviewed, those that have
	// helped.
	BestNotes(ctx context.Context, reviewed bool) (string, error)
}

// PatternQuery chooses patterns. The zero value is all that are not dropped.
type PatternQuery struct {
	Text    string
	Dropped bool
	// Limit is how many; 0 is no limit.
	Limit int
}

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
// returns the patterns that it teaches others. Repeating it writes the same.
func (l Layout) Remember(s loop.Whole) ([]learn.Pattern, error) {
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
