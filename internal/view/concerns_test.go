package view

import (
	"slices"
	"testing"

	"ralph/internal/loop"
)

func TestConcernsAreLines(t *testing.T) {
	t.Parallel()
	all := []loop.Concern{{Code: loop.ConcernJudges, What: "a\nlook: nothing\u2028b"}}
	want := []loop.Concern{{Code: loop.ConcernJudges, What: "a look: nothing b"}}
	if got := Concerns(all); !slices.Equal(got, want) || all[0].What == want[0].What {
		t.Errorf("%q of %q", got, all)
	}
}
