package git

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"ralph/internal/testing/tier"
)

// Whatever room there is while a branch moves, nothing of it is called a change of the
// user's, and the same call moves the branch once there is room.
func TestAdvanceOnAFullDisk(t *testing.T) {
	top := t.TempDir()
	if err := unix.Mount("tmpfs", top, "tmpfs", 0, "size=16m"); err != nil {
		tier.SkipLacking(t, "root (to mount a small disk)", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(top, unix.MNT_DETACH) })
	f := newFixtureAt(t, top)
	f.write(f.dir, "changed", strings.Repeat("old\n", 100_000))
	f.git("add", "-A")
	f.git("commit", "-q", "-m", "large")
	f.base = f.git("rev-parse", "HEAD")
	f.write(f.dir, "changed", strings.Repeat("new\n", 150_000))
	for _, name := range []string{"n1", "n2", "n3"} {
		f.write(f.dir, name, strings.Repeat(name+"\n", 200_000))
	}
	f.git("add", "-A")
	next := f.git("commit-tree", "-p", f.base, "-m", "next", f.git("write-tree"))
	f.git("reset", "-q", "--hard", f.base)
	before := f.files()
	failed := 0
	for _, kib := range []int64{0, 4, 8, 16, 64, 256, 700, 1500, 2000} {
		fill(t, filepath.Join(top, "fill"), kib)
		err := f.AdvanceBranch(t.Context(), "main", next, f.base)
		if len(asType[ErrDirty](err).Paths) > 0 || err != nil && !errors.Is(err, ErrNoSpace) {
			t.Errorf("%d KiB: %v", kib, err)
		}
		if err := os.Remove(filepath.Join(top, "fill")); err != nil {
			t.Fatal(err)
		}
		if err == nil {
			continue
		}
		failed++
		if got := f.git("status", "--porcelain"); got != "" {
			t.Errorf("%d KiB: status: %s", kib, got)
		}
		f.unchanged(before)
	}
	if err := f.AdvanceBranch(t.Context(), "main", next, f.base); err != nil || failed < 5 {
		t.Errorf("%d calls failed; with room: %v", failed, err)
	}
	if got := f.git("status", "--porcelain"); got != "" || f.git("rev-parse", "main") != next {
		t.Errorf("status: %s", got)
	}
}

// fill makes a file that leaves so much room.
func fill(t *testing.T, path string, kib int64) {
	t.Helper()
	var st unix.Statfs_t
	err := unix.Statfs(filepath.Dir(path), &st)
	if err == nil {
		err = os.WriteFile(path, make([]byte, max(int64(st.Bfree)*int64(st.Bsize)-kib<<10, 0)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
