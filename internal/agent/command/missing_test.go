package command

import (
	"os"
	"path/filepath"
	"testing"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// TestMissingScript names the file that an interpreter could not open, and nothing
// where the command line is not that plain.
func TestMissingScript(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "there.sh"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"sh nosuch.sh": "nosuch.sh", "/bin/sh ./nosuch.sh --fast": "./nosuch.sh", "python3 /no/such.py": "/no/such.py",
		"sh there.sh": "", "sh -e nosuch.sh": "", "make nosuch.sh": "", "sh": "", "sh nosuch.sh || true": "", "sh $SCRIPT": "", "cd x; sh y": "",
	} {
		job := agent.Job{Tree: dir, Agent: loop.Agent{Shell: true, Argv: []string{line}}}
		if got := missingScript(job); got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
	if got := missingScript(agent.Job{Tree: dir, Agent: loop.Agent{Argv: []string{"sh", "no such.sh"}}}); got != "no such.sh" {
		t.Errorf("without a shell: %q", got)
	}
}
