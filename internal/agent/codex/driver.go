package codex

import (
	"context"
	"fmt"
	"os"
	"unicode/utf8"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// Driver runs Codex.
type Driver struct{}

var _ agent.Native = Driver{}

// Program is codex.
func (Driver) Program() string { return "codex" }

// Tested: the one version that was measured.
func (Driver) Tested() agent.Versions { return agent.Versions{From: "0.169", To: "0.169"} }

// Capabilities: no cost; refused writes of its sandbox are not told.
func (Driver) Capabilities() agent.Capabilities {
	return agent.Capabilities{Usage: true, Limits: true, Denials: true, Resume: true}
}

// CommandLine of a fresh thread.
func (Driver) CommandLine(a loop.Agent) []string { return argv(a, "") }

// argv: what a resumed thread does not take as a flag is given as a setting.
func argv(a loop.Agent, resume string) []string {
	out := append(agent.ProgramOf(a, "codex"), "exec")
	if resume != "" {
		out = append(out, "resume")
	}
	out = append(out, "--json", "--skip-git-repo-check",
		"-c", "check_for_update_on_startup=false", "-c", "analytics.enabled=false")
	if a.Model != "" {
		out = append(out, "--model", a.Model)
	}
	switch a.Permissions {
	case loop.PermissionsSkip:
		out = append(out, "--dangerously-bypass-approvals-and-sandbox")
	case loop.PermissionsRead:
		out = append(out, "-c", `sandbox_mode="read-only"`, "-c", `approval_policy="never"`)
	default:
		out = append(out, "-c", `sandbox_mode="workspace-write"`, "-c", `approval_policy="never"`)
	}
	out = append(out, a.Args...)
	if resume != "" {
		out = append(out, resume)
	}
	return append(out, "-")
}

// maxPrompt is how many characters it reads.
const maxPrompt = 1 << 20

// Run runs Codex once.
func (d Driver) Run(ctx context.Context, job agent.Job) (loop.Outcome, error) {
	if n, err := characters(job.Prompt); err != nil {
		return loop.Outcome{}, fmt.Errorf("read the prompt: %w", err)
	} else if n > maxPrompt {
		return loop.Outcome{End: loop.EndPermanent, Message: fmt.Sprintf("the prompt has %d characters; Codex takes %d", n, maxPrompt)}, nil
	}
	resume, used := "", loop.Usage{}
	if job.Resume != nil {
		resume, used = job.Resume.Session, job.Resume.Used
	}
	return stream.Run(ctx, job, stream.Launch{
		Argv: argv(job.Agent, resume), Tested: d.Tested(), Ask: agent.ProgramOf(job.Agent, "codex"),
	}, &dialect{model: job.Agent.Model, before: used, now: job.Time})
}

// characters counts those of a file; one that is short enough in bytes is not
// read.
func characters(path string) (int, error) {
	info, err := os.Stat(path)
	if err != nil || info.Size() <= maxPrompt {
		return 0, err
	}
	text, err := os.ReadFile(path)
	return utf8.RuneCount(text), err
}
