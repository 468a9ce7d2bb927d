package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// In a new home Landlock opens the folders of an agent's state.
func TestCreateStateDirs(t *testing.T) {
	t.Parallel()
	home, p := folders(t, "state")
	p.Env = append(p.Env, "XDG_STATE_HOME="+filepath.Join(home, "state"))
	p.CreateStateDirs("opencode")
	for _, name := range []string{".cache", ".config/opencode", ".local/share/opencode", "state/opencode"} {
		if info, err := os.Stat(filepath.Join(home, name)); err != nil || !info.IsDir() {
			t.Error(err)
		}
	}
	c := p.rules()
	if !writes(c, filepath.Join(home, ".local/share/opencode/x")) || !slices.Contains(p.landlock().Dirs, home) {
		t.Error(p.landlock().Dirs)
	}
	if _, err := os.Stat(filepath.Join(home, ".codex")); err == nil {
		t.Error("a folder of another agent")
	}
}
