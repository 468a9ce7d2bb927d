package proc

import (
	"os"
	"path/filepath"
	"testing"

	"ralph/internal/testing/runnable"
)

// TestKeepAwake: the tool is a script that ends when its input does. It cannot be
// parallel: PATH is the process's own.
func TestKeepAwake(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	KeepAwake()() // without a tool nothing happens
	if _, err := TryKeepAwake(t.Context()); err == nil {
		t.Error("a tool was found in an empty folder")
	}
	over := filepath.Join(bin, "over")
	script := func(text string) {
		t.Helper()
		if err := runnable.Write(filepath.Join(bin, "systemd-inhibit"), "#!/bin/sh\n"+text); err != nil {
			t.Fatal(err)
		}
	}
	script("while read -r line; do :; done\n: >" + over + "\n")
	stop := KeepAwake()
	if _, err := os.Stat(over); err == nil {
		t.Error("the tool ended before it was told to")
	}
	stop()
	if _, err := os.Stat(over); err != nil {
		t.Errorf("stop does not wait for the tool: %v", err)
	}
	script("echo refused >&2; exit 1\n")
	KeepAwake()()
	if _, err := TryKeepAwake(t.Context()); err == nil || err.Error() != "systemd-inhibit: refused" {
		t.Errorf("a refusal: %v", err)
	}
}
