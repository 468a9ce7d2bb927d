package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// In a home that an agent has never seen Landlock opens what it keeps its state in.
func TestSettle(t *testing.T) {
	t.Parallel()
	home, p := folders(t, "state")
	p.Env = append(p.Env, "XDG_STATE_HOME="+filepath.Join(home, "state"))
	p.Settle("opencode")
	for _, name := range []string{".cache", ".config/opencode", ".local/share/opencode", "state/opencode"} {
		if info, err := os.Stat(filepath.Join(home, name)); err != nil || !info.IsDir() {
			t.Error(err)
		}
	}
	c := p.claims()
	if !writes(c, filepath.Join(home, ".local/share/opencode/x")) || !slices.Contains(p.walls().Dirs, home) {
		t.Error(p.walls().Dirs)
	}
	if _, err := os.Stat(filepath.Join(home, ".codex")); err == nil {
		t.Error("a folder of an agent that is not asked")
	}
}
