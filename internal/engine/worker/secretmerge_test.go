package worker

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"ralph/internal/git"
	"ralph/internal/loop"
)

// TestSecretsOfMerges: a secret that a merge adds is found beside lines that it removes,
// and so is one in a later commit.
func TestSecretsOfMerges(t *testing.T) {
	t.Parallel()
	const secret = "key = ghp_aSbAm6bKpRx0XAySTTbqV4VcbW6DwXFjB0xE\n"
	for name, row := range map[string]struct {
		merged, later map[string]string
		want          string
	}{
		"in place of the last line": {map[string]string{"a.txt": "one\n" + secret}, nil, "github-pat in a.txt:2"},
		"in a later commit": {
			map[string]string{"a.txt": "one\n"}, map[string]string{"b.txt": secret}, "github-pat in b.txt:1",
		},
		"in another file of the merge": {
			map[string]string{"a.txt": "one\n", "z.txt": secret}, nil, "github-pat in z.txt:1",
		},
		"as the only line": {map[string]string{"a.txt": secret}, nil, "github-pat in a.txt:1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			env := append(os.Environ(), "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=a@b")
			run := func(args ...string) {
				t.Helper()
				cmd := exec.Command("git", args...)
				cmd.Dir, cmd.Env = dir, env
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("git %v: %v: %s", args, err, out)
				}
			}
			write := func(files map[string]string) {
				for name, text := range files {
					if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				run("add", "-A")
			}
			run("init", "-q", "-b", "main")
			write(map[string]string{"a.txt": "one\ntwo\n"})
			run("commit", "-qm", "first")
			repo, err := git.OpenEnv(t.Context(), dir, env)
			if err != nil {
				t.Fatal(err)
			}
			head := func() string {
				h, err := repo.Head(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				return h.Commit
			}
			s := loop.State{}
			s.Base = head()
			run("checkout", "-qb", "side")
			write(map[string]string{"side.txt": "side\n"})
			run("commit", "-qm", "side")
			run("checkout", "-q", "main")
			run("merge", "-q", "--no-ff", "--no-commit", "side")
			write(row.merged)
			run("commit", "-qm", "merge")
			write(row.later)
			run("commit", "-q", "--allow-empty", "-m", "later")
			got, _, err := (&Worker{Repo: repo, Env: env}).findSecrets(t.Context(), s, head())
			if err != nil || len(got) != 1 || got[0] != row.want {
				t.Errorf("found %q, %v; want %q", got, err, row.want)
			}
		})
	}
}
