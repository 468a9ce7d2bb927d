package migrate

import (
	"os"
	"path/filepath"
	"testing"
)

// crash is what a fault throws in place of a kill.
type crash struct{}

// linkOnce puts the link in place, and is cut off at the n-th point.
func linkOnce(t *testing.T, root *os.Root, target string, n int) (done bool) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			if _, ok := p.(crash); !ok {
				panic(p)
			}
		}
	}()
	_, err := linked(root, target, func(string) {
		if n--; n < 0 {
			panic(crash{})
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return true
}

// TestLinkIsCutOffAnywhere: at each moment old readers find the old state or the
// new, the backup is whole as soon as the link is there, and a second call ends
// with one backup.
func TestLinkIsCutOffAnywhere(t *testing.T) {
	t.Parallel()
	const old, view = `{"old": true}`, `{"view": true}`
	for n := range 5 {
		dir := t.TempDir()
		for name, text := range map[string]string{currentLoop: old, ".ralph/loops/a/state.json": view} {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		const target = "../../.ralph/loops/a/state.json"
		linkOnce(t, root, target, n)
		now, err := root.ReadFile(currentLoop)
		if err != nil || string(now) != old && string(now) != view {
			t.Errorf("cut off at %d, old readers find %q, %v", n, now, err)
		}
		if to, _ := root.Readlink(currentLoop); to == "" && !linkOnce(t, root, target, 99) {
			t.Errorf("cut off at %d, a second call does not end", n)
		}
		kept, err := root.ReadFile(keptAs)
		if err != nil || string(kept) != old {
			t.Errorf("cut off at %d: the backup is %q, %v", n, kept, err)
		}
		files, err := os.ReadDir(filepath.Join(dir, ".aiwg", "ralph"))
		if err != nil || len(files) != 2 {
			t.Errorf("cut off at %d, this is left: %v, %v", n, files, err)
		}
	}
}

// TestOlderBackupsAreKept: another backup under the name is not written over.
func TestOlderBackupsAreKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ".aiwg", "ralph"), 0o755); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, text := range map[string]string{keptAs: "first", currentLoop: "second"} {
		if err := root.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	backup, err := linked(root, "../x", func(string) {})
	if err != nil || backup != keptAs+".2" {
		t.Fatal(backup, err)
	}
	for name, want := range map[string]string{keptAs: "first", keptAs + ".2": "second"} {
		if got, err := root.ReadFile(name); string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
