package loop_test

import (
	"testing"

	"ralph/internal/loop"
)

// The table of seed 001: 2 loops have 1 path, 4 have 6, 5 have 10, 7 have 21, 8
// have 28; and the edges of its bands.
func TestCrowd(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]struct {
		paths int
		band  string
		word  string
	}{
		-1: {0, "1", "none"}, 0: {0, "1", "none"}, 1: {0, "1", "none"},
		2: {1, "2", "trivial"}, 3: {3, "3–4", "manageable"}, 4: {6, "3–4", "manageable"},
		5: {10, "5–7", "significant"}, 7: {21, "5–7", "significant"},
		8: {28, "8+", "excessive"}, 100: {4950, "8+", "excessive"},
	} {
		if got := loop.Paths(n); got != want.paths {
			t.Errorf("%d loops: %d paths, want %d", n, got, want.paths)
		}
		if b := loop.BandOf(n); b.Range() != want.band || b.Word != want.word {
			t.Errorf("%d loops: band %s %s, want %s %s", n, b.Range(), b.Word, want.band, want.word)
		}
	}
	for n, want := range map[int]string{
		2: "2 loops make 1 communication path: trivial, for simple parallel tasks",
		5: "5 loops make 10 communication paths; 5–7 loops: significant, for complex work only",
	} {
		if got := loop.Coordination(n); got != want {
			t.Errorf("got %q", got)
		}
	}
}
