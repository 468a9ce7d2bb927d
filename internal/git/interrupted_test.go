package git

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"ralph/internal/testing/runnable"
)

// Files that an interrupted move left empty or without a name are checked out again;
// the same files are the user's change where no move was interrupted.
func TestInterruptedAdvance(t *testing.T) {
	t.Parallel()
	for _, interrupted := range []bool{true, false} {
		f := newFixture(t)
		f.write(f.dir, "a.txt", "changed\n")
		f.write(f.dir, "new.txt", "new\n")
		f.git("add", "-A")
		next := f.git("commit-tree", "-p", f.base, "-m", "next", f.git("write-tree"))
		f.git("reset", "-q", "--hard", f.base)
		p := f.Repo.home()
		if interrupted {
			if err := advanceMark(p, next, f.base).begin(); err != nil {
				t.Fatal(err)
			}
		}
		f.write(f.dir, "a.txt", "")
		err := f.AdvanceBranch(t.Context(), "main", next, f.base)
		if dirty := len(asType[ErrDirty](err).Paths) > 0; dirty == interrupted {
			t.Fatalf("interrupted: %t: %v", interrupted, err)
		}
		if _, err := os.Lstat(filepath.Join(p.gitDir, "ralph-advance")); err == nil {
			t.Errorf("interrupted: %t: the mark stayed", interrupted)
		}
		if !interrupted {
			continue
		}
		if got := f.git("status", "--porcelain"); err != nil || got != "" || f.read(f.dir, "a.txt") != "changed\n" || f.read(f.dir, "new.txt") != "new\n" {
			t.Errorf("%v, %q", err, got)
		}
	}
}

// TestLockOfAKilledAdvance: the lock on the user's index that a killed move has left is taken
// over; one that a process has, or that is not ralph's, is left alone.
func TestLockOfAKilledAdvance(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write(f.dir, "a.txt", "changed\n")
	f.git("add", "-A")
	next := f.git("commit-tree", "-p", f.base, "-m", "next", f.git("write-tree"))
	f.git("reset", "-q", "--hard", f.base)
	lock := filepath.Join(f.Repo.gitDir, "index.lock")
	for _, text := range []string{"", "DIRC", "other\n"} {
		if err := os.WriteFile(lock, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := f.AdvanceBranch(t.Context(), "main", next, f.base); !errors.As(err, new(ErrLocked)) || f.read(f.Repo.gitDir, "index.lock") != text {
			t.Errorf("%q: %v", text, err)
		}
		if got := f.KilledAdvance(); got != "" {
			t.Errorf("%q: %s is called ralph's", text, got)
		}
		if err := os.Remove(lock); err != nil {
			t.Fatal(err)
		}
	}
	p, held, err := lockIndex(f.Repo.home())
	if err != nil {
		t.Fatal(err)
	}
	if err := f.AdvanceBranch(t.Context(), "main", next, f.base); !errors.As(err, new(ErrLocked)) || f.KilledAdvance() != "" {
		t.Errorf("while it is held: %v", err)
	}
	// git has it open as well: the lock lasts until git has ended, too.
	script := filepath.Join(t.TempDir(), "git")
	if err := runnable.Write(script, "#!/bin/sh\nsleep 600 >/dev/null 2>&1 &\necho $!\n"); err != nil {
		t.Fatal(err)
	}
	out, err := (&Repo{program: script}).once(t.Context(), call{place: p, args: []string{"read-tree"}}, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(out.Stdout)))
	if err != nil {
		t.Fatal(err)
	}
	git, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := held.file.Close(); err != nil { // as a kill of ralph does
		t.Fatal(err)
	}
	if err := f.AdvanceBranch(t.Context(), "main", next, f.base); !errors.As(err, new(ErrLocked)) {
		t.Errorf("while its git runs: %v", err)
	}
	if err := git.Kill(); err != nil {
		t.Fatal(err)
	}
	for f.KilledAdvance() != lock { // until the kernel has closed its files
		time.Sleep(time.Millisecond)
	}
	if err := f.AdvanceBranch(t.Context(), "main", next, f.base); err != nil || f.git("rev-parse", "main") != next || f.git("status", "--porcelain") != "" {
		t.Errorf("after the kill: %v, %s", err, f.git("status", "--porcelain"))
	}
	left, err := filepath.Glob(filepath.Join(f.Repo.gitDir, "*advance*"))
	if err != nil || len(left) > 0 || exists(lock) {
		t.Errorf("%q stayed, %v", left, err)
	}
}

// TestRefLocksOfAKilledAdvance: locks that were made just after the mark of the move, and
// hold nothing or its commit, are its own; all others stay.
func TestRefLocksOfAKilledAdvance(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write(f.dir, "a.txt", "changed\n")
	f.git("add", "-A")
	next := f.git("commit-tree", "-p", f.base, "-m", "next", f.git("write-tree"))
	f.git("reset", "-q", "--hard", f.base)
	began := time.Now().Add(-time.Hour)
	mark := advanceMark(f.Repo.home(), next, f.base)
	head, branch := filepath.Join(f.Repo.gitDir, "HEAD.lock"), f.lockOf("refs/heads/main")
	for _, tt := range []struct {
		path, text string
		after      time.Duration
		stays      bool
	}{
		{head, "", time.Millisecond, false},
		{branch, next + "\n", 0, false},
		{branch, "", lockTime - 1, false},
		{branch, next + "\n", lockTime, true},
		{branch, next + "\n", -1, true},
		{branch, f.base + "\n", time.Millisecond, true},
		{head, "", time.Hour, true}, // of now
	} {
		if err := mark.begin(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(tt.path, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.Chtimes(mark.path, began, began), os.Chtimes(tt.path, began.Add(tt.after), began.Add(tt.after))); err != nil {
			t.Fatal(err)
		}
		mark.unlock(next, head, branch)
		if exists(tt.path) != tt.stays {
			t.Errorf("%s %q after %s stays: %t", tt.path, tt.text, tt.after, !tt.stays)
		}
		_ = os.Remove(tt.path)
	}
	if err := errors.Join(os.WriteFile(head, nil, 0o600), os.Chtimes(head, began, began)); err != nil {
		t.Fatal(err)
	}
	if err := f.AdvanceBranch(t.Context(), "main", next, f.base); err != nil || f.git("rev-parse", "HEAD") != next {
		t.Error(err)
	}
}
