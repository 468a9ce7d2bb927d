package local

import (
	"context"
	"io"

	"ralph/internal/loop"
)

// Publish keeps a copy of content, which stood at path in the loop's tree, for
// other loops.
func (e *Engine) Publish(ctx context.Context, id, path, note string, content io.Reader) (loop.Artifact, error) {
	a, err := e.store.Publish(ctx, id, path, note, content)
	return a, situation(err)
}

// Artifacts are all that is offered in the repository, newest first.
func (e *Engine) Artifacts(ctx context.Context) ([]loop.Artifact, error) {
	all, err := e.store.Artifacts(ctx)
	return all, situation(err)
}

// Take writes an artifact to w, compares it with what was published, and
// records that by took it. Without a nil error nothing that was written counts.
func (e *Engine) Take(ctx context.Context, n int64, by string, w io.Writer) (loop.Artifact, error) {
	a, err := e.store.Take(ctx, n, by, w)
	return a, situation(err)
}
