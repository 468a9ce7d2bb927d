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
	"ralph/internal/proof"
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
	found, err := proof.Obeyed{
		Base: base, Work: work, Settings: registry.Collect(settingGlobs), GitRuns: runs, Chores: slices.Concat(s.Setup, s.Teardown), OtherGates: s.OtherGates, Agents: agentCommands(s.Spec),
		Permitted: slices.Concat(s.Task.Scope, s.MayChange), Task: s.Task.Text,
		Content: func(id string) ([]byte, error) { return w.blob(ctx, id) },
	}.Find()
	if err != nil {
		return nil, fmt.Errorf("search %s for what later runs obey: %w", git.Short(tip), err)
	}
	return firstOf(found), nil
}

// settingGlobs are the files of a repository that a program of an agent obeys, in lower
// case: its folder, which has the name of that in the home, and its instructions.
func settingGlobs(f agent.Footprint) (globs []string) {
	for _, dir := range f.State {
		name := cmp.Or(dir.Name, path.Base(dir.Usual))
		globs = append(globs, "**/."+strings.ToLower(strings.TrimPrefix(name, "."))+"/**")
	}
	for _, name := range f.Settings {
		if path.Ext(name) == ".md" {
			globs = append(globs, "**/"+strings.ToLower(name))
		}
	}
	return globs
}

// agentCommands are the command lines of the agents of a loop and of its reviewers.
func agentCommands(s loop.Spec) (lines []string) {
	add := func(a loop.Agent) {
		if line := commandOf(a); line != "" && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	add(s.Agent)
	for _, a := range s.Agents {
		add(a)
	}
	for _, g := range s.Gates {
		if g.Review != nil {
			for _, a := range g.Review.Reviewers {
				add(a)
			}
		}
	}
	return lines
}

// commandOf is the command line that a person gave an agent; empty where its driver knows
// its program.
func commandOf(a loop.Agent) string {
	if len(a.Argv) == 0 {
		return ""
	}
	return strings.Join(slices.Concat(a.Argv, a.Args), " ")
}
