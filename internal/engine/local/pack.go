package local

import (
	"context"
	"errors"
	"io/fs"

	"ralph/internal/kept"
	"ralph/internal/loop"
)

// pack puts the files of an ended loop into one. The caller owns the loop, or no process
// does: nothing of it runs. Those of an acceptance are packed once it is recorded, since
// before that its gates may still run. Files that cannot be packed stay as they are and can
// be read there.
func (e *Engine) pack(dir string, s loop.State) {
	names := []string{"attempts", "filters.json"}
	if s.Accepted != "" {
		names = append(names, "accept")
	}
	if err := kept.Pack(dir, names...); err != nil && !errors.Is(err, fs.ErrNotExist) {
		e.warn(err)
	}
}

// packDriven packs the files of an ended loop that its agent drives, unless a check of it
// is in progress, which does so itself.
func (e *Engine) packDriven(ctx context.Context, s loop.State) {
	done, turn, err := e.store.Queue(context.WithoutCancel(ctx), s.ID, 0)
	if err != nil || !turn {
		return
	}
	defer done()
	e.pack(e.store.LoopDir(s.ID), s)
}
