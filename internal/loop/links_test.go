package loop

import (
	"strings"
	"testing"
)

// TestLinksOut: an attempt whose commit adds a link out of the repository fails before
// its gates; without the link, the next one passes.
func TestLinksOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(*Spec) {})
	clean := w.commit
	w.commit = func(n int) Committed {
		e := clean(n)
		if n == 1 {
			e.Links = []string{"data → /srv/data"}
		}
		return e
	}
	a := w.ends(StatusPassed, Green, 2).Recent[0]
	if a.FailedGate != failedLinks || len(a.Results) != 0 || !strings.Contains(a.Error, "data → /srv/data") {
		t.Errorf("%+v", a)
	}
}
