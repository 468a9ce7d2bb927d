package worker

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func writeTree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestDigestFiles: names, contents, modes and links count; a folder without files, a
// file and a pipe have no digest.
func TestDigestFiles(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for what, dir := range map[string]string{
		"one": writeTree(t, map[string]string{"a": "x", "b": "y"}), "moved text": writeTree(t, map[string]string{"a": "xy", "b": ""}),
		"other name": writeTree(t, map[string]string{"a": "x", "c": "y"}), "deeper": writeTree(t, map[string]string{"a": "x", "b/b": "y"}),
	} {
		digest, err := DigestFiles(dir)
		if err != nil || seen[digest] != "" {
			t.Errorf("%s: %v, as %q", what, err, seen[digest])
		}
		seen[digest] = what
	}
	dir := writeTree(t, map[string]string{"a": "x", "b": "y"})
	if digest, err := DigestFiles(dir); err != nil || seen[digest] != "one" {
		t.Errorf("the same files elsewhere: %v, %q", err, seen[digest])
	}
	if err := os.Chmod(filepath.Join(dir, "a"), 0o755); err != nil {
		t.Fatal(err)
	}
	if digest, err := DigestFiles(dir); err != nil || seen[digest] != "" {
		t.Errorf("an executable file: %v, %q", err, seen[digest])
	}
	for _, bad := range []string{t.TempDir(), filepath.Join(dir, "a"), filepath.Join(dir, "none")} {
		if _, err := DigestFiles(bad); err == nil {
			t.Errorf("%s has a digest", bad)
		}
	}
}

// TestLayOver: hidden files replace what the agent put in their place, links to
// elsewhere included, and are gone afterwards.
func TestLayOver(t *testing.T) {
	t.Parallel()
	hidden := writeTree(t, map[string]string{"pkg/held_test.go": "held", "pkg/a_test.go": "ours", "new/x": "x"})
	tree := writeTree(t, map[string]string{"pkg/a_test.go": "theirs", "pkg/a.go": "code"})
	outside := writeTree(t, map[string]string{"keep": "keep"})
	if err := os.Symlink(outside, filepath.Join(tree, "new")); err != nil {
		t.Fatal(err)
	}
	remove, err := layOver(hidden, tree)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"pkg/held_test.go": "held", "pkg/a_test.go": "ours", "pkg/a.go": "code", "new/x": "x"} {
		if got, err := os.ReadFile(filepath.Join(tree, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	remove()
	_ = filepath.WalkDir(tree, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasSuffix(path, "pkg/a.go") {
			t.Errorf("%s is left", path)
		}
		return err
	})
	if got, err := os.ReadDir(outside); err != nil || len(got) != 1 {
		t.Errorf("outside: %v, %v", got, err)
	}
}
