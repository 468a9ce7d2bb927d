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
	if _, err := Resolve(Sources{Project: &Source{Name: FileName, Data: []byte("version: 1\ncodec_key: /k\n")}}); err == nil || !strings.Contains(err.Error(), "only your own settings") {
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

// TestUsersCodecKey: the user's own file names the key of encryption.
func TestUsersCodecKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	env := []string{"XDG_CONFIG_HOME=" + dir, "HOME=/home/u"}
	if err := os.MkdirAll(filepath.Join(dir, "ralph"), 0o700); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"": "", "codec_key: /etc/ralph/key\n": "/etc/ralph/key", "codec_key: ~/team.key\n": "/home/u/team.key"} {
		if err := os.WriteFile(filepath.Join(dir, "ralph", "config.yaml"), []byte("version: 1\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := UsersCodecKey(env)
		if got = FromHome(got, env); err != nil || got != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "ralph", "config.yaml"), []byte("version: 1\ncodec_key: key\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := UsersCodecKey(env); err == nil {
		t.Errorf("taken as %q", got)
	}
}
