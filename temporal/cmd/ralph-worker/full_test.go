//go:build server

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestSharedFolderThatIsFull: a worker that cannot publish the files of an attempt says so, keeps
// the loop and the work, and records the attempt once there is room. Nothing of the failed tries
// stays in the folder.
func TestSharedFolderThatIsFull(t *testing.T) {
	s := newScene(t)
	shared := s.at("shared")
	if err := os.MkdirAll(shared, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", shared, "tmpfs", 0, "size=256k"); errors.Is(err, syscall.EPERM) {
		t.Skip("only root mounts a small file system")
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(shared, syscall.MNT_DETACH) })
	s.start()
	s.worker("one")
	s.until("the agent works", s.exists("started"))
	fill, err := os.Create(filepath.Join(shared, "other"))
	for err == nil {
		_, err = fill.Write(make([]byte, 1<<10))
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	_ = fill.Close()
	s.write("go", "")
	s.until("the worker tries again", func() bool { return strings.Count(s.log("one"), "no space left on device; trying again") > 1 })
	waits := "waits for the shared files: "
	for _, args := range [][]string{{"status"}, {"show", "make"}, {"show", "make", "--json"}} {
		s.until("another clone tells it", func() bool { // on a slow machine heartbeats may be missed for a moment
			out := s.ralph("b", 0, args...)
			return strings.Contains(out, waits) && !strings.Contains(out, "agent at work")
		})
	}
	if err := os.Remove(fill.Name()); err != nil {
		t.Fatal(err)
	}
	s.ralph("b", 0, "wait", "make")
	if out := s.ralph("a", 0, "show", "make"); strings.Contains(out, "shared files") {
		t.Errorf("shown as waiting after its end: %s", out)
	}
	if out := s.ralph("b", 0, "show", "make", "--evidence"); strings.Contains(out, "missing") || !strings.Contains(out, "ATTEMPT 1 ") {
		t.Errorf("the evidence: %s", out)
	}
	if left, _ := filepath.Glob(filepath.Join(shared, "blobs", "*", "new-*")); len(left) > 0 {
		t.Errorf("left in the folder: %q", left)
	}
	s.ralph("b", 0, "accept", "make", "--yes")
}
