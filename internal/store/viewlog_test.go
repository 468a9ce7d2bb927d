//go:build unix

package store

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestTheLogIsPutAside: no line is lost or doubled at the turn, and whoever
// finds the log deleted, or torn, goes on as ever.
func TestTheLogIsPutAside(t *testing.T) {
	t.Parallel()
	views := t.TempDir()
	s := openTest(t, t.TempDir()+"/ralph", Options{Views: views, Now: clock})
	s.logMost = 2000
	l := create(t, s, "a")
	positions := func(name string) []int64 {
		data, err := os.ReadFile(filepath.Join(views, name))
		if os.IsNotExist(err) {
			return nil
		}
		must(t, err)
		var out []int64
		for line := range bytes.Lines(data) {
			var at struct{ Pos int64 }
			must(t, json.Unmarshal(line, &at))
			out = append(out, at.Pos)
		}
		return out
	}
	turns, last := 0, int64(0)
	for n := range 60 {
		must(t, tick(t.Context(), l))
		must(t, s.ViewError())
		all := append(positions(logOld), positions(logName)...)
		for i := 1; i < len(all); i++ {
			if all[i] != all[i-1]+1 {
				t.Fatalf("commit %d: after line %d comes %d", n, all[i-1], all[i])
			}
		}
		if all[0] > last {
			last = all[0]
			turns++
		}
		if fi, err := os.Stat(filepath.Join(views, logName)); err != nil || fi.Size() > 2500 {
			t.Errorf("commit %d: %v, %v", n, fi.Size(), err)
		}
		if want := int64(n + 2); all[len(all)-1] != want {
			t.Fatalf("commit %d: the log ends at %d", n, all[len(all)-1])
		}
	}
	if turns < 3 {
		t.Fatalf("it was put aside %d times: this test tests nothing", turns)
	}
	must(t, os.Remove(filepath.Join(views, logName)))
	must(t, tick(t.Context(), l))
	if all := positions(logName); all[len(all)-1] != 62 || all[0] != 1 {
		t.Errorf("a deleted log begins at %d and ends at %d", all[0], all[len(all)-1])
	}
}
