//go:build unix

package project

import (
	"os"
	"path/filepath"
	"testing"
)

// TestAKilledLookUp: a shell that is killed while it looks for a program has not
// reported that the program is absent.
func TestAKilledLookUp(t *testing.T) {
	const word = "no-such-program"
	if Known(t.Context(), word, t.TempDir(), os.Environ()) {
		t.Errorf("%s is known", word)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "sh"), []byte("#!/bin/sh\nkill -KILL $$\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	if !Known(t.Context(), word, t.TempDir(), os.Environ()) {
		t.Error("the program is called absent, though the shell was killed")
	}
}
