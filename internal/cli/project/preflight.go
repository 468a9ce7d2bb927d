package project

import (
	"fmt"

	"ralph/internal/agent/registry"
	"ralph/internal/cli/exit"
	"ralph/internal/engine/worker"
	"ralph/internal/loop"
)

// preflight refuses a loop whose agents could not start, before an attempt is spent
// on that.
func (a *Opener) preflight(s loop.Spec) error {
	for _, g := range append([]loop.Agent{s.Agent}, s.Agents...) {
		n, ok := registry.Find(g.Use)
		if !ok {
			continue
		}
		if why, fix := n.Refuses(g, worker.Environment(a.Env).Agent()); why != "" {
			return &exit.Error{Code: exit.Missing, Err: fmt.Errorf("agent %s cannot start: %s", g.Name, why), Hint: fix}
		}
	}
	return nil
}
