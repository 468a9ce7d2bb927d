package local

import (
	"context"
	"io"

	"ralph/internal/engine"
	"ralph/internal/engine/situation"
	"ralph/internal/engine/stored"
	"ralph/internal/journal"
	"ralph/internal/kept"
	"ralph/internal/loop"
	"ralph/internal/store"
)

// Find resolves an id or a unique prefix.
func (e *Engine) Find(ctx context.Context, idOrPrefix string) (string, error) {
	return e.loops.Resolve(ctx, idOrPrefix)
}

// Show is everything about one loop.
func (e *Engine) Show(ctx context.Context, id string) (engine.Loop, error) {
	r, err := e.store.Read(ctx, id)
	if err != nil {
		return engine.Loop{}, situation.Of(err)
	}
	l := e.shown(ctx, r)
	err = e.complete(ctx, &l)
	return l, err
}

// shown returns a record as it stands now: the effects of time on a loop
// that its agent drives are visible before they are recorded.
func (e *Engine) shown(ctx context.Context, r store.LoopRecord) engine.Loop {
	if r.Damage != "" {
		return shown(r)
	}
	due, err := e.due(ctx, r.State, e.store.Checking(r.State.ID))
	if err != nil || len(due) == 0 {
		return shown(r)
	}
	next, err := journal.Fold(loop.Apply, r.State, due...)
	if err != nil {
		return shown(r)
	}
	r.State, r.Live = next, !next.Status.Terminal()
	r.Holds = r.Holds && r.Live
	l := shown(r)
	l.Due = true
	return l
}

func shown(r store.LoopRecord) engine.Loop {
	return engine.Loop{
		State: r.State, Dir: r.Dir, Seq: r.Seq,
		Facts: engine.Facts{
			RunFacts:     engine.RunFacts{Live: r.Live, Crashed: r.Crashed, Archived: r.Archived, Owner: r.Owner.String(), Damage: r.Damage, Recovery: r.Recovery},
			EvidenceFile: kept.Archive(r.Dir), Holds: r.Holds, Process: stored.Process(r.Owner),
		},
	}
}

// List is everything about the loops that the filter lets through.
func (e *Engine) List(ctx context.Context, f engine.Filter) ([]engine.Loop, error) {
	records, err := e.store.List(ctx, store.Filter(f))
	if err != nil {
		return nil, situation.Of(err)
	}
	out := make([]engine.Loop, len(records))
	for i, r := range records {
		out[i] = e.shown(ctx, r)
	}
	return out, nil
}

// Complete adds to listed loops their history, and which files of their evidence have
// changed.
func (e *Engine) Complete(ctx context.Context, all []engine.Loop) error {
	for i := range all {
		if err := e.complete(ctx, &all[i]); err != nil {
			return err
		}
	}
	return nil
}

// complete reads the history of a loop, and compares the evidence of one that has ended.
func (e *Engine) complete(ctx context.Context, l *engine.Loop) (err error) {
	if l.State.Status.Terminal() && l.Damage == "" {
		l.Changed = engine.Layout{Dir: l.Dir}.Changed(l.State)
	}
	l.History, err = e.store.History(ctx, l.State)
	return situation.Of(err)
}

// Marks are the same loops without their states.
func (e *Engine) Marks(ctx context.Context, f engine.Filter) ([]engine.Mark, error) {
	entries, err := e.store.Entries(ctx, store.Filter(f))
	if err != nil {
		return nil, situation.Of(err)
	}
	out := make([]engine.Mark, len(entries))
	for i, x := range entries {
		out[i] = engine.Mark{
			ID: x.ID, Seq: x.Seq, Live: x.Live, Crashed: x.Crashed, Archived: x.Archived,
			Unsteady: x.Crashed || x.Mode == loop.AgentDriven && !x.Status.Terminal(),
		}
	}
	return out, nil
}

// Count returns how many loops the filter lets through.
func (e *Engine) Count(ctx context.Context, f engine.Filter) (int, error) {
	return e.loops.Count(ctx, f)
}

// Events are the records after a sequence number.
func (e *Engine) Events(ctx context.Context, id string, after int64) ([]engine.Event, error) {
	return e.loops.Events(ctx, id, after)
}

// Publish keeps a copy of content, which stood at path in the loop's tree, for
// other loops.
func (e *Engine) Publish(ctx context.Context, id, path, note string, content io.Reader) (loop.Artifact, error) {
	a, err := e.store.Publish(ctx, id, path, e.maskerOf(ctx, id).Mask(note), content)
	return a, situation.Of(err)
}

// Artifacts are all that is offered in the repository, newest first.
func (e *Engine) Artifacts(ctx context.Context) ([]loop.Artifact, error) {
	all, err := e.store.Artifacts(ctx)
	return all, situation.Of(err)
}

// Take writes an artifact to w, compares it with the published digest, and
// records that by took it. Output counts only with a nil error.
func (e *Engine) Take(ctx context.Context, n int64, by string, w io.Writer) (loop.Artifact, error) {
	a, err := e.store.Take(ctx, n, by, w)
	return a, situation.Of(err)
}

// Checkpoints are those of a loop, oldest first.
func (e *Engine) Checkpoints(ctx context.Context, id string) ([]loop.Checkpoint, error) {
	all, err := e.store.Checkpoints(ctx, id)
	return all, situation.Of(err)
}
