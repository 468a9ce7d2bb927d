package worker_test

import (
	"strings"
	"testing"

	"ralph/internal/loop"
)

// A gate whose script does not find a function that the task asks for is red; one that lacks
// anything else cannot judge.
func TestAskedFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		task, run string
		status    loop.Status
	}{
		"a function of the task":   {"add tax NET to lib.sh", "sh check.sh", loop.StatusPassed},
		"a tool that is not there": {"make the check green", "sh check.sh", loop.StatusFailed},
		"a word of a path alone":   {"see docs/tax and ./tax.md", "sh check.sh", loop.StatusFailed},
		"the gate's own command":   {"add tax NET to lib.sh", ". ./lib.sh; tax 100", loop.StatusFailed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, writes("lib.sh", "tax() { echo $(($1 / 5)); }\n"))
			b.commit(t, map[string]string{"lib.sh": "twice() { echo $(($1 * 2)); }\n", "check.sh": "set -e\n. ./lib.sh\ngot=$(tax 100)\n[ \"$got\" = 20 ]\n"})
			b.spec.Task.Text, b.spec.Gates[0].Run = c.task, c.run
			s := b.drive(t)
			if s.Status != c.status || c.status == loop.StatusFailed && !strings.Contains(s.Message, "command not found: tax") {
				t.Errorf("%s: %s", s.Status, s.Message)
			}
		})
	}
}
