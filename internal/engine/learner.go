package engine

import (
	"context"
	"errors"

	"ralph/internal/learn"
)

// What was asked of the memory of patterns cannot be done: no pattern has this
// number, or what was written down cannot be kept.
var (
	ErrNoPattern = errors.New("no such pattern")
	ErrUnfit     = errors.New("this cannot be kept")
)

// Learner tells faces what loops of this repository taught each other, and
// takes what people and agents have to add.
type Learner interface {
	// Patterns finds those that hold all words of a text, those that help first.
	Patterns(ctx context.Context, q PatternQuery) ([]learn.Known, error)
	Pattern(ctx context.Context, num int64) (learn.Known, error)
	// AddPattern keeps what somebody wrote down: promoted where a person did,
	// to be reviewed where an agent did.
	AddPattern(ctx context.Context, w learn.Written, person bool) (learn.Known, error)
	// ReviewPattern records what a person says of a pattern.
	ReviewPattern(ctx context.Context, num int64, r learn.Review) (learn.Known, error)
	// Briefing is the section of notes that fit a loop, for the session that
	// drives it; Hints only those on the failure it has now, each of them once.
	// What a loop is shown counts as used. Without anything to say both are empty.
	Briefing(ctx context.Context, id string) (string, error)
	Hints(ctx context.Context, id string) (string, error)
	// BestNotes is the section of notes for a session without a loop: what a
	// person promoted and, unless reviewed, what has helped.
	BestNotes(ctx context.Context, reviewed bool) (string, error)
}

// PatternQuery chooses patterns. The zero value is all that are not dropped.
type PatternQuery struct {
	Text    string
	Dropped bool
	// Limit is how many; 0 is no limit.
	Limit int
}
