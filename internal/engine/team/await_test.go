package team

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"

	"ralph/internal/engine"
)

// full is a folder without room for the next writes.
type full struct {
	Objects
	writes int
}

func (f *full) Write(ctx context.Context, key string, content io.Reader) error {
	if f.writes--; f.writes >= 0 {
		return errors.New("no space left")
	}
	return f.Objects.Write(ctx, key, content)
}

// TestPublishTellsWhatItWaitsFor: while a transition cannot be published, others are told why,
// and no longer once it is.
func TestPublishTellsWhatItWaitsFor(t *testing.T) {
	t.Parallel()
	dir, in := t.TempDir(), t.TempDir()
	ok(t, os.WriteFile(filepath.Join(dir, "memory.json"), []byte("{}"), 0o600))
	synctest.Test(t, func(t *testing.T) {
		var told []string
		p := publication{
			Before: at("b", "b"), Next: at("b", "b"), Dir: dir,
			Owned: func(context.Context) error { return nil }, Await: func(what string) { told = append(told, what) },
		}
		tr := Travel{Files: &Files{In: &full{Folder(in), 2}, Project: "p"}, Warn: func(error) {}}
		ok(t, tr.Publish(t.Context(), p))
		waits := "waits for the shared files: no space left"
		if want := []string{waits, waits, ""}; !slices.Equal(told, want) {
			t.Errorf("told %q, not %q", told, want)
		}
	})
}

// TestShownAsItsWorkerWaits: what the worker of a loop waits for is shown in the place of what it
// does, also where no event was recorded since.
func TestShownAsItsWorkerWaits(t *testing.T) {
	t.Parallel()
	e := &Engine{seen: map[string]seen{"a": {live: true, awaits: "waits for the remote: it is away"}, "b": {live: true}}}
	for id, want := range map[string]string{"a": "waits for the remote: it is away", "b": ""} {
		l := engine.Loop{State: at("b", "")}
		l.State.ID = id
		if got := e.as(l).Awaits; got != want {
			t.Errorf("%s: %q, not %q", id, got, want)
		}
	}
}
