package cli

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"ralph/internal/agent"
	"ralph/internal/agent/api"
	"ralph/internal/cli/exit"
	"ralph/internal/loop"
	"ralph/internal/proc"
)

// agent is the one that was named, the first configured one, or the first that
// is installed. What only answers can do no more than text tasks of a plan.
func (a *app) agent(p *project, f runFlags) (loop.Agent, error) {
	g, err := a.named(p, f)
	if err == nil && g.Use == "api" && !f.ofPlan {
		return g, exit.UsageError("name another agent; this one reviews and votes", "agent %s only answers: it cannot work in a tree", g.Name)
	}
	return g, err
}

// named is that agent, whatever it can do.
func (a *app) named(p *project, f runFlags) (loop.Agent, error) {
	if f.agentCmd != "" {
		return loop.Agent{Name: firstWord(f.agentCmd), Use: "command", Argv: []string{f.agentCmd}, Shell: true}, nil
	}
	if file, ok := strings.CutPrefix(f.agent, "script:"); ok {
		return a.scripted("script", file)
	}
	name := f.agent
	if name == "" {
		name = p.firstWorker()
	}
	if name == "" {
		return a.installed()
	}
	for _, g := range p.settings.Agents() {
		if g.Name == name {
			return a.configured(p, g)
		}
	}
	if name == "human" {
		return loop.Agent{Name: name, Use: "human"}, nil
	}
	if _, ok := native(name); ok {
		return a.configured(p, loop.Agent{Name: name, Use: name})
	}
	return loop.Agent{}, exit.UsageError("ralph doctor lists the agents", "there is no agent %q in ralph.yaml, and none of that name is known", name)
}

// firstWorker is the first configured agent that can work in a tree; one that
// only answers reviews and votes.
func (p *project) firstWorker() string {
	for _, g := range p.settings.Agents() {
		if g.Use != "api" {
			return g.Name
		}
	}
	return ""
}

// configured is an agent whose program is there.
func (a *app) configured(p *project, g loop.Agent) (loop.Agent, error) {
	if g.Use == "script" {
		file := filepath.FromSlash(g.Argv[0])
		if !filepath.IsAbs(file) {
			file = filepath.Join(p.repo.Root, file)
		}
		script, err := a.scripted(g.Name, file)
		g.Argv = script.Argv
		return g, err
	}
	if name := api.KeyName(g); g.Use == "api" && name != "" && a.Getenv(name) == "" {
		return loop.Agent{}, &exit.Error{Code: exit.Missing, Err: fmt.Errorf("agent %s: the environment has no %s", g.Name, name), Hint: "export " + name + "=…"}
	}
	if n, ok := native(g.Use); ok {
		if program := agent.ProgramOf(g, n.Program())[0]; !a.onPath(program) {
			return loop.Agent{}, &exit.Error{Code: exit.Missing, Err: fmt.Errorf("agent %s: %s is not installed", g.Name, program), Hint: "install it, or name another: ralph doctor lists the agents that are there"}
		}
	}
	return g, nil
}

func (a *app) scripted(name, file string) (loop.Agent, error) {
	if !filepath.IsAbs(file) {
		file = filepath.Join(a.Dir, file)
	}
	if _, err := os.Stat(file); err != nil {
		return loop.Agent{}, exit.UsageError("name an existing scenario file", "read scenario: %s", errors.Unwrap(err))
	}
	return loop.Agent{Name: name, Use: "script", Argv: []string{file}}, nil
}

// installed is the first known agent on PATH; there is no other fallback.
func (a *app) installed() (loop.Agent, error) {
	for _, name := range nativeNames() {
		if a.onPath(name) {
			return loop.Agent{Name: name, Use: name}, nil
		}
	}
	return loop.Agent{}, &exit.Error{
		Code: exit.Missing,
		Err:  fmt.Errorf("no coding agent found: looked for %s on PATH, and for agents in ralph.yaml", strings.Join(nativeNames(), ", ")),
		Hint: "install one, or use any command that reads a prompt: --agent-cmd 'my-agent'; to see ralph without an agent: ralph demo",
	}
}

func (a *app) onPath(name string) bool {
	_, err := proc.LookPath(name)
	return err == nil
}

// firstWord names an agent after its program. A line of more than one command
// has no name of its own: its first word may be anything.
func firstWord(command string) string {
	if f := strings.Fields(command); len(f) > 0 && !strings.ContainsAny(command, ";|&<>\n") {
		return path.Base(f[0])
	}
	return "command"
}
