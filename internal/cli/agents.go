package cli

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/proc"
)

// agent is the one that was named, the first configured one, or the first that
// is installed.
func (a *app) agent(p *project, f runFlags) (loop.Agent, error) {
	if f.agentCmd != "" {
		return loop.Agent{Name: firstWord(f.agentCmd), Use: "command", Argv: []string{f.agentCmd}, Shell: true}, nil
	}
	if file, ok := strings.CutPrefix(f.agent, "script:"); ok {
		return a.scripted("script", file)
	}
	name := f.agent
	if name == "" && len(p.settings.Settings.Agents) > 0 {
		name = p.settings.Settings.Agents[0].Name
	}
	if name == "" {
		return a.installed()
	}
	for _, g := range p.settings.Agents() {
		if g.Name == name && g.Use == "script" {
			return a.scripted(name, filepath.Join(p.repo.Root, filepath.FromSlash(g.Argv[0])))
		}
		if g.Name == name {
			return g, nil
		}
	}
	if name == "human" {
		return loop.Agent{Name: name, Use: "human"}, nil
	}
	if argv, ok := presets()[name]; ok {
		if _, err := proc.LookPath(argv[0]); err != nil {
			return loop.Agent{}, &failure{code: exitMissing, err: fmt.Errorf("agent %s is not installed", name), hint: "ralph doctor"}
		}
		return loop.Agent{Name: name, Use: "command", Argv: argv}, nil
	}
	return loop.Agent{}, usage("ralph doctor lists the agents", "there is no agent %q in ralph.yaml, and none of that name is known", name)
}

func (a *app) scripted(name, file string) (loop.Agent, error) {
	if !filepath.IsAbs(file) {
		file = filepath.Join(a.Dir, file)
	}
	if _, err := os.Stat(file); err != nil {
		return loop.Agent{}, usage("name an existing scenario file", "read scenario: %s", errors.Unwrap(err))
	}
	return loop.Agent{Name: name, Use: "script", Argv: []string{file}}, nil
}

// installed is the first known agent on PATH; there is no other fallback.
func (a *app) installed() (loop.Agent, error) {
	for _, name := range presetNames() {
		if argv := presets()[name]; a.onPath(argv[0]) {
			return loop.Agent{Name: name, Use: "command", Argv: argv}, nil
		}
	}
	return loop.Agent{}, &failure{
		code: exitMissing,
		err:  fmt.Errorf("no coding agent found: looked for %s on PATH, and for agents in ralph.yaml", strings.Join(presetNames(), ", ")),
		hint: "install one, or use any command that reads a prompt: --agent-cmd 'my-agent'; to see ralph without an agent: ralph demo",
	}
}

func (a *app) onPath(name string) bool {
	_, err := proc.LookPath(name)
	return err == nil
}

// presets are the command lines of known agents: prompt on standard input,
// edits and shell commands inside the working directory by the agent's own
// allow-list, its other checks left on.
func presets() map[string][]string {
	return map[string][]string{
		"claude":   {"claude", "-p", "--permission-mode", "dontAsk", "--allowedTools", "Bash,Edit,Write,Read,Glob,Grep"},
		"codex":    {"codex", "exec", "--sandbox", "workspace-write", "-"},
		"gemini":   {"gemini", "--approval-mode", "auto_edit", "--skip-trust"},
		"opencode": {"opencode", "run"},
	}
}

func presetNames() []string { return []string{"claude", "codex", "gemini", "opencode"} }

func firstWord(command string) string {
	if f := strings.Fields(command); len(f) > 0 {
		return path.Base(f[0])
	}
	return "command"
}
