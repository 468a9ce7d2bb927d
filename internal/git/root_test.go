package git

import (
	"errors"
	"testing"
)

// TestFirstCommit: the first commit stays the same when another history is merged, and a
// shallow clone has none.
func TestFirstCommit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	head := func() string {
		h, err := f.Head(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return h.Commit
	}
	before, err := f.FirstCommit(t.Context(), head())
	if err != nil || len(before) < 40 {
		t.Fatalf("%q, %v", before, err)
	}
	main := head()
	f.gitIn(f.Root, "checkout", "-q", "--orphan", "other")
	f.gitIn(f.Root, "commit", "-q", "--allow-empty", "-m", "another history", "--date", "2001-01-01T00:00:00Z")
	if other, err := f.FirstCommit(t.Context(), head()); err != nil || other == before {
		t.Errorf("the other history: %q, %v", other, err)
	}
	f.gitIn(f.Root, "checkout", "-q", "-B", "joined", main)
	f.gitIn(f.Root, "merge", "-q", "--allow-unrelated-histories", "-s", "ours", "-m", "join", "other")
	if after, err := f.FirstCommit(t.Context(), head()); err != nil || after != before {
		t.Errorf("merged: %q, not %q, %v", after, before, err)
	}
	f.write(f.CommonDir, "shallow", f.base+"\n")
	if _, err := f.FirstCommit(t.Context(), head()); !errors.Is(err, ErrShallow) {
		t.Errorf("shallow: %v", err)
	}
}
