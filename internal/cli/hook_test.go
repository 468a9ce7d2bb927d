package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ralph/internal/cli"
	"ralph/internal/cli/command"
	"ralph/internal/testing/tier"
)

// held is a repository in which a session has begun a loop.
func held(t *testing.T) (run func(stdin string, args ...string) (int, string)) {
	t.Helper()
	dir := t.TempDir()
	env := append(os.Environ(), "RALPH_TRUST=1", "HOME="+dir, "XDG_STATE_HOME="+filepath.Join(dir, "state"), "GIT_CONFIG_NOSYSTEM=1", "RALPH_SESSION=", "CLAUDE_CODE_SESSION_ID=", "CODEX_SESSION_ID=", "CODEX_THREAD_ID=")
	repo := filepath.Join(dir, "repo")
	for _, args := range [][]string{
		{"init", "-q", repo},
		{"-C", repo, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"},
	} {
		cmd := exec.Command("git", args...)
		cmd.Env = env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git: %v: %s", err, out)
		}
	}
	config := "version: 1\ngates:\n  tests: {run: \"test -e ok\", parse: exit}\n"
	if err := os.WriteFile(filepath.Join(repo, "ralph.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return func(stdin string, args ...string) (int, string) {
		var out bytes.Buffer
		code := cli.Main(args, command.Streams{In: strings.NewReader(stdin), Out: &out, Err: &bytes.Buffer{}, Env: env, Dir: repo}, cli.Options{})
		return code, out.String()
	}
}

// TestManyStops: whatever a session does, it is held twice and then let go, and
// nothing grows. A thousand of them in the long tests.
func TestManyStops(t *testing.T) {
	t.Parallel()
	stops := 150
	if tier.Long() {
		stops = 1000
	}
	run := held(t)
	if code, out := run("", "loop", "init", "--gate", "tests", "--session", "s"); code != 0 {
		t.Fatalf("init: %d %s", code, out)
	}
	blocks := 0
	for range stops {
		code, out := run(`{"session_id":"s","stop_hook_active":true}`, "hook", "stop")
		if code != 0 {
			t.Fatalf("exit code %d: %s", code, out)
		}
		if strings.Contains(out, `"decision":"block"`) {
			blocks++
		}
	}
	if blocks != 2 {
		t.Errorf("%d of %d stops were blocked, want 2", blocks, stops)
	}
}

// FuzzHookInput: what an agent writes to a hook can be anything.
func FuzzHookInput(f *testing.F) {
	for _, seed := range []string{"", "{}", `{"session_id":"s"}`, `{"session_id":7}`, `[]`, `{"session_id":"s","cwd":"/"}`, `{"cwd":"\u0000"}`, "\xff\xfe"} {
		f.Add(seed)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, in string) {
		for _, hook := range []string{"stop", "session-start"} {
			var out bytes.Buffer
			code := cli.Main([]string{"hook", hook}, command.Streams{In: strings.NewReader(in), Out: &out, Err: &bytes.Buffer{}, Dir: dir}, cli.Options{})
			if code != 0 || strings.Contains(out.String(), "block") {
				t.Errorf("%s of %q: %d %s", hook, in, code, out.String())
			}
		}
	})
}
