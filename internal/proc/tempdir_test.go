package proc

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestTempDir(t *testing.T) {
	t.Parallel()
	parent, now := t.TempDir(), time.Now()
	for name, age := range map[string]time.Duration{"ralph-agent-old": leftAfter + time.Minute, "ralph-agent-new": leftAfter - time.Minute, "other": 10 * leftAfter} {
		dir := filepath.Join(parent, name)
		if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(dir, now, now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	dir, err := TempDir(parent, "agent")
	if err != nil || filepath.Dir(dir) != parent {
		t.Fatalf("got %s, %v", dir, err)
	}
	for name, want := range map[string]bool{"ralph-agent-old": false, "ralph-agent-new": true, "other": true} {
		if _, err := os.Stat(filepath.Join(parent, name)); (err == nil) != want {
			t.Errorf("%s: there %v, want %v", name, err == nil, want)
		}
	}
	dir, err = TempDir(filepath.Join(parent, "missing"), "agent")
	if err != nil || filepath.Dir(dir) != TempRoot() {
		t.Fatalf("got %s, %v", dir, err)
	}
	if err := os.Remove(dir); err != nil {
		t.Error(err)
	}
}
