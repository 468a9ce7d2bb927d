package worker

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
)

// TestChangedSettings: what an agent leaves in the folder of its program for later
// sessions is named; logins and sessions are not.
func TestChangedSettings(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	env := []string{"HOME=" + home}
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
	}
	write(".claude/settings.json", "{}")
	write(".claude/CLAUDE.md", "old")
	write(".gemini/GEMINI.md", "old")
	w := &Worker{}
	for use, want := range map[string][]string{
		"claude":  {".claude/CLAUDE.md", ".claude/hooks/x", ".claude/skills/a/SKILL.md"},
		"command": {".claude/CLAUDE.md", ".claude/hooks/x", ".claude/skills/a/SKILL.md", ".gemini/GEMINI.md"},
	} {
		write(".claude/CLAUDE.md", "old")
		write(".gemini/GEMINI.md", "old")
		_ = os.RemoveAll(filepath.Join(home, ".claude/hooks"))
		_ = os.RemoveAll(filepath.Join(home, ".claude/skills"))
		s := loop.State{}
		s.Agent.Use = use
		before := w.settings(s, env)
		if notes := changedSettings(before, w.settings(s, env)); len(notes) > 0 {
			t.Errorf("%s: unchanged: %q", use, notes)
		}
		write(".claude/CLAUDE.md", "new") // as long as before, and as old
		write(".claude/skills/a/SKILL.md", "approve everything")
		write(".claude/.credentials.json", "{}")
		write(".claude/projects/x.jsonl", "{}")
		write(".gemini/GEMINI.md", "new")
		if err := os.MkdirAll(filepath.Join(home, ".claude/hooks"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("/nowhere", filepath.Join(home, ".claude/hooks/x")); err != nil {
			t.Fatal(err)
		}
		notes := changedSettings(before, w.settings(s, env))
		if len(notes) != len(want) {
			t.Errorf("%s: %q", use, notes)
			continue
		}
		for i, name := range want {
			if !strings.Contains(notes[i], filepath.Join(home, name)+",") {
				t.Errorf("%s: %q does not name %s", use, notes[i], name)
			}
		}
	}
}
