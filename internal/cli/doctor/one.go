package doctor

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/agent/registry"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/config"
	"ralph/internal/engine/worker"
	"ralph/internal/gate"
	"ralph/internal/git"
	"ralph/internal/loop"
)

// oneAgent looks at one agent, and tries it where that was asked for.
func (c *checkup) oneAgent(ctx context.Context, f doctorFlags) error {
	c.checkGit(ctx)
	c.checkSettings(ctx)
	g, err := c.chosen(f)
	if err != nil {
		if c.code() != exit.Done {
			return c.tell(nil) // what stands in the way of knowing it
		}
		return err
	}
	if c.project != nil && c.project.Settings != nil {
		if err := c.AllowAgent(ctx, c.project, f.agent); err != nil {
			return err
		}
	}
	c.findings = slices.DeleteFunc(c.findings, func(f finding) bool { return f.Level != broken })
	c.one = true
	c.lookAt(ctx, g)
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if !f.try || c.code() != exit.Done {
		return c.tell(nil)
	}
	if !c.JSON {
		c.Print(c.lines())
	}
	t, err := c.try(ctx, g)
	if err != nil {
		return err
	}
	return c.tell(t)
}

// chosen is the agent of that name, as a run would start it. Only who works in a
// tree can be tried.
func (c *checkup) chosen(f doctorFlags) (loop.Agent, error) {
	p := c.project
	if p == nil || p.Settings == nil {
		// Outside of a repository a person's own settings still count.
		own := &project.Project{Repo: &git.Repo{}}
		found, err := config.Find(filepath.Dir(config.UserFile(c.Env)), c.ExplicitConfig(), c.Env)
		if err == nil {
			own.Settings, err = config.Resolve(config.Sources{Env: c.Env, Project: found.Project, User: found.User, Infer: gate.Infer})
		}
		if err != nil {
			return loop.Agent{}, err
		}
		p = own
	}
	find := launch.Named
	if f.try {
		find = launch.Agent
	}
	return find(c.Opener, p, launch.Flags{Agent: f.agent})
}

// lookAt says of one agent what there is to know without starting it.
func (c *checkup) lookAt(ctx context.Context, g loop.Agent) {
	if g.Use == "human" {
		c.ok("agent "+g.Name, "a person")
		return
	}
	n, is := registry.Find(g.Use)
	if !is {
		c.lookAtCommand(ctx, g)
		return
	}
	at, _ := c.programOf(g, n.Program())
	c.nativeFound(n, g, at, c.version(ctx, at))
	if g.Permissions == loop.PermissionsSkip {
		c.skips("permissions", g.Name, g)
		return
	}
	c.mayDo(ctx, g)
}

// skips tells of an agent without checks of its own, or that it cannot start so.
func (c *checkup) skips(check, who string, g loop.Agent) {
	if n, ok := registry.Find(g.Use); ok {
		if why, fix := n.Refuses(g, worker.Environment(c.Env).Agent()); why != "" {
			c.warn(check, "delete permissions: skip in ralph.yaml, or "+fix, "%s cannot start: %s", who, why)
			return
		}
	}
	c.warn(check, "delete permissions: skip in ralph.yaml", "%s runs without its own permission checks (from ralph.yaml)", who)
}

func (c *checkup) lookAtCommand(ctx context.Context, g loop.Agent) {
	check := "agent " + g.Name
	if g.OnlyAnswers() {
		c.asked(check, g)
		return
	}
	if g.Use == "command" || g.Use == "acp" {
		if absent := project.Absent(ctx, g, c.Dir, worker.Environment(c.Env).Agent()); absent != "" {
			c.missing(check, "install it", "it needs %s, which is not installed", absent)
			return
		}
	}
	tells := "tells nothing but its exit code"
	if g.Use == "acp" {
		tells = "tells what the protocol has; tokens, cost and limits where it wants to"
	}
	c.ok(check, "%s (%s): %s", strings.TrimSpace(launch.CommandLine(g)), g.Use, tells)
}
