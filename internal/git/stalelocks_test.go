package git

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestStaleLocks: locks from before the boot are listed, and nothing else is.
func TestStaleLocks(t *testing.T) {
	t.Parallel()
	dir, boot := t.TempDir(), time.Now().Add(-time.Hour)
	for name, at := range map[string]time.Time{
		"packed-refs.lock":           boot.Add(-time.Second),
		"index.lock":                 boot.Add(time.Second),
		"config":                     boot.Add(-time.Hour),
		"refs/heads/ralph/a.lock":    boot.Add(-time.Hour),
		"refs/heads/feature/new":     boot.Add(-time.Hour),
		"refs/heads/feature/b.lock":  boot.Add(time.Minute),
		"objects/pack/pack-1.lock":   boot.Add(-time.Hour), // git's own rubbish, in nobody's way
		"ralph/loops/one/owner.lock": boot.Add(-time.Hour), // not git's
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "dir.lock"), 0o700); err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Join(dir, "packed-refs.lock"), filepath.Join(dir, "refs", "heads", "ralph", "a.lock")}
	r := &Repo{}
	r.CommonDir = dir
	if diff := cmp.Diff(want, r.StaleLocks(boot)); diff != "" {
		t.Error(diff)
	}
	if got := (&Repo{}).StaleLocks(boot); len(got) > 0 {
		t.Errorf("without a repository: %q", got)
	}
}
