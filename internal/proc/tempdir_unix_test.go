//go:build unix

package proc

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// The folder of a process that was killed is removed, and that of a living one stays; so
// does one whose process is about to lock it, one of an earlier version, which has no lock,
// and what a link leads to.
func TestSweepTempDirs(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	living, err := TempDir(parent, "run")
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(parent, name) }
	err = errors.Join(os.MkdirAll(at("ralph-run-77-1/sub"), 0o700), os.Mkdir(at("ralph-run-78-2"), 0o700),
		os.Mkdir(at("ralph-run-123456"), 0o700), os.Mkdir(at("kept"), 0o700), os.Symlink(at("kept"), at("ralph-run-79-3")))
	if err != nil {
		t.Fatal(err)
	}
	ago := time.Now().Add(-time.Hour)
	for _, dir := range []string{living, at("ralph-run-77-1"), at("ralph-run-123456"), at("kept")} {
		if err := os.Chtimes(dir, ago, ago); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{at("ralph-run-77-1")}
	if got := LeftTempDirs(parent); !slices.Equal(got, want) {
		t.Errorf("left: %q", got)
	}
	if got := SweepTempDirs(parent); !slices.Equal(got, want) {
		t.Errorf("removed: %q", got)
	}
	if left, _ := os.ReadDir(parent); len(left) != 5 {
		t.Errorf("%v", left)
	}
	if RemoveTempDir(living); exists(living) {
		t.Error("the folder of this process stays")
	}
}

// What its process removed in another way, and what nobody may search, is given up as well.
func TestRemovedTempDirIsReleased(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(dir string) error{
		"gone": os.RemoveAll,
		"unreadable": func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, "sub"), 0o700), os.MkdirAll(filepath.Join(dir, "sub/x"), 0o700), os.Chmod(filepath.Join(dir, "sub"), 0))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, err := TempDir(t.TempDir(), "run")
			if err = errors.Join(err, change(dir)); err != nil {
				t.Fatal(err)
			}
			RemoveTempDir(dir)
			if _, ok := held.Load(realPath(dir)); ok || exists(dir) {
				t.Errorf("held %v, there %v", ok, exists(dir))
			}
		})
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
