package opencode

import (
	"context"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// Driver runs opencode.
type Driver struct{}

var _ agent.Native = Driver{}

// Program is opencode.
func (Driver) Program() string { return "opencode" }

// Tested: the one version that was measured.
func (Driver) Tested() agent.Versions { return agent.Versions{From: "1.18", To: "1.18"} }

// Capabilities: a limit is not told apart from too many requests.
func (Driver) Capabilities() agent.Capabilities {
	return agent.Capabilities{Usage: true, Cost: true, Denials: true, Resume: true}
}

// CommandLine of a fresh session.
func (Driver) CommandLine(a loop.Agent) []string { return argv(a, "") }

func argv(a loop.Agent, resume string) []string {
	out := append(agent.ProgramOf(a, "opencode"), "run", "--format", "json", "--print-logs", "--title", "ralph")
	if resume != "" {
		out = append(out, "--session", resume)
	}
	if a.Model != "" {
		out = append(out, "--model", a.Model)
	}
	switch a.Permissions {
	case loop.PermissionsSkip:
		out = append(out, "--auto")
	case loop.PermissionsRead:
		out = append(out, "--agent", Reader)
	}
	return append(out, a.Args...)
}

// Run runs opencode once.
func (d Driver) Run(ctx context.Context, job agent.Job) (loop.Outcome, error) {
	resume := ""
	if job.Resume != nil {
		resume = job.Resume.Session
	}
	env := Settle(&job)
	job.Patience.Stall = max(job.Patience.Stall, job.Patience.Tool) // a tool at work cannot be told from silence
	return stream.Run(ctx, job, stream.Launch{
		Argv: argv(job.Agent, resume), Env: env, Session: resume, Tested: d.Tested(),
		Ask: agent.ProgramOf(job.Agent, "opencode"), TempDir: true,
		// A compacted conversation goes on after a step that looked like the last.
		Linger: 12,
	}, &dialect{})
}
