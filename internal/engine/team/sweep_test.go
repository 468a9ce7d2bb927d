package team

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestSweep: files that killed writers left go once they are older than any write, by the clock
// of the folder, which is years before or after that of this machine.
func TestSweep(t *testing.T) {
	t.Parallel()
	for _, now := range []time.Time{time.Now().AddDate(-3, 0, 0), time.Now().AddDate(3, 0, 0)} {
		f := Folder(t.TempDir())
		leave := func(name string, age time.Duration) {
			t.Helper()
			write(t, f.path(name), "x")
			ok(t, os.Chtimes(f.path(name), time.Time{}, now.Add(-age)))
		}
		leave("check/now", 0)
		leave("blobs/98/new-1", leftAfter+time.Second)
		leave("p/a/new-2", 1000*time.Hour)
		leave("p/plans/a/new-3", leftAfter+time.Second)
		stay := map[string]time.Duration{
			"blobs/98/new-4": leftAfter, "p/a/new-5": time.Second, "p/a/new-6": -time.Hour, // the newest: another one wrote it meanwhile
			"blobs/98/" + digest: 1000 * time.Hour, "p/a/1.json": 1000 * time.Hour, "p/new-1/1.json": 1000 * time.Hour,
			"other/a/new-7": 1000 * time.Hour, "new-8": 1000 * time.Hour,
		}
		for name, age := range stay {
			leave(name, age)
		}
		f.Sweep("check/absent", "blobs", "check", "p")
		has(t, string(f), "p/a/new-2", "x")
		f.Sweep("check/now", "blobs", "check", "p", "absent")
		for _, name := range []string{"blobs/98/new-1", "p/a/new-2", "p/plans/a/new-3"} {
			has(t, string(f), name, "")
		}
		for name := range stay {
			if _, err := os.Stat(f.path(name)); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestCheckSweeps: a worker that examines the folder removes what others left, and nothing else.
func TestCheckSweeps(t *testing.T) {
	t.Parallel()
	shared, one, two := t.TempDir(), t.TempDir(), t.TempDir()
	f := &Files{In: Folder(shared), Project: "p"}
	write(t, filepath.Join(one, "memory.json"), "{}")
	ok(t, f.Put(t.Context(), Run{ID: "a"}, 1, one))
	left := filepath.Join(shared, "p", "a", "new-1")
	write(t, left, "x")
	ok(t, os.Chtimes(left, time.Time{}, time.Now().Add(-2*leftAfter)))
	ok(t, f.Check(t.Context()))
	has(t, shared, "p/a/new-1", "")
	ok(t, f.Get(t.Context(), Run{ID: "a"}, two))
	has(t, two, "memory.json", "{}")
}
