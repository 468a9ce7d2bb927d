package qwen

import (
	"context"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// Driver runs Qwen Code.
type Driver struct{}

var _ agent.Native = Driver{}

// Program is qwen.
func (Driver) Program() string { return "qwen" }

// Tested: the one version that was measured.
func (Driver) Tested() agent.Versions { return agent.Versions{From: "0.24", To: "0.24"} }

// Capabilities: no cost.
func (Driver) Capabilities() agent.Capabilities {
	return agent.Capabilities{Usage: true, Limits: true, Denials: true, Resume: true}
}

// looking are the flags of a read-only agent: no other tool of its own is there,
// whatever the user's settings allow, none that starts another agent, and no MCP
// server.
func looking() []string {
	out := []string{"--approval-mode", "default", "--allowed-mcp-server-names=none"}
	for _, tool := range []string{"read_file", "glob", "grep_search", "list_directory"} {
		out = append(out, "--core-tools="+tool)
	}
	for _, tool := range []string{"agent", "skill", "tool_call", "tool_search", "enter_worktree", "exit_worktree", "record_artifact", "send_message"} {
		out = append(out, "--exclude-tools="+tool)
	}
	return out
}

// CommandLine of a fresh session.
func (Driver) CommandLine(a loop.Agent) []string { return argv(a, "--session-id", "SESSION") }

func argv(a loop.Agent, session ...string) []string {
	out := append(agent.ProgramOf(a, "qwen"), "--output-format", "stream-json")
	out = append(out, session...)
	if a.Model != "" {
		out = append(out, "--model", a.Model)
	}
	switch a.Permissions {
	case loop.PermissionsSkip:
		out = append(out, "--approval-mode", "yolo")
	case loop.PermissionsRead:
		out = append(out, looking()...)
	default:
		out = append(out, "--approval-mode", "auto-edit", "--allowed-tools=run_shell_command")
	}
	return append(out, a.Args...)
}

// Run runs Qwen Code once.
func (d Driver) Run(ctx context.Context, job agent.Job) (loop.Outcome, error) {
	session, flag, used := agent.NewSession(), "--session-id", loop.Usage{}
	if job.Resume != nil {
		session, flag, used = job.Resume.Session, "--resume", job.Resume.Used
	}
	return stream.Run(ctx, job, stream.Launch{
		Argv: argv(job.Agent, flag, session), Session: session, Tested: d.Tested(), TempDir: true,
		Env: []string{"QWEN_CODE_NO_RELAUNCH=true", "QWEN_CODE_SUPPRESS_YOLO_WARNING=1"},
	}, &dialect{before: used})
}
