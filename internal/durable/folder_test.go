package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestMkdirAll(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for path, made := range map[string]bool{
		"a/b": true, "a": true, "a/b/c.git.d/e": true, ".git/ralph": false, "deep/shop.git/ralph/loops": false, ".git": false,
	} {
		err := MkdirAll(filepath.Join(dir, path))
		if _, there := os.Stat(filepath.Join(dir, path)); made != (err == nil) || made != (there == nil) || !made && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", path, err)
		}
	}
	must(t, os.Mkdir(filepath.Join(dir, ".git"), 0o700))
	must(t, MkdirAll(filepath.Join(dir, ".git", "ralph", "loops")))
	must(t, os.Symlink(dir, filepath.Join(dir, "link.git")))
	must(t, MkdirAll(filepath.Join(dir, "link.git", "x")))
	must(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	if err := MkdirAll(filepath.Join(dir, "file", "x")); err == nil {
		t.Error("a folder below a file")
	}
}
