package local

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"ralph/internal/engine"
	"ralph/internal/engine/situation"
	"ralph/internal/engine/worker"
	"ralph/internal/learn"
	"ralph/internal/loop"
	"ralph/internal/store"
)

var _ engine.Learner = (*Engine)(nil)

// learn records the patterns that an ended loop taught. It never fails the
// loop: work that fails now is left to the next process that looks, since the
// store knows which loops are still to be learned from.
func (e *Engine) learn(ctx context.Context, id string) {
	ctx = context.WithoutCancel(ctx)
	ids, err := e.store.Unlearned(ctx)
	if err != nil || !slices.Contains(ids, id) {
		return
	}
	if r, err := e.store.Read(ctx, id); err == nil {
		_ = e.learnFrom(ctx, r)
	}
}

// catchUp learns from the loops whose owner died between their end and the
// learning. An owner that lives is about to do it itself.
func (e *Engine) catchUp(ctx context.Context) {
	if e.store.ReadOnly() {
		return
	}
	ids, err := e.store.Unlearned(ctx)
	if err != nil {
		return
	}
	for _, id := range ids {
		if r, err := e.store.Read(ctx, id); err == nil && !r.Live {
			_ = e.learnFrom(ctx, r)
		}
	}
}

func (e *Engine) learnFrom(ctx context.Context, r store.LoopRecord) error {
	e.fault("before:learn")
	all, err := e.store.History(ctx, r.State)
	if err != nil {
		return err
	}
	whole := loop.Whole{State: r.State, Attempts: all}
	taught, err := worker.Remember(engine.Layout{Dir: r.Dir}, whole)
	switch {
	case errors.Is(err, fs.ErrNotExist): // its files were deleted: it teaches nothing
	case err != nil:
		return err
	case r.State.Learn == loop.LearnOff:
		taught = nil
	}
	if r.State.Mode != loop.AgentDriven {
		e.pack(r.Dir, r.State)
	}
	e.fault("within:learn")
	_, err = e.store.Learn(ctx, r.State.ID, taught, func(k learn.Known) (helped, decided bool) {
		return learn.Helped(whole, k.Pattern)
	})
	e.fault("after:learn")
	return err
}

// candidates is how many patterns a query looks at beside those on its own
// failures: so many promoted ones and so many others, the newest of each.
const candidates = 100

// recall finds the notes that fit a query.
func (e *Engine) recall(ctx context.Context, q learn.Query) ([]learn.Known, error) {
	e.catchUp(ctx)
	all, err := e.store.Patterns(ctx, store.PatternFilter{Newest: candidates})
	if err == nil && len(all) >= candidates && len(q.Fingerprints) > 0 {
		var same []learn.Known
		same, err = e.store.Patterns(ctx, store.PatternFilter{Fingerprints: q.Fingerprints})
		for _, k := range same {
			if !slices.ContainsFunc(all, func(o learn.Known) bool { return o.Num == k.Num }) {
				all = append(all, k)
			}
		}
	}
	return learn.Match(all, q), err
}

// Recall returns the notes for a loop's next attempt. files are those of the
// tree it begins from.
func (e *Engine) Recall(ctx context.Context, s loop.State, files []string) ([]learn.Known, error) {
	if s.Learn == loop.LearnOff {
		return nil, nil
	}
	return e.recall(ctx, learn.Ask(s, files))
}

// Patterns returns the recorded patterns.
func (e *Engine) Patterns(ctx context.Context, q engine.PatternQuery) ([]learn.Known, error) {
	e.catchUp(ctx)
	all, err := e.store.Patterns(ctx, store.PatternFilter{Dropped: q.Dropped})
	all = learn.Search(all, q.Text)
	if q.Limit > 0 {
		all = all[:min(len(all), q.Limit)]
	}
	return all, situation.Of(err)
}

// Pattern is the one with that number.
func (e *Engine) Pattern(ctx context.Context, num int64) (learn.Known, error) {
	k, err := e.store.Pattern(ctx, num)
	return k, situation.Of(err)
}

// AddPattern records a pattern, without its secrets: prompts of later loops have it.
func (e *Engine) AddPattern(ctx context.Context, w learn.NoteInput, person bool) (learn.Known, error) {
	w.Text = e.maskerOf(ctx, w.Loop).Mask(w.Text)
	p, err := learn.NewNote(w, e.now())
	if err != nil {
		return learn.Known{}, situation.As(engine.ErrUnfit, err)
	}
	review := learn.Unreviewed
	if person {
		review = learn.Promoted
	}
	k, err := e.store.AddPattern(ctx, p, review)
	return k, situation.Of(err)
}

// ReviewPattern records a person's decision about a pattern.
func (e *Engine) ReviewPattern(ctx context.Context, num int64, r learn.Review) (learn.Known, error) {
	k, err := e.store.ReviewPattern(ctx, num, r)
	return k, situation.Of(err)
}

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
	r, err := e.store.Read(ctx, id)
	if err != nil {
		return "", situation.Of(err)
	}
	found, err := find(r.State)
	if err != nil {
		return "", situation.Of(err)
	}
	section, shown := learn.Render(found, "", learn.MostBytes)
	return section, situation.Of(e.store.UsePatterns(ctx, id, shown))
}

// BestNotes is the section of notes for a session without a loop.
func (e *Engine) BestNotes(ctx context.Context, reviewed bool) (string, error) {
	all, err := e.store.Patterns(ctx, store.PatternFilter{Newest: candidates})
	section, _ := learn.Render(learn.Best(all, reviewed), "", learn.MostBytes)
	return section, situation.Of(err)
}
