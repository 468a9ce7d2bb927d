package gate

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A file that is written and put back, its time of modification too, has changed.
func TestStamps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	names := []string{"same", "read", "restored", "removed", "replaced", "added", "absent"}
	for _, name := range names[:5] {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := openTree(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	defer tree.close()
	had := tree.stamps(names)
	time.Sleep(20 * time.Millisecond) // a tick of the file system's clock
	at := func(name string) string { return filepath.Join(dir, name) }
	info, _ := os.Stat(at("restored"))
	_, read := os.ReadFile(at("read"))
	for _, err := range []error{
		read, os.WriteFile(at("restored"), []byte("y"), 0o600), os.WriteFile(at("restored"), []byte("x"), 0o600),
		os.Chtimes(at("restored"), info.ModTime(), info.ModTime()), os.Remove(at("removed")),
		os.WriteFile(at("new"), []byte("x"), 0o600), os.Rename(at("new"), at("replaced")), os.WriteFile(at("added"), nil, 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"restored", "removed", "replaced", "added"}, tree.changed(names, had)); diff != "" {
		t.Error(diff)
	}
}
