package ralph_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// largest is the limit for one file of the repository, in bytes.
const largest = 1 << 20

// TestFilesAreSmall keeps binaries and other large files out of the repository.
// It reads the directory itself, since a source archive has no git, and leaves out
// what the .gitignore at the root names.
func TestFilesAreSmall(t *testing.T) {
	t.Parallel()
	ignored := ignores(t)
	seen := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // other tests write below testdata meanwhile
		case err != nil:
			return err
		case path == ".git" || ignored(path):
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		case !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if seen++; info.Size() > largest {
			t.Errorf("%s has %d bytes; at most %d: remove it, or name it in .gitignore", path, info.Size(), largest)
		}
		return nil
	})
	if err != nil || seen < 500 {
		t.Fatalf("read the files: %v (%d files)", err, seen)
	}
	if !ignored("loop.test") {
		t.Error(".gitignore does not name *.test, the binaries that go test -c leaves")
	}
}

// ignores returns a matcher of the patterns in .gitignore: those that begin with a
// slash name a path, the others a file in any directory.
func ignores(t *testing.T) func(path string) bool {
	t.Helper()
	data, err := os.ReadFile(".gitignore")
	if err != nil {
		t.Fatal(err)
	}
	patterns := strings.Fields(string(data))
	return func(path string) bool {
		path = filepath.ToSlash(path)
		return slices.ContainsFunc(patterns, func(p string) bool {
			name := path
			if !strings.HasPrefix(p, "/") {
				name = filepath.Base(path)
			}
			match, _ := filepath.Match(strings.Trim(p, "/"), name)
			return match
		})
	}
}
