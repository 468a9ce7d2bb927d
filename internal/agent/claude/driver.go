package claude

import (
	"context"
	"os"
	"strconv"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// Driver runs Claude Code.
type Driver struct{}

var _ agent.Native = Driver{}

// Program is claude.
func (Driver) Program() string { return "claude" }

// Tested: the events are those of 2.1; later ones of that line only added some.
func (Driver) Tested() agent.Versions { return agent.Versions{From: "2.1", To: "2.1"} }

// Capabilities: everything is told.
func (Driver) Capabilities() agent.Capabilities {
	return agent.Capabilities{Usage: true, Cost: true, Limits: true, Denials: true, Resume: true}
}

// allowed are the tools that need no question by default: what edits files and
// runs commands in the tree.
const allowed = "Bash,Edit,Write,Read,Glob,Grep"

// looking are the tools of who may only read: no other is offered, whatever the
// person's settings allow, and no MCP server.
const looking = "Read,Glob,Grep"

// CommandLine of a fresh session.
func (Driver) CommandLine(a loop.Agent) []string { return argv(a, "SESSION", false) }

func argv(a loop.Agent, session string, resume bool) []string {
	out := append(agent.ProgramOf(a, "claude"), "-p", "--output-format", "stream-json", "--verbose")
	if resume {
		out = append(out, "--resume", session)
	} else {
		out = append(out, "--session-id", session)
	}
	if a.Model != "" {
		out = append(out, "--model", a.Model)
	}
	if a.MaxTurns > 0 {
		// Its own cap ends the run with a result; ours is one turn behind it.
		out = append(out, "--max-turns", strconv.Itoa(a.MaxTurns))
	}
	switch a.Permissions {
	case loop.PermissionsSkip:
		out = append(out, "--dangerously-skip-permissions")
	case loop.PermissionsRead:
		out = append(out, "--tools", looking, "--allowedTools", looking, "--strict-mcp-config", "--permission-mode", "dontAsk")
	default:
		out = append(out, "--allowedTools", allowed, "--permission-mode", "dontAsk")
	}
	return append(out, a.Args...)
}

// environment: no telemetry, no updates, and nothing left running behind the
// result that the gates would not wait for.
func environment() []string {
	return []string{
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1",
		"DISABLE_ERROR_REPORTING=1", "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS=1",
	}
}

// Run runs Claude Code once.
func (d Driver) Run(ctx context.Context, job agent.Job) (loop.Outcome, error) {
	if RootRefused(job.Agent, job.Env) {
		return loop.Outcome{End: loop.EndPermanent, Message: "Claude Code does not skip permissions for root; " +
			"in a container, set env: {IS_SANDBOX: \"1\"} for this agent"}, nil
	}
	session, resume := agent.NewSession(), job.Resume != nil
	if resume {
		session = job.Resume.Session
	}
	return stream.Run(ctx, job, stream.Launch{
		Argv: argv(job.Agent, session, resume), Env: environment(), Session: session, Tested: d.Tested(),
	}, &dialect{resumed: resume})
}

// RootRefused says that Claude Code would not start: it skips permissions for root
// only where it is told that it is held. Every run would end with one line on its
// standard error.
func RootRefused(a loop.Agent, env []string) bool {
	return a.Permissions == loop.PermissionsSkip && os.Geteuid() == 0 &&
		a.Env["IS_SANDBOX"] == "" && agent.Variable(env, "IS_SANDBOX") == ""
}
