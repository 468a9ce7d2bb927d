//go:build unix

package store

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
)

// TestRecordsAreWhatLoadAnswers: one look at many loops tells of each what a
// look at it alone tells.
func TestRecordsAreWhatLoadAnswers(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	if got, err := s.List(t.Context(), Filter{}); err != nil || len(got) != 0 {
		t.Fatal(got, err)
	}
	var want []LoopRecord
	for _, id := range []string{"archived", "ended", "crashed", "running"} {
		l := create(t, s, id)
		must(t, tick(t.Context(), l))
		if id == "ended" || id == "archived" {
			must(t, endWith(t.Context(), l, loop.StatusPassed, loop.Green))
		}
		if id != "running" {
			must(t, l.Release(t.Context()))
		}
		if id == "archived" {
			must(t, s.Archive(t.Context(), id))
		}
		r, err := s.Read(t.Context(), id)
		must(t, err)
		want = append([]LoopRecord{r}, want...)
	}
	got, err := s.List(t.Context(), Filter{Archived: true})
	must(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !got[0].Live || !got[1].Crashed || !got[3].Archived {
		t.Errorf("live, crashed, archived: %v, %v, %v", got[0].Live, got[1].Crashed, got[3].Archived)
	}
}
