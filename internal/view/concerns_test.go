package view

import (
	"slices"
	"testing"

	"ralph/internal/loop"
)

func TestConcernsAreLines(t *testing.T) {
	t.Parallel()
	all := []loop.Concern{{Code: loop.ConcernJudges, What: "a\nlook: nothing\u2028b\x1b[2Kc\u202e.py"}}
	want := []loop.Concern{{Code: loop.ConcernJudges, What: "a␊look: nothing\\u2028b␛[2Kc\\u202e.py"}}
	if got := Concerns(all); !slices.Equal(got, want) || all[0].What == want[0].What {
		t.Errorf("%q of %q", got, all)
	}
}
