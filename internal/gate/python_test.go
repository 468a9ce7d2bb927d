package gate

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/testing/runnable"
	"ralph/internal/testing/tier"
)

// The interpreter behind the gate's command is asked, not another one.
func TestAskForModule(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		tier.SkipLacking(t, "python3", err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		// An interpreter that has a module "rare".
		".venv/bin/python": "#!/bin/sh\nPYTHONPATH=" + dir + "/rare-site exec " + python + " \"$@\"\n", "rare-site/rare.py": "",
		"bin/pytest": "#!" + dir + "/.venv/bin/python\n", "bin/plain": "#!/usr/bin/env python3\n", "bin/uv": "#!/bin/sh\nshift\nexec " + dir + "/.venv/bin/python \"${@#python}\"\n",
		"space/keep.py": "",
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := runnable.Write(filepath.Join(dir, name), text); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		run, module string
		want        bool
	}{
		{"pytest -q", "rare", true},
		{"PYTHONPATH=src pytest -q", "rare", true},
		{"cd sub && ../.venv/bin/python -m pytest", "rare", true},
		{"make test", "rare", true},
		{"plain && make test", "rare", false},
		{"python3 -m pytest", "rare", false},
		{python + " -m pytest", "rare", false},
		{"python3 -m pytest", "json", true},
		{"python3 -m pytest", "nowhere", false},
		{"python3 -m pytest", "space", false},
		{"pytest '$(touch made)' \"`touch made`\"", "nowhere", false},
	} {
		g := AskForModule(loop.Gate{Kind: loop.KindTests, Run: c.run}, c.module)
		cmd := exec.Command("sh", "-c", g.Run)
		cmd.Dir, cmd.Env = dir, []string{"PATH=" + dir + "/bin:" + os.Getenv("PATH")}
		out, _ := cmd.Output()
		if got := HasModule(out); got != c.want {
			t.Errorf("%s: %s: %v: %s", c.run, c.module, got, out)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "made")); err == nil {
		t.Error("a word of the command was run")
	}
}
