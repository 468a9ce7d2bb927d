package local

import (
	"context"
	"slices"

	"ralph/internal/learn"
	"ralph/internal/loop"
	"ralph/internal/store"
)

// Briefing is the section of notes that fit a loop.
func (e *Engine) Briefing(ctx context.Context, id string) (string, error) {
	return e.notes(ctx, id, func(s loop.State) ([]learn.Known, error) { return e.Recall(ctx, s, nil) })
}

// Hints is the section of notes on the failure that a loop has now, without
// those that it was shown before.
func (e *Engine) Hints(ctx context.Context, id string) (string, error) {
	return e.notes(ctx, id, func(s loop.State) ([]learn.Known, error) {
		failing := learn.Failing(s)
		if s.Status.Terminal() || s.Learn == loop.LearnOff || len(failing) == 0 {
			return nil, nil
		}
		found, err := e.store.Patterns(ctx, store.PatternFilter{Fingerprints: failing})
		if err != nil || len(found) == 0 {
			return nil, err
		}
		before, err := e.store.PatternsShown(ctx, id)
		found = slices.DeleteFunc(found, func(k learn.Known) bool { return slices.Contains(before, k.Num) })
		return learn.Match(found, learn.Query{Fingerprints: failing, Reviewed: s.Learn == loop.LearnReviewed}), err
	})
}

// notes renders what is found for a loop, and records that it was shown.
func (e *Engine) notes(ctx context.Context, id string, find func(loop.State) ([]learn.Known, error)) (string, error) {
	r, err := e.store.Load(ctx, id)
	if err != nil {
		return "", situation(err)
	}
	found, err := find(r.State)
	if err != nil {
		return "", situation(err)
	}
	section, shown := learn.Render(found, "", learn.MostBytes)
	return section, situation(e.store.UsePatterns(ctx, id, shown))
}

// BestNotes is the section of notes for a session without a loop.
func (e *Engine) BestNotes(ctx context.Context, reviewed bool) (string, error) {
	all, err := e.store.Patterns(ctx, store.PatternFilter{Newest: candidates})
	section, _ := learn.Render(learn.Best(all, reviewed), "", learn.MostBytes)
	return section, situation(err)
}
