package launch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/cli/exit"
	"ralph/internal/config"
	"ralph/internal/loop"
)

// TestBudgetSettings: an amount whose form tells its unit needs no name, and a
// level that is named wins over the command's own.
func TestBudgetSettings(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]config.Setting{
		"5USD":               {Key: "budget.task.money", Value: "5USD"},
		"$5":                 {Key: "budget.task.money", Value: "$5"},
		"2M":                 {Key: "budget.task.tokens", Value: "2M"},
		"90m":                {Key: "budget.task.wall", Value: "90m"},
		"attempts=20":        {Key: "budget.task.attempts", Value: "20"},
		"session.money=20":   {Key: "budget.session.money", Value: "20"},
		"plan.wall= 8h":      {Key: "budget.plan.wall", Value: "8h"},
		"5":                  {},
		"":                   {},
		"stars=5":            {},
		"galaxy.money=5":     {},
		"task.money.more=5":  {},
		"money.attempts=5":   {},
		"plan.attempts=5USD": {Key: "budget.plan.attempts", Value: "5USD"}, // refused where values are read
	} {
		got, err := BudgetSettings(loop.TaskLevel, []string{value})
		if want.Key == "" {
			if err == nil || exit.Classify(err).Code != exit.Usage {
				t.Errorf("%q: %v, %v; want a usage error", value, got, err)
			}
			continue
		}
		want.Flag = "--budget"
		if d := cmp.Diff([]config.Setting{want}, got); d != "" || err != nil {
			t.Errorf("%q: %v (-want +got):\n%s", value, err, d)
		}
	}
}

// TestUntilGates: each command of --until is a hard gate with a name of its own,
// in the folder that the command was called in.
func TestUntilGates(t *testing.T) {
	t.Parallel()
	got, err := UntilGates([]string{"go test ./...", "make lint"}, "sub")
	if err != nil || len(got) != 2 {
		t.Fatalf("%v, %v", got, err)
	}
	for i, name := range []string{"until", "until-2"} {
		if got[i].Name != name || got[i].Level != loop.Hard || got[i].Dir != "sub" || got[i].Timeout.Hard <= 0 {
			t.Errorf("gate %d: %+v", i, got[i])
		}
	}
	if _, err := UntilGates([]string{"true", " "}, ""); err == nil || exit.Classify(err).Code != exit.Usage {
		t.Errorf("an empty command: %v", err)
	}
}

// TestNoGates: the hint names what would have been possible.
func TestNoGates(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	err := exit.Classify(noGates(nil, root))
	if err.Code != exit.Config || err.Hint != `say how done is recognised: --until "COMMAND", or write gates into ralph.yaml: ralph init` {
		t.Errorf("%d %s", err.Code, err.Hint)
	}
	if err := os.WriteFile(filepath.Join(root, "ralph.yaml"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := exit.Classify(noGates(nil, root)); strings.Contains(err.Hint, "ralph init") || !strings.Contains(err.Hint, "add the key gates to ralph.yaml") {
		t.Errorf("with a file: %s", err.Hint)
	}
}

// TestScale: a multiplier reaches every timeout of a loop, and of its gates.
func TestScale(t *testing.T) {
	t.Parallel()
	minute := loop.Deadline{Hard: time.Minute}
	s := loop.Spec{Gates: []loop.Gate{{Timeout: minute}}}
	s.Limits.Attempt, s.Limits.Loop, s.Limits.Session = minute, minute, minute
	scale(&s, 2)
	for name, got := range map[string]loop.Deadline{
		"attempt": s.Limits.Attempt, "loop": s.Limits.Loop, "session": s.Limits.Session, "gate": s.Gates[0].Timeout,
	} {
		if got.Hard != 2*time.Minute {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestNameFor: an agent is named after its program where the line has one.
func TestNameFor(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"my-agent --fast": "my-agent", "MODE=x U= my-agent -p": "my-agent", "./a=b": "a=b", "U=x": "command", "/opt/bin/agent -p": "agent", "": "command", "a | b": "command", "cd x; y": "command",
	} {
		if got := nameFor(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// TestTaskID: a task without a letter of the alphabet still has an id.
func TestTaskID(t *testing.T) {
	t.Parallel()
	if got := TaskID("Fix the login"); got != "fix-the-login" {
		t.Error(got)
	}
	if a, b := TaskID("修复登录"), TaskID("修复注销"); a == b || loop.ValidID(a) != nil {
		t.Errorf("%q and %q", a, b)
	}
}

// TestOfOneLoop: the flags that a plan refuses are named.
func TestOfOneLoop(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]Flags{
		"": {}, "--in-place": {inPlace: true}, "--with-changes": {withChanges: true}, "--loop-id": {LoopID: "x"},
	} {
		if got := f.OfOneLoop(); got != want {
			t.Errorf("%+v: %q, want %q", f, got, want)
		}
	}
}
