package foreground

import (
	"testing"

	"ralph/internal/engine"
)

// TestUrge: requests that are not read do not block the next one, and the most
// urgent is kept.
func TestUrge(t *testing.T) {
	t.Parallel()
	stops := make(chan engine.Stop, 4)
	urge(stops, engine.AfterStep)
	urge(stops, engine.EndAgent)
	for range 20 {
		urge(stops, engine.KillAgent)
	}
	if len(stops) != 4 {
		t.Fatalf("%d requests are held", len(stops))
	}
	for range 4 {
		if got := <-stops; got != engine.KillAgent {
			t.Errorf("a request %v is kept", got)
		}
	}
	urge(stops, engine.AfterStep)
	if got := <-stops; got != engine.AfterStep {
		t.Errorf("%v came through an empty channel", got)
	}
}
