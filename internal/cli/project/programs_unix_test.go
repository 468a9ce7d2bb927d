//go:build unix

package project

import (
	"os"
	"path/filepath"
	"testing"

	"ralph/internal/testing/runnable"
)

// TestAKilledLookUp: a shell that is killed while it looks for a program has not
// reported that the program is absent.
func TestAKilledLookUp(t *testing.T) {
	const word = "no-such-program"
	if Known(t.Context(), word, t.TempDir(), os.Environ()) {
		t.Errorf("%s is known", word)
	}
	dir := t.TempDir()
	if err := runnable.Write(filepath.Join(dir, "sh"), "#!/bin/sh\nkill -KILL $$\n"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	if !Known(t.Context(), word, t.TempDir(), os.Environ()) {
		t.Error("the program is called absent, though the shell was killed")
	}
}
