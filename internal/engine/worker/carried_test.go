package worker

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ralph/internal/git"
	"ralph/internal/loop"
)

// newHistory returns a repository with one commit, a worker for it, and git in it.
func newHistory(t *testing.T) (dir string, w *Worker, run func(args ...string) string) {
	t.Helper()
	dir = t.TempDir()
	env := append(os.Environ(), "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=a@b")
	run = func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	run("init", "-q", "-b", "main")
	run("commit", "-q", "--allow-empty", "-m", "first")
	repo, err := git.OpenEnv(t.Context(), dir, env)
	if err != nil {
		t.Fatal(err)
	}
	return dir, &Worker{Repo: repo, Env: env}, run
}

// TestSecretsInNamesOfPeople: the author and the committer of a commit are texts of it too.
func TestSecretsInNamesOfPeople(t *testing.T) {
	t.Parallel()
	_, w, run := newHistory(t)
	token := "ghp_" + "R4nD0mQx7LmZ2vKpY9tBs6WcHu3JfEaG1iNo"
	s := loop.State{Spec: loop.Spec{Base: run("rev-parse", "HEAD")}}
	run("commit", "-q", "--allow-empty", "-m", "a", "--author", "N "+token+" <n@x>")
	run("commit", "-q", "--allow-empty", "-m", "b", "--author", "N <"+token+"@x>")
	tip := run("rev-parse", "HEAD")
	found, _, err := w.findSecrets(t.Context(), s, tip)
	want := "github-pat in the author of commit " + git.Short(run("rev-parse", "HEAD~1")) + "|github-pat in the author of commit " + git.Short(tip)
	if got := strings.Join(found, "|"); err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}

// TestSecretsOfTheUsersChanges: with --with-changes the user's own changes are the base of
// the work, and a merge brings them. They are searched, and refused before an attempt.
func TestSecretsOfTheUsersChanges(t *testing.T) {
	t.Parallel()
	dir, w, run := newHistory(t)
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "k.txt"), []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := loop.State{Spec: loop.Spec{ID: "x", Root: dir, Base: run("rev-parse", "HEAD"), Branch: "ralph/x", WithChanges: true}}
	head := s.Base
	write("key = ghp_" + "R4nD0mQx7LmZ2vKpY9tBs6WcHu3JfEaG1iNo")

	s.Secrets = loop.SecretsBlock
	if _, err := w.base(t.Context(), s); err == nil || !strings.Contains(err.Error(), "github-pat in k.txt:1") || strings.Contains(err.Error(), "ghp_") {
		t.Errorf("block: %v", err)
	}
	if got := run("for-each-ref"); strings.Contains(got, "ralph/x") {
		t.Errorf("block: %s", got)
	}

	s.Secrets = loop.SecretsWarn
	var err error
	if s.Base, err = w.base(t.Context(), s); err != nil || s.Base == head {
		t.Fatalf("warn: %s, %v", s.Base, err)
	}
	found, notes, err := w.findSecrets(t.Context(), s, s.Base)
	if err != nil || strings.Join(found, "|") != "github-pat in k.txt:1" || len(notes) != 1 {
		t.Errorf("warn: %q, %q, %v", found, notes, err)
	}

	s.Secrets, s.Base = loop.SecretsBlock, head
	write("key = none")
	if s.Base, err = w.base(t.Context(), s); err != nil || s.Base == head {
		t.Errorf("block without a secret: %s, %v", s.Base, err)
	}
	if found, _, err := w.findSecrets(t.Context(), s, s.Base); err != nil || len(found) > 0 {
		t.Errorf("block without a secret: %q, %v", found, err)
	}
}
