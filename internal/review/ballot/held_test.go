package ballot

import (
	"testing"

	"ralph/internal/loop"
)

// The least that held anybody is what held the review.
func TestHeldByTheLeast(t *testing.T) {
	t.Parallel()
	const none, walls, cell = loop.HeldNone, loop.HeldLandlock, loop.HeldBubblewrap
	for _, tt := range []struct {
		by   []loop.Holder
		want loop.Holder
	}{
		{nil, ""},
		{[]loop.Holder{""}, ""},
		{[]loop.Holder{"", cell}, cell},
		{[]loop.Holder{cell, walls}, walls},
		{[]loop.Holder{walls, cell}, walls},
		{[]loop.Holder{cell, none, walls}, none},
	} {
		var o Outcome
		for _, by := range tt.by {
			o.Votes = append(o.Votes, Vote{Sandbox: by})
		}
		if got := o.Held(); got != tt.want {
			t.Errorf("%v: %q", tt.by, got)
		}
	}
}
