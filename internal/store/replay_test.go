//go:build unix

package store

import (
	"encoding/json"
	"testing"
)

// The events lead to the state that was recorded with them, and to none where the
// journal's first state or an event cannot be read.
func TestReplay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		query string
		ok    bool
	}{
		"as recorded":         {`SELECT 1`, true},
		"without a base":      {`UPDATE journals SET base = NULL WHERE run = 1`, false},
		"no JSON":             {`UPDATE journals SET base = CAST('{' AS BLOB) WHERE run = 1`, false},
		"an unknown event":    {`UPDATE events SET name = 'of tomorrow' WHERE loop = 1 AND seq = 4`, false},
		"an event that fails": {`UPDATE events SET data = CAST('[' AS BLOB) WHERE loop = 1 AND seq = 4`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := fresh(t)
			longLoop(t, s, "a")
			r, err := s.Read(t.Context(), "a")
			must(t, err)
			change(t, s, c.query)
			st, ok, err := s.Replay(t.Context(), "a")
			must(t, err)
			if ok != c.ok {
				t.Fatalf("ok %v, want %v", ok, c.ok)
			}
			want, _ := json.Marshal(r.State)
			if got, _ := json.Marshal(st); ok && string(got) != string(want) {
				t.Errorf("%s\nwant %s", got, want)
			}
		})
	}
	s, _ := fresh(t)
	longLoop(t, s, "a")
	if _, _, err := s.Replay(t.Context(), "b"); err == nil {
		t.Error("a loop that is not there has a replay")
	}
}
