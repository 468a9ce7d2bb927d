package situation

import (
	"errors"
	"fmt"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/store"
)

// TestOf: loops and plans are told apart by no caller, and the message stays.
func TestOf(t *testing.T) {
	t.Parallel()
	other := errors.New("other")
	for _, c := range []struct{ err, want error }{
		{store.ErrNoLoop, engine.ErrNotFound},
		{store.ErrNoPlan, engine.ErrNotFound},
		{&store.HeldError{}, engine.ErrRunning},
		{&store.FencedError{}, engine.ErrFenced},
		{&store.SameTaskError{}, engine.ErrSameTask},
		{store.ErrExists, engine.ErrExists},
		{store.ErrPlanExists, engine.ErrExists},
		{store.ErrArchived, engine.ErrEnded},
		{store.ErrNotEnded, engine.ErrNotEnded},
		{other, other},
	} {
		err := fmt.Errorf("while: %w", c.err)
		got := Of(err)
		if !errors.Is(got, c.want) || !errors.Is(got, c.err) || got.Error() != err.Error() {
			t.Errorf("%v becomes %v", c.err, got)
		}
	}
	if Of(nil) != nil {
		t.Error("nil is an error")
	}
	full, ok := errors.AsType[*engine.AdmissionError](Of(&store.AdmissionError{Max: 3}))
	if !ok || full.Max != 3 {
		t.Errorf("%+v", full)
	}
	several, ok := errors.AsType[*engine.AmbiguousError](Of(&store.AmbiguousError{Prefix: "a", IDs: []string{"ab", "ac"}}))
	if !ok || several.Prefix != "a" || len(several.IDs) != 2 {
		t.Errorf("%+v", several)
	}
}
