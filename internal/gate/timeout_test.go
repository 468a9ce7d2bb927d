package gate

import (
	"os/exec"
	"testing"

	"ralph/internal/loop"
)

// TestTimeoutOfCommand: a command that kills what takes it too long has failed.
func TestTimeoutOfCommand(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("timeout"); err != nil {
		t.Skip("no program timeout:", err)
	}
	for run, reason := range map[string]string{
		"timeout -s KILL 0.1 sleep 600":                                        "exit code 137",
		"true && timeout --preserve-status 0.1s sleep 600":                     "exit code 143",
		"timeout -k 0.1 0.1 sh -c 'trap \"\" TERM; while :; do sleep 1; done'": "exit code 137",
	} {
		p := newPlace(t, nil)
		want(t, p.run(loop.Gate{Kind: loop.KindCommand, Run: run}), loop.Failed, reason)
	}
}
