package copilot

import (
	"context"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// Driver runs GitHub Copilot CLI.
type Driver struct{}

var _ agent.Native = Driver{}

// Program is copilot.
func (Driver) Program() string { return "copilot" }

// Tested: the one version that was measured.
func (Driver) Tested() agent.Versions { return agent.Versions{From: "1.0", To: "1.0"} }

// Capabilities: no cost, which it counts in requests.
func (Driver) Capabilities() agent.Capabilities {
	return agent.Capabilities{Usage: true, Limits: true, Denials: true, Resume: true}
}

// looking are the only tools that a read-only agent is offered.
const looking = "view,grep,glob"

// CommandLine of a fresh session.
func (Driver) CommandLine(a loop.Agent) []string { return argv(a, "--session-id=SESSION") }

func argv(a loop.Agent, session string) []string {
	out := append(agent.ProgramOf(a, "copilot"), "--output-format", "json", "--no-ask-user", "--no-color",
		"--no-auto-update", "--no-remote", "--disable-client-telemetry", session)
	if a.Model != "" {
		out = append(out, "--model", a.Model)
	}
	switch a.Permissions {
	case loop.PermissionsSkip:
		out = append(out, "--allow-all")
	case loop.PermissionsRead:
		out = append(out, "--available-tools="+looking, "--disable-builtin-mcps")
	default:
		out = append(out, "--allow-tool=shell", "--allow-tool=write")
	}
	return append(out, a.Args...)
}

// Run runs Copilot once.
func (d Driver) Run(ctx context.Context, job agent.Job) (loop.Outcome, error) {
	session, flag, used := agent.NewSession(), "--session-id=", loop.Usage{}
	if job.Resume != nil {
		session, flag, used = job.Resume.Session, "--resume=", job.Resume.Used
	}
	return stream.Run(ctx, job, stream.Launch{
		Argv: argv(job.Agent, flag+session), Session: session, Tested: d.Tested(),
		Ask: agent.ProgramOf(job.Agent, "copilot"), TempDir: true, Report: "--usage-output-file",
	}, &dialect{before: used})
}
