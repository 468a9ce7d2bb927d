package doctor

import (
	"context"
	"strings"

	"ralph/internal/agent"
	"ralph/internal/agent/registry"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/engine/worker"
	"ralph/internal/loop"
	"ralph/internal/proc"
)

// agentFacts is an installed agent in the doctor's object.
type agentFacts struct {
	Name string `json:"name"`
	Use  string `json:"use"`
	Path string `json:"path"`
	// Version is empty where the program does not tell it.
	Version  string `json:"version"`
	Tested   string `json:"tested"`
	Untested bool   `json:"untested"`
	// Tells is what is known of its runs.
	Tells       []string         `json:"tells"`
	Permissions loop.Permissions `json:"permissions"`
	Command     []string         `json:"command"`
	Account     agent.Account    `json:"account"`
}

// checkLogin tells who would pay for a run, from files and variables alone.
func (c *checkup) checkLogin(g loop.Agent, by agent.Native) agent.Account {
	env := worker.Environment(c.Env).Agent()
	for name, value := range g.Env {
		env = append(env, name+"="+value)
	}
	account, check := by.Account(g, env), "login "+g.Name
	switch account.Login {
	case agent.LoggedIn:
		c.ok(check, "%s (%s)", account.What, c.short(account.From))
	case agent.LoggedOut:
		c.add(finding{Check: check, Level: c.urgency(g), What: g.Name + " is not logged in", Fix: account.Fix})
	default:
		c.note(check, "not known: %s", account.What)
	}
	if len(account.Beside) > 0 {
		c.note(check, "there too, and not used: %s", c.short(strings.Join(account.Beside, ", ")))
	}
	return account
}

// urgency of an agent's login: an agent that is not configured may be without.
func (c *checkup) urgency(g loop.Agent) health {
	if first, err := c.defaultAgent(); c.one || err == nil && first.Name == g.Name {
		return warned
	}
	return noted
}

// short writes the home folder as a person does.
func (c *checkup) short(text string) string {
	if home := c.Getenv("HOME"); len(home) > 1 {
		return strings.ReplaceAll(text, home+"/", "~/")
	}
	return text
}

// checkDefaultAgent reports the agent that a run without --agent starts, and what
// that agent may do.
func (c *checkup) checkDefaultAgent(ctx context.Context) {
	g, err := c.defaultAgent()
	if err != nil {
		return // what is wrong with it has been said
	}
	c.ok("agents", "ralph run starts %s; --agent NAME another", g.Name)
	if _, is := registry.Find(g.Use); is && g.Permissions != loop.PermissionsSkip {
		c.mayDo(ctx, g)
	}
}

func (c *checkup) mayDo(ctx context.Context, g loop.Agent) {
	want := loop.SandboxAuto
	if c.project != nil && c.project.Settings != nil {
		want = loop.Sandbox(c.project.Settings.Settings.Sandbox)
	}
	if by, err := c.Sandboxes.Choose(ctx, want, false); err == nil && project.CannotNest(g, by) {
		c.ok("permissions", "%s edits files and runs commands in its worktree; ralph's Landlock holds it alone, since its own sandbox cannot start inside", g.Name)
		return
	}
	c.ok("permissions", "%s edits files and runs commands in its worktree without a question; its other checks stay on", g.Name)
}

// programOf is the file that an agent's name starts.
func (c *checkup) programOf(g loop.Agent, name string) (string, error) {
	return proc.LookPath(agent.ProgramOf(g, name)[0])
}

func (c *checkup) defaultAgent() (loop.Agent, error) {
	if c.project != nil && c.project.Settings != nil {
		return launch.Agent(c.Opener, c.project, launch.Flags{})
	}
	return launch.Installed(c.Opener)
}
