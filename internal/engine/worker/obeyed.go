package worker

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"ralph/internal/agent"
	"ralph/internal/agent/registry"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/proof/judge"
)

// findObeyed names the changed files of the work that later sessions of agents and
// editors, or the set-up of later loops, obey.
func (w *Worker) findObeyed(ctx context.Context, s loop.State, tip string) ([]string, error) {
	base, err := w.files(ctx, s.Base)
	if err != nil {
		return nil, err
	}
	work, err := w.files(ctx, tip)
	if err != nil {
		return nil, err
	}
	runs, err := w.Repo.Runs(ctx)
	if err != nil {
		return nil, err
	}
	found, err := judge.Obeyed{
		Base: base, Work: work, Settings: registry.Collect(settingGlobs), GitRuns: runs, Chores: slices.Concat(s.Setup, s.Teardown), Gates: gateCommands(s.Gates), OtherGates: s.OtherGates, Agents: agentCommands(s.Spec),
		Permitted: slices.Concat(s.Task.Scope, s.MayChange), Task: s.Task.Text,
		Content: func(id string) ([]byte, error) { return w.blob(ctx, id) },
	}.Find()
	if err != nil {
		return nil, fmt.Errorf("search %s for what later runs obey: %w", git.Short(tip), err)
	}
	return firstOf(found), nil
}

// settingGlobs are the files of a repository that a program of an agent obeys, in lower
// case: its folder, which has the name of that in the home, its instructions, and Project.
func settingGlobs(f agent.Footprint) (globs []string) {
	for _, dir := range f.State {
		name := cmp.Or(dir.Name, path.Base(dir.Usual))
		globs = append(globs, "**/."+strings.ToLower(strings.TrimPrefix(name, "."))+"/**")
	}
	for _, glob := range f.Project {
		globs = append(globs, strings.ToLower(glob))
	}
	for _, name := range f.Settings {
		if path.Ext(name) == ".md" {
			globs = append(globs, "**/"+strings.ToLower(name))
		}
	}
	return globs
}

// gateCommands are the command lines of gates.
func gateCommands(gates []loop.Gate) (commands []string) {
	for _, g := range gates {
		commands = append(commands, g.Run)
	}
	return commands
}
