package sandbox

import (
	"os"
	"path/filepath"
	"testing"
)

// Git directories of the user's other repositories are read-only also where
// they lie in writable folders.
func TestRepositoriesInDotFolders(t *testing.T) {
	t.Parallel()
	home, p := folders(t, ".other/.git/hooks", ".other/.git/ralph", ".local/share/sync/.git", ".config/app/.git", ".config/.git", ".vim-x/pack/.git",
		".cfg/objects", ".cfg/refs", ".local/share/x/repo/.git/worktrees/w", ".wt", ".cache/pre-commit/.git", ".codex/memories/.git", ".claude/.git",
		".local/state/ralph/worktrees/deep-1/agent-1", ".deep/er/and/more/.git/worktrees/agent-1")
	in := func(n string) string { return filepath.Join(home, n) }
	for name, text := range map[string]string{
		".cfg/HEAD": "ref: x\n", ".wt/.git": "gitdir: " + in(".local/share/x/repo/.git/worktrees/w") + "\n",
		".local/state/ralph/worktrees/deep-1/agent-1/.git": "gitdir: " + in(".deep/er/and/more/.git/worktrees/agent-1") + "\n",
	} {
		if err := os.WriteFile(in(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := p.rules()
	for path, want := range marked(
		[]string{
			".other/.git/hooks/pre-commit", ".other/.git/config", ".other/.git/ralph/ralph.db", ".local/share/sync/.git/config", ".config/app/.git/config",
			".config/.git/config", ".vim-x/pack/.git/config", ".cfg/config", ".wt/.git", ".local/share/x/repo/.git/config", ".claude/.git/config", ".deep/er/and/more/.git/config",
		},
		[]string{".other/f", ".config/app/f", ".wt/f", ".cache/pre-commit/.git/config", ".codex/memories/.git/index", ".claude/f", ".deep/er/and/more/f"},
	) {
		if got := writes(c, in(path)); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// So are those in folders that the user lets agents write; only listing the
// git directory itself opens it.
func TestRepositoriesInWrittenFolders(t *testing.T) {
	t.Parallel()
	home, p := folders(t, "src/a/.git/hooks", "src/team/b/.git", "own/.git", "bare/objects", "bare/refs", "meant/.git")
	in := func(n string) string { return filepath.Join(home, n) }
	if err := os.WriteFile(in("bare/HEAD"), []byte("ref: x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"src", "own", "bare", "meant", "meant/.git"} {
		p.Write = append(p.Write, in(name))
	}
	c := p.withGitDirs()
	for path, want := range marked(
		[]string{"src/a/.git/hooks/pre-commit", "src/a/.git/config", "src/team/b/.git/config", "own/.git/config"},
		[]string{"src/f", "src/a/f", "src/team/b/f", "own/f", "bare/config", "meant/.git/config", "meant/f"},
	) {
		if got := writes(c, in(path)); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}
