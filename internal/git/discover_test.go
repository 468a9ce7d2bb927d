package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Where Discover succeeds, it agrees with Open.
func TestDiscoverAgreesWithGit(t *testing.T) {
	t.Parallel()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(parts ...string) string { return filepath.Join(append([]string{top}, parts...)...) }
	run := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=n", "-c", "user.email=e@x"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	run(top, "init", "-q", "plain")
	run(at("plain"), "commit", "-q", "--allow-empty", "-m", "first")
	run(at("plain"), "worktree", "add", "-q", at("side"))
	run(top, "clone", "-q", "--bare", "plain", "bare.git")
	run(top, "clone", "-q", "--separate-git-dir", at("apart.git"), "plain", "apart")
	run(at("bare.git"), "worktree", "add", "-q", at("frombare"))
	for _, dir := range []string{"plain/deep/er", "side/sub"} {
		if err := os.MkdirAll(at(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for dir, want := range map[string]bool{
		"plain": true, "plain/deep/er": true, "side": true, "side/sub": true,
		"bare.git": false, "apart": false, "frombare": false, "plain/.git": false, "plain/.git/refs": false,
	} {
		place, ok := Discover(at(dir))
		if ok != want {
			t.Errorf("Peek(%s) answers %v", dir, ok)
		}
		repo, err := Open(t.Context(), at(dir))
		if ok && (err != nil || place.CommonDir != repo.CommonDir || place.MainRoot != repo.MainRoot) {
			t.Errorf("Peek(%s) = %+v, Open = %+v, %v", dir, place, repo, err)
		}
	}
	if _, ok := Discover(top); ok {
		t.Error("Peek finds a repository where there is none")
	}
}

func TestIgnored(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write(f.dir, ".git/info/exclude", "*.env\n")
	f.write(f.dir, "local.env", "SECRET=1")
	f.write(f.dir, "plain", "x")
	got, err := f.Ignored(t.Context(), []string{"local.env", "plain", "a.txt", "missing.env", "*.env"})
	if err != nil || len(got) != 1 || got[0] != "local.env" {
		t.Errorf("Ignored: %q, %v", got, err)
	}
}
