package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ralph/internal/testing/tier"

	"golang.org/x/sys/unix"
)

func TestFullDisk(t *testing.T) {
	disk := smallDisk(t, 512)
	s, err := Open(t.Context(), filepath.Join(disk, "ralph"), Options{})
	must(t, err)
	l, err := s.Create(t.Context(), newState("a"), Admission{})
	must(t, err)
	must(t, commitUntilFull(t.Context(), s, l))
	if _, err := s.Create(t.Context(), newState("b"), Admission{}); err == nil {
		t.Error("a loop was created on a full disk")
	}
	onlyLoops(t, s, filepath.Join(disk, "ralph"), 1)
	must(t, unix.Mount("", disk, "", unix.MS_REMOUNT, "size=8m"))
	must(t, tick(t.Context(), l))
	if found, err := s.Problems(t.Context()); err != nil || len(found) != 0 {
		t.Errorf("Check: %v, %v", found, err)
	}
	must(t, l.Release(t.Context()))
	must(t, s.Close())
}

// TestFirstUseOfAFullDisk: whatever room there is, a new database is whole or absent,
// and the next call with room succeeds.
func TestFirstUseOfAFullDisk(t *testing.T) {
	for kib := 40; kib <= 600; kib += 20 {
		disk := smallDisk(t, kib)
		dir := filepath.Join(disk, "ralph")
		s, err := Open(t.Context(), dir, Options{})
		if err == nil {
			if l, err := s.Create(t.Context(), newState("a"), Admission{}); err == nil {
				must(t, l.Release(t.Context()))
			}
			must(t, s.Close())
		}
		for _, name := range names(t, dir) {
			if strings.Contains(name, ".new") || strings.HasSuffix(name, ".tmp") {
				t.Errorf("%d KiB: %s is left over", kib, name)
			}
		}
		must(t, unix.Mount("", disk, "", unix.MS_REMOUNT, "size=8m"))
		s = openTest(t, dir, Options{})
		l, err := s.Create(t.Context(), newState("b"), Admission{})
		must(t, err)
		must(t, l.Release(t.Context()))
		if found, err := s.Problems(t.Context()); err != nil || len(found) != 0 {
			t.Errorf("%d KiB: %v, %v", kib, found, err)
		}
	}
}

// TestMigrationOnAFullDisk: without room for the copy or for the new tables the
// database keeps its version and its content, and no half file is left.
func TestMigrationOnAFullDisk(t *testing.T) {
	failed := 0
	for kib := 300; kib <= 1200; kib += 60 {
		disk := smallDisk(t, 8<<10)
		dir := oldDatabase(t, filepath.Join(disk, "ralph"), "testdata/old/v7.sql")
		if err := unix.Mount("", disk, "", unix.MS_REMOUNT, fmt.Sprintf("size=%dk", kib)); err != nil {
			continue // it holds more than that
		}
		s, err := Open(t.Context(), dir, Options{})
		if err == nil {
			must(t, s.Close())
		} else {
			failed++
		}
		for _, name := range names(t, dir) {
			if strings.Contains(name, ".tmp") {
				t.Errorf("%d KiB: %s is left over", kib, name)
			}
		}
		must(t, unix.Mount("", disk, "", unix.MS_REMOUNT, "size=8m"))
		continueOld(t, openTest(t, dir, Options{Owner: "test"}))
	}
	if failed == 0 {
		t.Error("no disk was too small")
	}
}

func smallDisk(t *testing.T, kib int) string {
	t.Helper()
	disk := t.TempDir()
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprintf("size=%dk", kib)); err != nil {
		tier.SkipLacking(t, "root (to mount a small disk)", err)
	}
	t.Cleanup(func() { must(t, unix.Unmount(disk, unix.MNT_DETACH)) })
	return disk
}

func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, f := range files {
		all = append(all, f.Name())
	}
	return all
}

// TestSituation: an error of the disk, or a quota that is used up (SQLite has no code of its
// own for it), is told from damage.
func TestSituation(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "ralph"), Options{})
	must(t, err)
	defer func() { must(t, s.Close()) }()
	const write, fsync, constraint = 10 | 3<<8, 10 | 4<<8, 19
	for code, is := range map[int]func(error) bool{
		codeFull:    func(err error) bool { _, ok := errors.AsType[*NoSpaceError](err); return ok },
		codeShmSize: func(err error) bool { _, ok := errors.AsType[*NoSpaceError](err); return ok },
		write:       func(err error) bool { _, ok := errors.AsType[*DiskError](err); return ok },
		fsync:       func(err error) bool { _, ok := errors.AsType[*DiskError](err); return ok },
		constraint:  func(err error) bool { return err == errSituation },
	} {
		if got := s.situation(t.Context(), code, errSituation); !is(got) || !errors.Is(got, errSituation) {
			t.Errorf("%d: %v", code, got)
		}
	}
}

var errSituation = errors.New("as SQLite says it")
