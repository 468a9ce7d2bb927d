package codex

import (
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/testing/agenttest"
)

var update = flag.Bool("update", false, "write what is made of the recorded runs into their files")

func TestMain(m *testing.M) { agenttest.Main(m) }

func TestContract(t *testing.T) {
	t.Parallel()
	agenttest.Contract(t, agenttest.Subject{
		Driver:  Driver{},
		Reads:   `sandbox_mode="read-only"`,
		Writes:  []string{"workspace-write", "bypass"},
		Version: "0.169.0",
		Begin:   []string{`{"type":"thread.started","thread_id":"th-1"}`, `{"type":"turn.started"}`},
		Say: func(words string) string {
			return `{"type":"item.completed","item":{"id":"i0","type":"agent_message","text":` + words + `}}`
		},
		Work: []string{
			`{"type":"item.started","item":{"id":"i1","type":"command_execution","command":"make","aggregated_output":"","exit_code":null,"status":"in_progress"}}`,
			`{"type":"item.completed","item":{"id":"i1","type":"command_execution","command":"make","aggregated_output":"ok","exit_code":0,"status":"completed"}}`,
		},
		Running: []string{
			`{"type":"item.started","item":{"id":"i1","type":"command_execution","command":"sleep 1000","status":"in_progress"}}`,
		},
		Done: []string{
			`{"type":"item.completed","item":{"id":"i9","type":"agent_message","text":"All done."}}`,
			`{"type":"turn.completed","usage":{"input_tokens":3000,"cached_input_tokens":600,"output_tokens":150}}`,
		},
		Odd: []string{
			`  {"type":"item.completed","thread_id":7,"item":{"id":"i9","type":"agent_message","text":"All done.","status":3,"changes":{},"error":"none","command":["x"]}}`,
			`{"type":"turn.completed","message":[],"error":false,"usage":{"input_tokens":"3000","cached_input_tokens":599.5,"output_tokens":1.5e2,"reasoning_output_tokens":"many"}} `,
		},
		Trouble: []string{
			`{"type":"error","message":"Reconnecting... 1/5 (waiting)"}`,
			`{"type":"error","message":"Reconnecting... waiting for network (no route)"}`,
		},
		Provider: "waiting for network",
	})
}

func launch() stream.Launch { return stream.Launch{Tested: Driver{}.Tested()} }

func fresh(job agent.Job) stream.Dialect { return &dialect{now: job.Time} }

func TestRecordedRuns(t *testing.T) {
	t.Parallel()
	agenttest.Golden(t, *update, launch(), fresh)
}

func FuzzStream(f *testing.F) { agenttest.Fuzz(f, launch(), fresh) }

// The usage of a thread is its total: what it had before is not used again.
func TestResumedUsage(t *testing.T) {
	t.Parallel()
	total := `{"type":"item.completed","item":{"id":"i9","type":"agent_message","text":"x"}}
{"type":"turn.completed","usage":{"input_tokens":3000,"cached_input_tokens":600,"output_tokens":150}}`
	before := loop.Usage{InputTokens: new(int64(1400)), OutputTokens: new(int64(100)), CacheReadTokens: new(int64(400))}
	got := agenttest.Read(launch(), func(job agent.Job) stream.Dialect {
		return &dialect{now: job.Time, before: before}
	}, []byte(total), nil, agent.Run{}).Outcome.Usage
	if *got.InputTokens != 1000 || *got.OutputTokens != 50 || *got.CacheReadTokens != 200 {
		t.Errorf("used %d, %d, %d", *got.InputTokens, *got.OutputTokens, *got.CacheReadTokens)
	}
}

func TestResetAt(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("here", 2*60*60)
	now := time.Date(2026, 11, 20, 15, 30, 20, 0, zone)
	for message, want := range map[string]string{
		"You've hit your usage limit. Upgrade, or try again at 4:02 PM.": "2026-11-20T16:03:00+02:00",
		"try again at 3:30 PM.":                   "2026-11-20T15:31:00+02:00",
		"try again at 3:29 PM.":                   "2026-11-21T15:30:00+02:00",
		"try again at 12:05 AM.":                  "2026-11-21T00:06:00+02:00",
		"Or try again at Nov 23rd, 2026 4:45 PM.": "2026-11-23T16:46:00+02:00",
		"Or try again at Dec 1st, 2026 11:59 PM.": "2026-12-02T00:00:00+02:00",
		"try again at Feb 31st, 2026 4:45 PM.":    "",
		"try again at 13:45 PM.":                  "",
		"try again at 16:02.":                     "2026-11-20T16:03:00+02:00",
		"try again at 09:00":                      "2026-11-21T09:01:00+02:00",
		"Try again at Nov 23rd, 2026 16:45.":      "2026-11-23T16:46:00+02:00",
		"try again at 24:01.":                     "",
		"try again at 16:02:11.":                  "",
		"Try again in 3 days 4 hours.":            "2026-11-23T19:31:20+02:00",
		"try again in 4 days 23 hours 1 minute.":  "2026-11-25T14:32:20+02:00",
		"try again in 1 hour and 5 minutes":       "2026-11-20T16:36:20+02:00",
		"try again in an hour, 30 seconds.":       "2026-11-20T16:31:50+02:00",
		"try again in less than a minute.":        "2026-11-20T15:32:20+02:00",
		"try again in a while.":                   "",
		"You've hit your usage limit. Come back.": "",
	} {
		got := ""
		if at := resetAt(message, now); !at.IsZero() {
			got = at.Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", message, got, want)
		}
	}
}

func TestLongPrompt(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]loop.End{maxPrompt: loop.EndDone, maxPrompt + 1: loop.EndPermanent} {
		st := agenttest.NewStage(t, "codex", agenttest.Scene{Version: "0.169.0", Steps: []agenttest.Step{agenttest.Out(
			`{"type":"item.completed","item":{"id":"i9","type":"agent_message","text":"x"}}`, `{"type":"turn.completed"}`,
		)}})
		if err := os.WriteFile(st.Job.Prompt, []byte(strings.Repeat("é", n)), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := (Driver{}).Run(t.Context(), st.Job); err != nil || out.End != want {
			t.Errorf("%d characters: %+v, %v", n, out, err)
		}
	}
}

// Codex's own sandbox cannot start inside of Landlock rules: ralph's holds alone,
// for an agent and for a reviewer. Anywhere else both hold.
func TestOwnSandbox(t *testing.T) {
	t.Parallel()
	held, wrapped := &proc.Sandbox{Landlock: &proc.LandlockRules{}}, &proc.Sandbox{Wrapper: []string{"bwrap"}}
	for _, tt := range []struct {
		p    loop.Permissions
		in   *proc.Sandbox
		want bool
		mode string
	}{
		{loop.PermissionsDefault, held, true, "danger-full-access"},
		{loop.PermissionsRead, held, true, "danger-full-access"},
		{loop.PermissionsDefault, wrapped, false, "workspace-write"},
		{loop.PermissionsDefault, nil, false, "workspace-write"},
		{loop.PermissionsRead, wrapped, false, "read-only"},
		{loop.PermissionsSkip, held, false, "--dangerously-bypass-approvals-and-sandbox"},
	} {
		job := agent.Job{Agent: loop.Agent{Permissions: tt.p}, Sandbox: tt.in}
		alone := heldByLandlock(job)
		if line := strings.Join(argv(job.Agent, "", alone), " "); alone != tt.want || !strings.Contains(line, tt.mode) {
			t.Errorf("%s in %+v: %v, %s", tt.p, tt.in, alone, line)
		}
	}
}
