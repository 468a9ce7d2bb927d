package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"ralph/internal/agent"
	"ralph/internal/agent/api"
	"ralph/internal/agent/registry"
	"ralph/internal/agent/stream"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/engine/worker"
	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/text"
)

// checkAgents tells which agents a loop could have here.
func (c *checkup) checkAgents(ctx context.Context) {
	found := c.configuredAgents(ctx)
	versions := c.versions(ctx)
	for _, n := range registry.Natives() {
		at, err := proc.LookPath(n.Program())
		if err != nil {
			continue
		}
		found++
		c.nativeFound(n, c.settingsOf(n.Program()), at, versions[n.Program()])
	}
	if found == 0 {
		c.warn("agents", `ralph run "TASK" --agent-cmd 'COMMAND that reads the prompt from standard input'`,
			"none found (looked for %s on PATH and for agents in ralph.yaml)", strings.Join(registry.Names(), ", "))
		return
	}
	c.checkDefaultAgent(ctx)
}

// nativeFound tells what can be expected of an installed agent.
func (c *checkup) nativeFound(n agent.Native, g loop.Agent, at, version string) {
	facts := agentFacts{
		Name: g.Name, Use: g.Use, Path: at, Version: agent.VersionIn(version), Tested: n.Tested().String(),
		Tells: reports(n.Capabilities()), Permissions: cmp.Or(g.Permissions, loop.PermissionsDefault), Command: n.CommandLine(g),
	}
	facts.Untested = !n.Tested().Include(facts.Version)
	told := "at " + at + "; tells " + strings.Join(facts.Tells, ", ")
	if facts.Untested {
		c.note("agent "+g.Name, "%s %s; tried with %s only", version, told, n.Tested())
	} else {
		c.ok("agent "+g.Name, "%s %s", version, told)
	}
	facts.Account = c.checkLogin(g, n)
	c.agents = append(c.agents, facts)
}

// settingsOf is an agent as ralph.yaml has it under the name of its program.
func (c *checkup) settingsOf(name string) loop.Agent {
	if c.project != nil && c.project.Settings != nil {
		for _, g := range c.project.Settings.Agents() {
			if g.Name == name && g.Use == name {
				return g
			}
		}
	}
	return loop.Agent{Name: name, Use: name}
}

// reports lists what a driver learns from its program.
func reports(k agent.Capabilities) []string {
	var all []string
	for _, item := range []struct {
		is   bool
		name string
	}{{k.Usage, "tokens"}, {k.Cost, "cost"}, {k.Limits, "limits"}, {k.Denials, "denials"}} {
		if item.is {
			all = append(all, item.name)
		}
	}
	return all
}

// configuredAgents checks that what ralph.yaml names is there. It runs nothing
// of it: ralph.yaml is the repository's word.
func (c *checkup) configuredAgents(ctx context.Context) (found int) {
	if c.project == nil || c.project.Settings == nil {
		return 0
	}
	for _, named := range c.project.Settings.Agents() {
		check := "agent " + named.Name
		if named.OnlyAnswers() {
			c.asked(check, named) // it works in no tree: a loop needs another
			continue
		}
		g, err := launch.Named(c.Opener, c.project, launch.Flags{Agent: named.Name})
		absent := ""
		switch f, _ := errors.AsType[*exit.Error](err); {
		case f != nil && f.Code == exit.Missing:
			absent = agent.ProgramOf(named, named.Use)[0]
		case err != nil:
			c.fail(check, "", "%v", err)
			continue
		case g.Use == "command", g.Use == "acp":
			absent = project.Absent(ctx, g, c.project.TreeOrHome(), c.Env)
		}
		switch {
		case absent != "" && named.Name == c.project.FirstWorker():
			c.missing(check, "install it, or name another agent first in ralph.yaml", "the default agent needs %s, which is not installed", absent)
		case absent != "":
			c.warn(check, "install it", "it needs %s, which is not installed", absent)
		case g.Permissions == loop.PermissionsSkip:
			c.skips(check, g.Use, g)
			found++
		case g.Name != g.Use:
			c.ok(check, "%s (%s, from ralph.yaml)", launch.CommandLine(g), g.Use)
			found++
		}
	}
	return found
}

// asked describes a model behind a provider's interface; it sends no request.
func (c *checkup) asked(check string, g loop.Agent) {
	if name := api.KeyName(g); name != "" && stream.Lookup(c.Env, name) == "" {
		c.warn(check, "export "+name+"=…", "%s: the environment has no %s", launch.CommandLine(g), name)
		return
	}
	c.ok(check, "%s; for reviews and votes", launch.CommandLine(g))
}

// versions asks the known agents, side by side.
func (c *checkup) versions(ctx context.Context) map[string]string {
	var all sync.WaitGroup
	var mu sync.Mutex
	out := map[string]string{}
	for _, name := range registry.Names() {
		at, err := proc.LookPath(name)
		if err != nil {
			continue
		}
		all.Go(func() {
			v := c.version(ctx, at)
			mu.Lock()
			defer mu.Unlock()
			out[name] = v
		})
	}
	all.Wait()
	return out
}

// versionWaits is how long an agent's program may take to tell its version: two
// of them need seconds of computing time for it.
const versionWaits = 10 * time.Second

// version is what a program says of itself, outside of any project.
func (c *checkup) version(ctx context.Context, program string) string {
	out, err := proc.Probe{
		Argv: []string{program, "--version"}, Dir: os.TempDir(), Env: worker.Environment(c.Env).Agent(), Limit: versionWaits,
	}.Ask(ctx)
	reported := text.Headline(string(out.Stdout), 100)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("no version within %s", versionWaits)
	case err != nil:
		return "no version (" + text.Headline(err.Error(), 100) + ")"
	case out.Code != 0 || reported == "":
		return fmt.Sprintf("no version (exit code %d)", out.Code)
	}
	return "version " + reported
}
