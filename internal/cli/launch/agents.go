package launch

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/agent"
	"ralph/internal/agent/api"
	"ralph/internal/agent/registry"
	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
)

// Agent is the one that was named, the first configured one, or the first that
// is installed. What only answers can do no more than text tasks of a plan.
func Agent(a *project.Opener, p *project.Project, f Flags) (loop.Agent, error) {
	g, err := Named(a, p, f)
	if err == nil && g.OnlyAnswers() && !f.OfPlan {
		return g, exit.UsageError("name another agent; this one reviews and votes", "agent %s only answers: it cannot work in a tree", g.Name)
	}
	return g, err
}

// Named is that agent, whatever it can do.
func Named(a *project.Opener, p *project.Project, f Flags) (loop.Agent, error) {
	if f.AgentCmd != "" {
		if program := programOf(f.AgentCmd); program != "" && !a.OnPath(program) {
			return loop.Agent{}, &exit.Error{Code: exit.Missing, Err: fmt.Errorf("--agent-cmd %q: there is no program %s", f.AgentCmd, program), Hint: "install it, or correct the command; ralph doctor lists the agents that are there"}
		}
		word, _, _ := strings.Cut(strings.TrimSpace(f.AgentCmd), " ")
		if strings.HasPrefix(word, "../") && !filepath.IsLocal(filepath.Join(p.Repo.Prefix, word)) && !f.inPlace {
			return loop.Agent{}, exit.UsageError("write its whole path: --agent-cmd "+filepath.Join(a.Dir, word), "--agent-cmd %q: the agent works in a worktree elsewhere, where %s is another file", f.AgentCmd, word)
		}
		return loop.Agent{Name: nameFor(f.AgentCmd), Use: "command", Argv: []string{f.AgentCmd}, Shell: true}, nil
	}
	if file, ok := strings.CutPrefix(f.Agent, "script:"); ok {
		return scripted(a, "script", file)
	}
	name := f.Agent
	if name == "" {
		name = p.FirstWorker()
	}
	if name == "" {
		return Installed(a)
	}
	for _, g := range p.Settings.Agents() {
		if g.Name == name {
			return configured(a, p, g)
		}
	}
	if name == "human" {
		return loop.Agent{Name: name, Use: "human"}, nil
	}
	if _, ok := registry.Find(name); ok {
		return configured(a, p, loop.Agent{Name: name, Use: name})
	}
	known := append(registry.Names(), "human")
	for _, g := range p.Settings.Agents() {
		known = append(known, g.Name)
	}
	return loop.Agent{}, exit.UsageError(command.Near(name, known, "ralph doctor lists the agents"), "there is no agent %q in ralph.yaml, and none of that name is known", name)
}

// configured is an agent whose program is there.
func configured(a *project.Opener, p *project.Project, g loop.Agent) (loop.Agent, error) {
	if g.Use == "script" {
		file := filepath.FromSlash(g.Argv[0])
		if !filepath.IsAbs(file) {
			file = filepath.Join(p.Repo.Root, file)
		}
		script, err := scripted(a, g.Name, file)
		g.Argv = script.Argv
		return g, err
	}
	if name := api.KeyName(g); g.Use == "api" && name != "" && a.Getenv(name) == "" {
		return loop.Agent{}, &exit.Error{Code: exit.Missing, Err: fmt.Errorf("agent %s: the environment has no %s", g.Name, name), Hint: "export " + name + "=…"}
	}
	if n, ok := registry.Find(g.Use); ok {
		if program := agent.ProgramOf(g, n.Program())[0]; !a.OnPath(program) {
			return loop.Agent{}, &exit.Error{Code: exit.Missing, Err: fmt.Errorf("agent %s: %s is not installed", g.Name, program), Hint: "install it, or name another: ralph doctor lists the agents that are there"}
		}
	}
	return g, nil
}

func scripted(a *project.Opener, name, file string) (loop.Agent, error) {
	if !filepath.IsAbs(file) {
		file = filepath.Join(a.Dir, file)
	}
	if _, err := os.Stat(file); err != nil {
		return loop.Agent{}, exit.UsageError("name an existing scenario file", "read scenario: %s", errors.Unwrap(err))
	}
	return loop.Agent{Name: name, Use: "script", Argv: []string{file}}, nil
}

// AgentNames are the agents that a user can choose for work: the configured ones, the
// default first, and behind them the known ones that are installed.
func AgentNames(a *project.Opener, p *project.Project) []string {
	var out []string
	for _, g := range p.Settings.Agents() {
		if !g.OnlyAnswers() {
			out = append(out, g.Name)
		}
	}
	for _, name := range registry.Names() {
		if !slices.Contains(out, name) && a.OnPath(name) {
			out = append(out, name)
		}
	}
	return out
}

// Installed is the first known agent on PATH; there is no other fallback.
func Installed(a *project.Opener) (loop.Agent, error) {
	for _, name := range registry.Names() {
		if a.OnPath(name) {
			return loop.Agent{Name: name, Use: name}, nil
		}
	}
	return loop.Agent{}, &exit.Error{
		Code: exit.Missing,
		Err:  fmt.Errorf("no coding agent found: looked for %s on PATH, and for agents in ralph.yaml", strings.Join(registry.Names(), ", ")),
		Hint: "install one, or use any command that reads a prompt: --agent-cmd 'my-agent'; to see ralph without an agent: ralph demo",
	}
}

// plainWord is a word of a shell line that stands for itself.
var plainWord = lazyregexp.New(`^[A-Za-z0-9_.+-]+$`)

// shellWords start a line without being a program.
var shellWords = strings.Fields(". : alias break case cd command continue eval exec exit export false for if read return set shift test times trap true type ulimit umask unset until wait while function")

// programOf is the program that a shell's command line starts, where that is certain
// and it is looked for on PATH; else empty.
func programOf(line string) string {
	if word := firstWord(line); plainWord.MatchString(word) && !slices.Contains(shellWords, word) {
		return word
	}
	return ""
}

// firstWord is that of a command line after variables that are set for it.
func firstWord(line string) string {
	for word := range strings.FieldsSeq(line) {
		if name, _, assigns := strings.Cut(word, "="); !assigns || !plainWord.MatchString(name) {
			return word
		}
	}
	return ""
}

// nameFor names an agent after its program. A line of more than one command
// has no name of its own: its first word may be anything.
func nameFor(command string) string {
	if word := firstWord(command); word != "" && !strings.ContainsAny(command, ";|&<>\n") {
		return path.Base(word)
	}
	return "command"
}

func CommandLine(g loop.Agent) string {
	switch g.Use {
	case "human":
		return "(a person)"
	case "api":
		return fmt.Sprintf("(%s, asked through the interface of %s)", g.Model, cmp.Or(g.BaseURL, g.Provider))
	}
	return strings.Join(registry.CommandWords(g), " ")
}
