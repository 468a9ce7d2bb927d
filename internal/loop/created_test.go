package loop

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestCreation: the record of the first event is what readers of the event log know, and
// is read back whole; older versions recorded the same.
func TestCreation(t *testing.T) {
	t.Parallel()
	floor := 80.0
	s := New(Spec{
		ID: "a", Agent: Agent{Name: "smith"}, Limits: Limits{MaxIterations: 5},
		Gates: []Gate{{Name: "tests", Level: Hard}, {Name: "coverage", Level: Hard, Threshold: &floor}},
	}, time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	s.ForcedOver = 2
	for _, c := range []struct{ from, want string }{
		{"", `{"at":"2026-11-20T12:00:00Z","agent":"smith","gate":"coverage","threshold":80,"max_iterations":5,"forced_over":2,"communication_paths":3}`},
		{"/old", `{"at":"2026-11-20T12:00:00Z","agent":"smith","gate":"coverage","threshold":80,"max_iterations":5,"forced_over":2,"communication_paths":3,"imported_from":"/old"}`},
	} {
		first := s.Creation(c.from)
		name, data, err := Encode(first)
		if err != nil || name != "created" || string(data) != c.want {
			t.Errorf("%s %s, %v", name, data, err)
		}
		back, err := Decode(name, data)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(Event(first), back); d != "" {
			t.Errorf("-recorded +read:\n%s", d)
		}
	}
}
