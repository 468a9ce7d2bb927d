package worker

import (
	"os"
	"path/filepath"
	"testing"

	"ralph/internal/agent"
	"ralph/internal/engine"
	"ralph/internal/loop"
)

// TestUsedIn: a run whose end nobody saw is charged what it told itself, and
// nothing of the runs of its attempt before, which may be another agent's.
func TestUsedIn(t *testing.T) {
	t.Parallel()
	session := agent.Event{Kind: agent.Session, Model: "dear"}
	used := agent.Event{Kind: agent.UsageSeen, Usage: &loop.Usage{InputTokens: new(int64(7))}}
	other := agent.Event{Kind: agent.Session, Model: "cheap"}
	for name, row := range map[string]struct {
		runs   [][]agent.Event
		model  string
		tokens bool
	}{
		"no run":                   {},
		"one":                      {[][]agent.Event{{session, used}}, "dear", true},
		"another began":            {[][]agent.Event{{session, used}, {}}, "", false},
		"another tells no model":   {[][]agent.Event{{session, used}, {used}}, "", true},
		"another tells its model":  {[][]agent.Event{{session}, {other, used}}, "cheap", true},
		"a session without a name": {[][]agent.Event{{session, {Kind: agent.Session}, used}}, "dear", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := &Worker{Files: engine.Layout{Dir: t.TempDir()}}
			if err := os.MkdirAll(filepath.Dir(w.Files.Events(1)), 0o700); err != nil {
				t.Fatal(err)
			}
			for _, run := range row.runs {
				l, err := openEventLog(w.Files.Events(1))
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range run {
					l.add(e)
				}
				if err := l.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if u, model := w.UsedIn(1); model != row.model || (u.InputTokens != nil) != row.tokens {
				t.Errorf("model %q, %v", model, u.InputTokens)
			}
		})
	}
}
