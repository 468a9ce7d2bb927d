package store

import (
	"errors"
	"testing"

	"go.temporal.io/sdk/temporal"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/temporal/entity"
)

// TestRefusalsAreWordsOfTheEntity: a person reads why, and nothing about types of the SDK.
func TestRefusalsAreWordsOfTheEntity(t *testing.T) {
	t.Parallel()
	s := Store[loop.State, loop.Event]{kind: Loops()}
	for kind, want := range map[string]string{
		entity.Held:    "acquire loop a: " + engine.ErrRunning.Error() + ": run by b",
		entity.Invalid: "acquire loop a: run by b",
	} {
		err := s.situation("a", "acquire", temporal.NewNonRetryableApplicationError("run by b", kind, nil))
		if err.Error() != want || errors.Is(err, engine.ErrRunning) != (kind == entity.Held) {
			t.Errorf("%s: %v", kind, err)
		}
	}
}
