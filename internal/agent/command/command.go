// Package command drives any command line as an agent: the prompt on standard
// input (and in the file RALPH_PROMPT_FILE), files changed in the working
// directory, exit code 0 for a positive end. With exit code 75 it can report that its
// provider does not serve (see later). It reports nothing else, so usage and cost stay
// unknown.
package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/agent"
	"ralph/internal/loop"
	"ralph/internal/text"
)

// Driver runs Job.Agent.Argv.
type Driver struct{}

// Capabilities: a command may report a usage limit, and nothing else.
func (Driver) Capabilities() agent.Capabilities { return agent.Capabilities{Limits: true} }

// Run runs the command once.
func (Driver) Run(ctx context.Context, job agent.Job) (loop.Outcome, error) {
	missing := missingScript(job)
	run, err := agent.Supervise(ctx, job, agent.Program{Argv: argv(job.Agent)})
	if err != nil {
		return loop.Outcome{}, err
	}
	out := run.Outcome(job)
	last := text.LastLine(string(run.Tail), mostSaid)
	if out.End == loop.EndFailed && last != "" {
		out.Message += ": " + last
	}
	if out.End == loop.EndFailed && run.Code != nil && *run.Code == tryLater {
		return later(out, last), nil
	}
	if job.Agent.Shell && run.Code != nil && (*run.Code == 126 || *run.Code == 127) {
		// The shell's own codes for a command that cannot be started. Retrying
		// would waste every attempt on a missing program.
		out.End = loop.EndPermanent
		out.Message = fmt.Sprintf("the agent's command cannot start (exit code %d): %s", *run.Code, job.Agent.Argv[0])
	}
	if out.End == loop.EndFailed && missing != "" {
		out.End = loop.EndPermanent
		out.Message = "the agent's command cannot start: " + text.Line(missing) + " is not there"
	}
	return out, nil
}

// interpreters run the file that their first argument names.
var interpreters = []string{"sh", "bash", "dash", "zsh", "python", "python3", "node", "perl", "ruby"}

// missingScript returns the file that an interpreter was to run and that is not there:
// each has an exit code of its own for that. It is empty where the command line is not of
// that form.
func missingScript(job agent.Job) string {
	argv := job.Agent.Argv
	if job.Agent.Shell {
		if len(argv) != 1 || strings.ContainsAny(argv[0], "\n;&|<>()$`\\\"'*?[]{}~#=%!") {
			return ""
		}
		argv = strings.Fields(argv[0])
	}
	if len(argv) < 2 || !slices.Contains(interpreters, filepath.Base(argv[0])) || strings.HasPrefix(argv[1], "-") {
		return ""
	}
	path := argv[1]
	if !filepath.IsAbs(path) {
		path = filepath.Join(job.Tree, path)
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return argv[1]
	}
	return ""
}

// mostSaid bounds the line of the output that a failure quotes, in columns.
const mostSaid = 300

// argv returns the argument vector of a configured agent: its own, or a shell's
// for a command line.
func argv(a loop.Agent) []string {
	if a.Shell && len(a.Argv) == 1 {
		return []string{"sh", "-c", a.Argv[0]}
	}
	return a.Argv
}
