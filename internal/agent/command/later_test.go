//go:build unix

package command

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"ralph/internal/agent"
	"ralph/internal/loop"
	"ralph/internal/testing/agenttest"
)

// TestMain: the command runs under the shim, which is this binary.
func TestMain(m *testing.M) { agenttest.Main(m) }

// TestLater runs commands that report a provider which does not serve. Only the exit code
// makes the line count.
func TestLater(t *testing.T) {
	t.Parallel()
	reset := time.Date(2026, 11, 27, 18, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		script string
		want   loop.Outcome
	}{
		"limited":       {"echo RALPH_PROVIDER limited until=2026-11-27T18:00:00Z the weekly limit; exit 75", loop.Outcome{End: loop.EndLimit, Provider: loop.Limited, ResetAt: reset, Message: "the weekly limit"}},
		"on stderr":     {"echo working; echo RALPH_PROVIDER limited until=2026-11-27T19:00:00+01:00 >&2; exit 75", loop.Outcome{End: loop.EndLimit, Provider: loop.Limited, ResetAt: reset, Message: "the agent's command reports its provider as limited"}},
		"throttled":     {"echo RALPH_PROVIDER throttled slow down; exit 75", loop.Outcome{End: loop.EndTransient, Provider: loop.Throttled, Message: "slow down"}},
		"down":          {"echo RALPH_PROVIDER down; exit 75", loop.Outcome{End: loop.EndTransient, Provider: loop.Down, Message: "the agent's command reports its provider as down"}},
		"no login":      {"echo RALPH_PROVIDER no_login run my-agent login; exit 75", loop.Outcome{End: loop.EndPermanent, Provider: loop.NoLogin, Message: "run my-agent login"}},
		"unknown time":  {"echo RALPH_PROVIDER limited until=tomorrow; exit 75", loop.Outcome{End: loop.EndLimit, Provider: loop.Limited, Message: "until=tomorrow"}},
		"unknown word":  {"echo RALPH_PROVIDER limitd; exit 75", loop.Outcome{End: loop.EndTransient, Message: "not one of limited, throttled, down, no_login: RALPH_PROVIDER limitd"}},
		"the code only": {"echo locked; exit 75", loop.Outcome{End: loop.EndTransient, Message: "exit code 75: locked"}},
		"the line only": {"echo RALPH_PROVIDER down; exit 1", loop.Outcome{End: loop.EndFailed, Message: "exit code 1: RALPH_PROVIDER down"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			job := agent.Job{
				Tree: dir, Prompt: filepath.Join(dir, "prompt"), RunDir: dir, RunID: "run", Raw: filepath.Join(dir, "out"), Env: os.Environ(),
				Agent: loop.Agent{Shell: true, Argv: []string{c.script}},
			}
			if err := os.WriteFile(job.Prompt, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := Driver{}.Run(t.Context(), job)
			if err != nil {
				t.Fatal(err)
			}
			if got.End != c.want.End || got.Provider != c.want.Provider || !got.ResetAt.Equal(c.want.ResetAt) || got.Message != c.want.Message {
				t.Errorf("got %s %q %s %q, want %s %q %s %q", got.End, got.Provider, got.ResetAt, got.Message, c.want.End, c.want.Provider, c.want.ResetAt, c.want.Message)
			}
		})
	}
}
