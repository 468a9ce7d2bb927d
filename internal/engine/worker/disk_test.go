package worker_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"ralph/internal/engine/worker"
	"ralph/internal/journal"
	"ralph/internal/loop"
)

// TestAFullDiskProvesNothing: a gate that says that a disk is full runs once more. Where it
// says so again, its failure counts against the work, but never proves that the base is red.
func TestAFullDiskProvesNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		full        int // runs of the gate on a full disk
		onWork      bool
		base        loop.Verdict
		passes      bool
		interrupted bool
	}{
		"the base once":    {full: 1, base: loop.Passed},
		"the base twice":   {full: 2, interrupted: true},
		"the work once":    {full: 1, onWork: true, base: loop.Failed, passes: true},
		"the work forever": {full: 9, onWork: true, base: loop.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, writes("new", "x"))
			count, where, otherwise := filepath.Join(b.Files.Dir, "..", "runs"), "test ! -e new", "true"
			if c.onWork {
				where, otherwise = "test -e new", "test -e new"
			}
			b.spec.Proof, b.spec.Limits.MaxIterations = loop.ProofNone, 1
			b.spec.Gates = []loop.Gate{{Name: "full", Kind: loop.KindCommand, Level: loop.Hard, Run: fmt.Sprintf(
				`if %s; then echo x >>%q; if [ $(wc -l <%[2]q) -le %d ]; then echo "write: No space left on device"; exit 1; fi; fi; %s`,
				where, count, c.full, otherwise)}}
			if c.interrupted {
				s, err := b.untilError(t)
				if cause := worker.Interruption(err); cause != loop.CauseLack || len(s.BaseResults) > 0 {
					t.Errorf("%v (%s), recorded: %v", err, cause, s.BaseResults)
				}
				return
			}
			s := b.drive(t)
			if got := s.BaseResults[0].Verdict; got != c.base {
				t.Errorf("the base is %s: %+v", got, s.BaseResults[0])
			}
			if passed := s.Last().Results[0].Verdict == loop.Passed; c.onWork && passed != c.passes {
				t.Errorf("the work: %+v", s.Last().Results[0])
			}
		})
	}
}

// untilError lets the worker act until an action fails, at most until the base is judged.
func (b bench) untilError(t *testing.T) (loop.State, error) {
	t.Helper()
	s := loop.New(b.spec, time.Now())
	var err error
	for e := loop.Event(loop.Acquired{Owner: "test"}); err == nil; {
		s, err = loop.Apply(s, journal.WithStamp(e, loop.Stamp{At: time.Now().Round(0)}))
		must(t, err)
		a := loop.Next(s)
		if a.Do == loop.DoAgent {
			return s, nil
		}
		e, err = b.Do(t.Context(), s, a, &worker.Hooks{})
	}
	return s, err
}
