package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEngineIsTheUsers: only the user's own file selects an engine.
func TestEngineIsTheUsers(t *testing.T) {
	t.Parallel()
	const line = "engine: temporal://host:7233/x\n"
	if _, err := Resolve(Sources{Project: &Source{Name: FileName, Data: []byte("version: 1\n" + line)}}); err == nil || !strings.Contains(err.Error(), "only your own settings") {
		t.Errorf("of a repository: %v", err)
	}
	dir := t.TempDir()
	env := []string{"XDG_CONFIG_HOME=" + dir, "RALPH_ENGINE=temporal://other:1"}
	for text, want := range map[string]string{"": "", line: "temporal://host:7233/x", "engine: local\n": "local", "bus: engine.jsonl\n": ""} {
		if err := os.MkdirAll(filepath.Join(dir, "ralph"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "ralph", "config.yaml"), []byte("version: 1\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := UsersEngine(env); err != nil || got != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "ralph", "config.yaml"), []byte("version: 1\nengine: nowhere\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := UsersEngine(env); err == nil {
		t.Errorf("taken as %q", got)
	}
}
