package local

import (
	"context"
	"io"

	"ralph/internal/engine"
)

// Publish keeps a copy of content, which stood at path in the loop's tree, for
// other loops.
func (e *Engine) Publish(ctx context.Context, id, path, note string, content io.Reader) (engine.Artifact, error) {
	a, err := e.store.Publish(ctx, id, path, note, content)
	return engine.Artifact(a), situation(err)
}

// Artifacts are all that is offered in the repository, newest first.
func (e *Engine) Artifacts(ctx context.Context) ([]engine.Artifact, error) {
	all, err := e.store.Artifacts(ctx)
	out := make([]engine.Artifact, len(all))
	for i, a := range all {
		out[i] = engine.Artifact(a)
	}
	return out, situation(err)
}

// Take writes an artifact to w, compares it with what was published, and
// records that by took it. Without a nil error nothing that was written counts.
func (e *Engine) Take(ctx context.Context, n int64, by string, w io.Writer) (engine.Artifact, error) {
	a, err := e.store.Take(ctx, n, by, w)
	return engine.Artifact(a), situation(err)
}
