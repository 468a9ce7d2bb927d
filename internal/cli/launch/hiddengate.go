package launch

import (
	"context"
	"slices"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine/worker"
	"ralph/internal/loop"
)

// FreezeHidden records what the folders of hidden gates hold now.
func FreezeHidden(ctx context.Context, p *project.Project, gates []loop.Gate) ([]loop.Gate, error) {
	out := slices.Clone(gates)
	for i, g := range out {
		if !g.Hidden || g.Files == "" {
			continue
		}
		var err error
		if out[i], err = worker.FreezeFiles(ctx, p.Repo, g); err != nil {
			return nil, exit.UsageError("change gates."+g.Name+" in your own configuration", "the files of hidden gate %s: %v", g.Name, err)
		}
	}
	return out, nil
}

// visible leaves out hidden gates, for a loop that its agent drives: each check tells
// the agent all that the gates print. One that is named is refused.
func visible(a *project.Opener, gates []loop.Gate, named bool) ([]loop.Gate, error) {
	shown := slices.DeleteFunc(slices.Clone(gates), func(g loop.Gate) bool { return g.Hidden })
	if len(shown) == len(gates) {
		return gates, nil
	}
	var hidden []string
	for _, g := range gates {
		if g.Hidden {
			hidden = append(hidden, g.Name)
		}
	}
	if named {
		return nil, exit.UsageError("use it in a loop that ralph runs", "gate %s is hidden from agents: a loop that its agent drives cannot use it", hidden[0])
	}
	a.Note("hidden from agents and not checked in a loop that its agent drives: %s", strings.Join(hidden, ", "))
	return shown, nil
}
