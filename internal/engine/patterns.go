package engine

import (
	"context"
	"errors"

	"ralph/internal/learn"
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
