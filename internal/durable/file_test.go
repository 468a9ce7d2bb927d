package durable

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestReplace: at each moment the file is whole, and nothing else stays.
func TestReplace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	texts := [][]byte{bytes.Repeat([]byte("x"), 100_000), bytes.Repeat([]byte("y"), 50_000)}
	must(t, Replace(path, texts[0], 0o644))
	var all sync.WaitGroup
	for _, text := range texts {
		all.Go(func() {
			for range 20 {
				if err := Replace(path, text, 0o644); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 200 {
		got, err := os.ReadFile(path)
		must(t, err)
		if !slices.ContainsFunc(texts, func(w []byte) bool { return bytes.Equal(got, w) }) {
			t.Fatalf("%d bytes, neither old nor new", len(got))
		}
	}
	all.Wait()
	if names := list(t, dir); len(names) != 1 {
		t.Errorf("left: %q", names)
	}
	info, err := os.Stat(path)
	must(t, err)
	if info.Mode().Perm() != 0o644 {
		t.Errorf("mode %v", info.Mode())
	}
}

// TestReplaceALink: what a link names is not written.
func TestReplaceALink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "theirs"), []byte("theirs"), 0o600))
	must(t, os.Symlink("theirs", filepath.Join(dir, "a")))
	must(t, Replace(filepath.Join(dir, "a"), []byte("ours"), 0o600))
	if got, _ := os.ReadFile(filepath.Join(dir, "theirs")); string(got) != "theirs" {
		t.Errorf("written through a link: %q", got)
	}
}

// TestReplaceFails: the old file stays, and nothing new.
func TestReplaceFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "a", "full"), 0o700))
	if err := Replace(filepath.Join(dir, "a"), nil, 0o600); err == nil {
		t.Error("a folder was replaced")
	}
	if names := list(t, dir); len(names) != 1 {
		t.Errorf("left: %q", names)
	}
	if err := Replace(filepath.Join(dir, "none", "a"), nil, 0o600); err == nil {
		t.Error("a folder was made")
	}
	must(t, Write(filepath.Join(dir, "none", "a"), nil))
}

// TestRemoveTemporary: what a kill leaves is removed, and nothing of others.
func TestRemoveTemporary(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	others := []string{".a.ralph-.tmp", ".a.ralph-07.tmp", ".a.ralph-12.tmp~", ".a.ralph-x1.tmp", ".b.ralph-12.tmp", "a.ralph-12.tmp"}
	before, after := temporary(path)
	f, err := os.CreateTemp(dir, before+"*"+after)
	must(t, err)
	must(t, f.Close())
	for _, name := range append(others, ".a.ralph-12.tmp") {
		must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	RemoveTemporary(path)
	if got := list(t, dir); !slices.Equal(got, slices.Sorted(slices.Values(others))) {
		t.Errorf("left: %s", strings.Join(got, " "))
	}
}

func list(t *testing.T, dir string) (names []string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	must(t, err)
	for _, f := range all {
		names = append(names, f.Name())
	}
	return names
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
