package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"ralph/internal/testing/powercut"
)

// git takes an object's empty file for the object and never writes it again, so a
// power cut in the middle of a commit must leave none: the same work is committed
// whole afterwards.
func TestACommitWithoutPower(t *testing.T) {
	t.Parallel()
	disk := powercut.New(t)
	f := newFixtureAt(t, disk.Dir)
	w := Worktree{Path: f.root + "/one", Branch: "ralph/one", Commit: f.base}
	if err := f.AddWorktree(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	for n := range 40 {
		f.write(w.Path, fmt.Sprintf("d%d/work", n%4), fmt.Sprintf("of file %d", n))
	}
	unix.Sync()
	git := f.program
	f.program = f.script(t.TempDir(), "git", `case "$*" in *commit-tree*) exit 3;; esac; exec `+git+` "$@"`)
	work := func() (Work, error) {
		return f.Commit(t.Context(), w.Path, Message{Text: "work"}, CommitOptions{Branch: w.Branch})
	}
	if made, err := work(); err == nil {
		t.Fatalf("nothing stopped before %s was synced: this test tests nothing", made.Commit)
	}
	// As the database does: its sync commits the names of all files, and not yet their
	// content.
	other, err := os.Create(filepath.Join(disk.Dir, "other"))
	if err == nil {
		err = errors.Join(other.Sync(), other.Close())
	}
	if err = errors.Join(err, powercut.Cut(disk.Dir)); err != nil {
		t.Fatal(err)
	}
	disk.Back(t)
	f.program = git
	f.git("fsck", "--no-dangling", "--no-progress")
	if _, err := work(); err != nil {
		t.Fatal(err)
	}
	f.git("fsck", "--no-dangling", "--no-progress")
}
