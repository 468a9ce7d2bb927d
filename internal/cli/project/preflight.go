package project

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"ralph/internal/agent/registry"
	"ralph/internal/cli/exit"
	"ralph/internal/engine/worker"
	"ralph/internal/loop"
)

// preflight refuses a loop whose agents could not start, before an attempt is spent
// on that.
func (a *Opener) preflight(ctx context.Context, p *Project, s loop.Spec) error {
	env := worker.Environment(a.Env).Agent()
	for _, g := range append([]loop.Agent{s.Agent}, s.Agents...) {
		if absent := absentCommand(ctx, g, p.TreeOrHome(), env); absent != "" && ctx.Err() == nil {
			return &exit.Error{Code: exit.Missing, Err: fmt.Errorf("agent %s cannot start: %s: command not found", g.Name, absent), Hint: "install it, or name another: ralph doctor lists the agents that are there"}
		}
		n, ok := registry.Find(g.Use)
		if !ok {
			continue
		}
		if why, fix := n.Refuses(g, env); why != "" {
			return &exit.Error{Code: exit.Missing, Err: fmt.Errorf("agent %s cannot start: %s", g.Name, why), Hint: fix}
		}
	}
	return nil
}

// absentCommand returns the program that a command agent begins with, where it is not
// there. Of a relative path, and of a line with an alternative, nothing can be told
// here.
func absentCommand(ctx context.Context, g loop.Agent, dir string, env []string) string {
	if g.Use != "command" || g.Shell && strings.Contains(g.Argv[0], "||") {
		return ""
	}
	absent := Absent(ctx, g, dir, env)
	if strings.Contains(absent, "/") && !filepath.IsAbs(absent) {
		return ""
	}
	return absent
}
