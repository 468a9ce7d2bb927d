package gemini

import (
	"context"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// Driver runs Gemini CLI.
type Driver struct{}

var _ agent.Native = Driver{}

// Program is gemini.
func (Driver) Program() string { return "gemini" }

// Tested: the one version that was measured.
func (Driver) Tested() agent.Versions { return agent.Versions{From: "0.61", To: "0.61"} }

// Capabilities: no cost.
func (Driver) Capabilities() agent.Capabilities {
	return agent.Capabilities{Usage: true, Limits: true, Denials: true, Resume: true}
}

// CommandLine of a fresh session.
func (Driver) CommandLine(a loop.Agent) []string { return argv(a, "--session-id", "SESSION") }

func argv(a loop.Agent, session ...string) []string {
	out := append(agent.ProgramOf(a, "gemini"), "--output-format", "stream-json", "--skip-trust")
	out = append(out, session...)
	if a.Model != "" {
		out = append(out, "--model", a.Model)
	}
	switch a.Permissions {
	case loop.PermissionsSkip:
		out = append(out, "--approval-mode", "yolo")
	case loop.PermissionsRead:
		out = append(out, "--approval-mode", "default") // nobody is there to be asked
	default:
		out = append(out, "--approval-mode", "auto_edit", "--allowed-tools=run_shell_command")
	}
	return append(out, a.Args...)
}

// Quiet are the variables that it is run with, in each of its modes.
func Quiet() []string {
	return []string{"GEMINI_CLI_NO_RELAUNCH=true", "GEMINI_CLI_TRUST_WORKSPACE=true", "GEMINI_TELEMETRY_ENABLED=false"}
}

// Run runs Gemini CLI once.
func (d Driver) Run(ctx context.Context, job agent.Job) (loop.Outcome, error) {
	session, flag := agent.NewSession(), "--session-id"
	if job.Resume != nil {
		session, flag = job.Resume.Session, "--resume"
	}
	return stream.Run(ctx, job, stream.Launch{
		Argv: argv(job.Agent, flag, session), Env: Quiet(), Session: session,
		Tested: d.Tested(), Ask: agent.ProgramOf(job.Agent, "gemini"), TempDir: true,
	}, &dialect{})
}
