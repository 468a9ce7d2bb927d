package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/testing/runnable"
)

// TestKilled: a git that was killed, or that lacked something, says nothing about the
// repository; one that only reads is asked again.
func TestKilled(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err  error
		want loop.Cause
	}{
		{&CommandError{Args: []string{"checkout"}, Code: -1}, loop.CauseSignal},
		{&CommandError{Args: []string{"worktree"}, Code: 137}, loop.CauseSignal},
		{&CommandError{Args: []string{"worktree"}, Code: 128, Stderr: "error: git died of signal 9"}, loop.CauseSignal},
		{&CommandError{Args: []string{"add"}, Code: 128, Stderr: "fatal: write error: No space left on device"}, loop.CauseLack},
		{&CommandError{Args: []string{"add"}, Code: 128, Stderr: "fatal: unable to create 'index.lock': Read-only file system"}, loop.CauseLack},
		{&CommandError{Args: []string{"add"}, Code: 128, Stderr: "fatal: unable to create 'index.lock': Permission denied"}, loop.CauseLack},
		{&CommandError{Args: []string{"push"}, Code: 128, Stderr: "git@host: Permission denied (publickey).\nfatal: Could not read"}, loop.CauseItself},
		{&CommandError{Args: []string{"add"}, Code: 128, Stderr: "fatal: pathspec 'x' did not match any files"}, loop.CauseItself},
		{&CommandError{Args: []string{"merge-base"}, Code: 1}, loop.CauseItself},
		{errors.New("other"), loop.CauseItself},
	} {
		if got := proc.CauseOf(fmt.Errorf("wrapped: %w", tt.err)); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.err, got, tt.want)
		}
	}
	for command, want := range map[string]int{"rev-parse": readRetries + 1, "update-ref": 1} {
		dir := t.TempDir()
		script := "#!/bin/sh\necho x >>" + dir + "/runs\nkill -9 $$\n"
		program := filepath.Join(dir, "git")
		if err := runnable.Write(program, script); err != nil {
			t.Fatal(err)
		}
		r := &Repo{program: program}
		_, err := r.start(t.Context(), call{place: place{gitDir: dir}, args: []string{command}}, nil)
		runs, _ := os.ReadFile(filepath.Join(dir, "runs"))
		if got := strings.Count(string(runs), "x"); got != want || proc.CauseOf(err) != loop.CauseSignal {
			t.Errorf("%s ran %s times, %v", command, strconv.Itoa(got), err)
		}
	}
}

// TestKilledLooks: what a killed git did not report is not taken for a fact: a branch
// without commits, an agent's commits that are unsound, an exit code.
func TestKilledLooks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := filepath.Join(dir, "git")
	if err := runnable.Write(program, "#!/bin/sh\ncase \"$*\" in *symbolic-ref*) echo refs/heads/main;; *) kill -9 $$;; esac\n"); err != nil {
		t.Fatal(err)
	}
	r := &Repo{program: program, gitDir: dir, CommonDir: dir, known: newKnown()}
	killed := &CommandError{Args: []string{"index-pack"}, Code: -1}
	_, err := r.head(t.Context(), place{gitDir: dir})
	if errors.Is(err, ErrUnborn) || proc.CauseOf(err) != loop.CauseSignal {
		t.Errorf("head: %v", err)
	}
	err = r.refuse(t.Context(), killed)
	if _, unsound := errors.AsType[*absorbError](err); unsound {
		t.Errorf("refused: %v", err)
	}
	if code := exitCode(&CommandError{Args: []string{"reset"}, Code: 137}); code != -1 {
		t.Errorf("exit code %d", code)
	}
}

// TestGitIsGone: a git that was there, and cannot be found for a while, says nothing about
// the repository; its next call works.
func TestGitIsGone(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	r := f.open(f.dir)
	there := r.program
	link := filepath.Join(t.TempDir(), "git")
	r.program = link
	if _, err := r.Dirty(f.ctx(), ""); proc.CauseOf(err) != loop.CauseLack || !strings.Contains(err.Error(), link) {
		t.Errorf("%s: %v", proc.CauseOf(err), err)
	}
	if err := os.Symlink(there, link); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Dirty(f.ctx(), ""); err != nil {
		t.Error(err)
	}
}
