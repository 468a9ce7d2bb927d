//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestUnusable: a directory that does not exist can be made where the one above it can be
// written.
func TestUnusable(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	closed := filepath.Join(root, "closed")
	if err := os.Mkdir(closed, 0o500); err != nil {
		t.Fatal(err)
	}
	if dir, why := Unusable("", root, filepath.Join(root, "a", "b")); why != nil {
		t.Error(dir, why)
	}
	if os.Geteuid() == 0 {
		t.Skip("root may write in every directory")
	}
	if dir, why := Unusable(root, filepath.Join(closed, "a")); dir != closed || !errors.Is(why, fs.ErrPermission) {
		t.Error(dir, why)
	}
}
