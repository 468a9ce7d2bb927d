package git

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Several processes make worktrees at the same moment. Each Repo stands for one.
func TestWorktreesAtTheSameMoment(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var all sync.WaitGroup
	for process := range 4 {
		r := f.open(f.dir)
		all.Go(func() {
			for n := range 4 {
				name := fmt.Sprintf("%d-%d", process, n)
				if err := r.AddWorktree(t.Context(), Worktree{Path: filepath.Join(f.root, name), Branch: "ralph/" + name, Commit: f.base}); err != nil {
					t.Errorf("worktree %s: %v", name, err)
				}
			}
		})
	}
	all.Wait()
}

// A half-made registration of another process is complete at the next try.
func TestHalfMadeWorktreeIsWaitedFor(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.worktree("other", "ralph/other")
	file := filepath.Join(f.adminDir(filepath.Join(f.root, "other")), "commondir")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f.write(filepath.Dir(file), "commondir", "")
	made := make(chan error, 1)
	go func() {
		made <- f.AddWorktree(t.Context(), Worktree{Path: filepath.Join(f.root, "w"), Branch: "ralph/w", Commit: f.base})
	}()
	f.write(filepath.Dir(file), "commondir", string(whole))
	if err := <-made; err != nil {
		t.Error(err)
	}
}

// A failure while another process drops a worktree is retried; others are not.
func TestWorktreesComeAndGo(t *testing.T) {
	t.Parallel()
	for stderr, want := range map[string]bool{
		"fatal: failed to read .git/worktrees/a/commondir: Success":                 true,
		"fatal: Invalid path '/r/.git/worktrees/gate-7': No such file or directory": true,
		"fatal: Invalid path '/r/file': No such file or directory":                  false,
		"fatal: failed to read object 1234: No space left on device":                false,
	} {
		if got := retryable(&CommandError{Code: 128, Stderr: stderr}); got != want {
			t.Errorf("%s: %v", stderr, got)
		}
		if retryable(&CommandError{Code: 1, Stderr: stderr}) {
			t.Errorf("%s with code 1 is asked again", stderr)
		}
	}
}
