package git

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/proc"
)

// memory makes the folder that ralph's memory is in.
func (f *fixture) memory() string {
	f.t.Helper()
	dir := filepath.Join(f.CommonDir, "ralph")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		f.t.Fatal(err)
	}
	return dir
}

func TestScratchIsBesideTheMemory(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	memory := f.memory()
	dir, err := f.scratch()
	if err != nil || filepath.Dir(dir) != filepath.Join(memory, "tmp") {
		t.Errorf("%s, %v", dir, err)
	}
	if fi, err := os.Stat(filepath.Dir(dir)); err != nil || fi.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", fi, err)
	}
	wt := f.worktree("w", "ralph/w")
	f.write(wt, "x", "x")
	if _, err := f.Snapshot(t.Context(), wt, f.base, Message{Text: "kept"}); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(filepath.Join(memory, "tmp"))
	if err != nil || len(left) != 1 {
		t.Errorf("a snapshot left %v, %v", left, err)
	}
}

// TestSweepScratch: what a killed process left goes; what a living one uses, and
// what is not ours, stays.
func TestSweepScratch(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	tmp := filepath.Join(f.memory(), "tmp")
	out, err := proc.Run(t.Context(), proc.Command{Argv: []string{"sh", "-c", "echo -n $$"}, Env: f.env})
	if err != nil {
		t.Fatal(err)
	}
	dead, me := string(out.Stdout), fmt.Sprint(os.Getpid())
	for name, age := range map[string]time.Duration{
		"index-" + dead + "-1": 2 * time.Minute, "index-" + dead + "-2": 0,
		"index-" + me + "-3": time.Hour, "index-" + me + "-4": 25 * time.Hour,
		"index-0-5": 48 * time.Hour, "index-x-6": 48 * time.Hour, "other": 48 * time.Hour,
	} {
		f.write(filepath.Join(tmp, name), "index", "i")
		at := time.Now().Add(-age)
		if err := os.Chtimes(filepath.Join(tmp, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	f.SweepScratch()
	var left []string
	entries, _ := os.ReadDir(tmp)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	want := []string{"index-" + dead + "-2", "index-" + me + "-3", "index-0-5", "index-x-6", "other"}
	slices.Sort(want)
	if diff := cmp.Diff(want, left); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDropOwnRefs(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	wt := f.worktree("w", "ralph/w")
	f.write(wt, "x", "x")
	commit, err := f.Snapshot(t.Context(), wt, f.base, Message{Text: "kept"})
	if err != nil {
		t.Fatal(err)
	}
	for _, ref := range []string{"a/1", "a/2", "ab/1", "plain"} {
		if err := f.UpdateRef(t.Context(), "refs/ralph/checkpoints/"+ref, commit, ""); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"refs/heads/main", "refs/", "refs/ralphs/x", "HEAD", ""} {
		if err := f.DropOwnRefs(t.Context(), name); err == nil {
			t.Errorf("%q was taken for ralph's own", name)
		}
	}
	for _, name := range []string{"a", "plain", "none", "a"} {
		if err := f.DropOwnRefs(t.Context(), "refs/ralph/checkpoints/"+name); err != nil {
			t.Fatal(err)
		}
	}
	refs, err := f.OwnRefs(t.Context(), "refs/ralph/checkpoints/")
	if diff := cmp.Diff([]string{"refs/ralph/checkpoints/ab/1"}, refs); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if f.git("rev-parse", "main", "ralph/w") == "" {
		t.Error("branches are gone")
	}
}

func TestCommitContent(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	wt := f.worktree("w", "ralph/w")
	f.write(wt, "x", "x")
	old, err := f.Snapshot(t.Context(), wt, f.base, Message{Text: "old"})
	if err != nil {
		t.Fatal(err)
	}
	id, err := f.CommitContent(t.Context(), old, Message{Text: "again", Trailers: []Trailer{{LoopTrailer, "a"}}}, f.base)
	if err != nil {
		t.Fatal(err)
	}
	if f.git("rev-parse", id+"^{tree}", id+"^") != f.git("rev-parse", old+"^{tree}", f.base) {
		t.Error("another content, or another parent")
	}
}
