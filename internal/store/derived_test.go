//go:build unix

package store

import (
	"strings"
	"testing"

	"ralph/internal/loop"
)

// TestEditedRowsBesideTheState: a summary and attempts that were edited, removed or
// added are found and restored, of a loop whose state holds all attempts and of a long
// one.
func TestEditedRowsBesideTheState(t *testing.T) {
	t.Parallel()
	for name, attempts := range map[string]int{"short": 3, "long": 15} {
		for what, c := range map[string]struct{ edit, want string }{
			"message":  {`UPDATE loops SET summary = json_set(summary, '$.message', 'all tests passed')`, "its summary in lists"},
			"cost":     {`UPDATE loops SET summary = json_set(summary, '$.cost_micro_usd', 1)`, "its summary in lists"},
			"garbage":  {`UPDATE loops SET summary = 'x'`, "its summary in lists"},
			"oldest":   {`UPDATE attempts SET data = CAST(json_set(CAST(data AS TEXT), '$.verdict', 'passed') AS BLOB) WHERE n = 1`, "attempt 1 is not the one"},
			"newest":   {`UPDATE attempts SET data = CAST(json_set(CAST(data AS TEXT), '$.commit', 'x') AS BLOB) WHERE n = (SELECT max(n) FROM attempts)`, "is not the one of its state"},
			"removed":  {`DELETE FROM attempts WHERE n = 2`, "attempt 2 is not the one"},
			"another":  {`INSERT INTO attempts SELECT loop, 99, data FROM attempts WHERE n = 1`, "attempt 99 was added"},
			"no bytes": {`UPDATE attempts SET data = CAST('' AS BLOB) WHERE n = 1`, "attempt 1 is not the one"},
		} {
			t.Run(name+" "+what, func(t *testing.T) {
				t.Parallel()
				s, _ := fresh(t)
				l := tried(t, s, "a", 30)
				for range attempts {
					attempt(t, l, true)
				}
				before := l.State()
				if name == "long" && complete(before) {
					t.Fatal("the state holds all attempts, so this shows nothing")
				}
				must(t, l.Release(t.Context()))
				if found, err := s.Damaged(t.Context()); err != nil || len(found) > 0 {
					t.Fatalf("%v %v", found, err)
				}
				_, err := s.db.Load().Exec(c.edit)
				must(t, err)
				found, err := s.Damaged(t.Context())
				must(t, err)
				if len(found) != 1 || !strings.Contains(found[0].String(), c.want) {
					t.Fatalf("%v", found)
				}
				fixed, err := s.Repair(t.Context())
				must(t, err)
				if len(fixed) != 1 || fixed[0].Err != nil || len(fixed[0].From) == 0 {
					t.Fatalf("%+v", fixed)
				}
				if found, err := s.Damaged(t.Context()); err != nil || len(found) > 0 {
					t.Errorf("after the repair: %v %v", found, err)
				}
				all, err := s.History(t.Context(), before)
				must(t, err)
				if len(all) != attempts || all[0].N != 1 || all[0].Verdict == loop.Passed {
					t.Errorf("%d attempts, the first is %+v", len(all), all[0])
				}
			})
		}
	}
}

// TestAPlanThatWaitsIsNotHidden: a row that says that nothing of the plan waits for a person is
// compared with its state.
func TestAPlanThatWaitsIsNotHidden(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	l := takePlan(t, s, "p", 1)
	failed := l.State()
	failed.Status = loop.StatusFailed
	must(t, l.Commit(t.Context(), failed, nil))
	must(t, l.Release(t.Context()))
	waits := func() int {
		n, err := s.Plans().Count(t.Context(), Filter{Unclosed: true})
		must(t, err)
		return n
	}
	change(t, s, `UPDATE plans SET settled = 1`)
	if found, err := s.Damaged(t.Context()); err != nil || len(found) != 1 || !strings.Contains(found[0].String(), "its summary in lists") || waits() != 0 {
		t.Fatalf("%v %v", found, err)
	}
	fixed, err := s.Repair(t.Context())
	if err != nil || len(fixed) != 1 || fixed[0].Err != nil || len(fixed[0].From) == 0 || waits() != 1 {
		t.Errorf("%+v, %v, %d wait", fixed, err, waits())
	}
}
