package setup

import (
	"os"
	"path/filepath"
	"testing"

	"ralph/internal/cli/exit"
	"ralph/internal/config"
)

// TestWriteProject: a file is never overwritten; --force renames the old one to a
// name that is free.
func TestWriteProject(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if backup, err := writeProject(dir, []byte("one"), false); backup != "" || err != nil {
		t.Fatalf("%q, %v", backup, err)
	}
	if _, err := writeProject(dir, []byte("two"), false); exit.Classify(err).Code != exit.Usage {
		t.Fatalf("over an existing file: %v", err)
	}
	if got := read(config.FileName); got != "one" {
		t.Fatalf("the file was changed: %q", got)
	}
	for i, want := range []string{config.FileName + ".bak", config.FileName + ".bak.2"} {
		old := read(config.FileName)
		backup, err := writeProject(dir, []byte{byte('a' + i)}, true)
		if err != nil || backup != want || read(want) != old {
			t.Errorf("backup %q, want %q; %v", backup, want, err)
		}
	}
}
