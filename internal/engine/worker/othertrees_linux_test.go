package worker

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/sandbox"
)

// TestTreesOfOthersMayVanish: the room of an agent needs its own worktree; that of
// another loop may be removed before the room is made.
func TestTreesOfOthersMayVanish(t *testing.T) {
	t.Parallel()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "HOME="+home, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=a@b")
	root, own, other := filepath.Join(home, "repo"), filepath.Join(home, "trees", "own"), filepath.Join(home, "trees", "other")
	if err := os.Mkdir(root, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"init", "-q"},
		{"commit", "-q", "--allow-empty", "-m", "first"},
		{"worktree", "add", "-q", "--detach", own},
		{"worktree", "add", "-q", "--detach", other},
	} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = root, env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	repo, err := git.OpenEnv(t.Context(), root, env)
	if err != nil {
		t.Fatal(err)
	}
	w := &Worker{Repo: repo, Env: env, Files: engine.Layout{Dir: filepath.Join(home, "loop")}}
	t.Cleanup(w.dropKept)
	s := loop.State{Worktree: own}
	s.Agent.Use = "command"
	p := sandbox.Profile{Grants: []string{own}, Protected: append([]string{root}, repo.TreePaths()...), Env: []string{"HOME=" + home}, Temp: t.TempDir()}
	spec, err := w.agentHome(s, p, filepath.Join(t.TempDir(), "layer"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, m := range spec.Mounts {
		if m.Optional != (m.At == other) {
			t.Errorf("%s is optional: %v", m.At, m.Optional)
		}
		found[m.At] = true
	}
	if !found[own] || !found[other] || !found[root] {
		t.Errorf("mounts: %+v", spec.Mounts)
	}
	w.TreeRoot = filepath.Join(home, "trees")
	if beside := w.treesBeside(own); !slices.Equal(beside, []string{other}) {
		t.Errorf("beside %s are %q, want %s", own, beside, other)
	}
	if err := os.RemoveAll(other); err != nil {
		t.Fatal(err)
	}
	if _, err := w.agentHome(s, p, filepath.Join(t.TempDir(), "layer")); err != nil {
		t.Errorf("a worktree was removed meanwhile: %v", err)
	}
	if beside := w.treesBeside(own); len(beside) > 0 {
		t.Errorf("beside %s are %q, which was removed", own, beside)
	}
}

// TestTreesOfOtherRepositories: below "worktrees" each folder is of a repository.
func TestTreesOfOtherRepositories(t *testing.T) {
	t.Parallel()
	state, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	own, other := filepath.Join(state, "worktrees", "a"), filepath.Join(state, "worktrees", "b")
	for _, dir := range []string{own, other, filepath.Join(state, "own", "a"), filepath.Join(state, "own", "b")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w := &Worker{Repo: &git.Repo{CommonDir: state}, TreeRoot: own}
	if beside := w.treesBeside(filepath.Join(own, "gate-1")); !slices.Equal(beside, []string{other}) {
		t.Errorf("%q, want %s", beside, other)
	}
	w.TreeRoot = filepath.Join(state, "own", "a")
	if beside := w.treesBeside(filepath.Join(w.TreeRoot, "gate-1")); len(beside) > 0 {
		t.Errorf("%q may be anything", beside)
	}
}
