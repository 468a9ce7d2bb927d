package watch

import (
	"errors"
	"testing"

	"ralph/internal/cli/exit"
)

func TestHinted(t *testing.T) {
	t.Parallel()
	plain := errors.New("disk full")
	if got := hinted(plain); got != plain { //nolint:errorlint // the very error is meant, without a hint around it
		t.Errorf("%v", got)
	}
	if got := hinted(exit.UsageError("ralph status", "no such loop")).Error(); got != "no such loop; try: ralph status" {
		t.Errorf("%q", got)
	}
	if hinted(nil) != nil {
		t.Error("no error became one")
	}
}
