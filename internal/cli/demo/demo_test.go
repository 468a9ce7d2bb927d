package demo

import (
	"os"
	"path/filepath"
	"testing"
)

// TestOldPlaces: only directories that a demonstration has released are deleted.
func TestOldPlaces(t *testing.T) {
	t.Parallel()
	tmp := t.TempDir()
	dir := func(name string) string {
		path := filepath.Join(tmp, name)
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	released, running, foreign, other := dir("ralph-demo-1"), dir("ralph-demo-2"), dir("ralph-demo-3"), dir("mine")
	releasePlace(released)
	releasePlace(other)
	if err := os.WriteFile(filepath.Join(foreign, placeMarker), []byte("made by ralph demo for user -1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	deleteOldPlaces(tmp)
	for path, want := range map[string]bool{released: false, running: true, foreign: true, other: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
	}
}

func TestFolded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"", 5, ""}, {"one two three", 7, "one two\nthree"}, {"incomprehensible", 4, "incomprehensible"}, {" a  b ", 80, "a b"},
	} {
		if got := folded(c.text, c.n); got != c.want {
			t.Errorf("%q in %d: %q", c.text, c.n, got)
		}
	}
}
