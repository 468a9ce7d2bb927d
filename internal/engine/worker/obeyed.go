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
	base, work, err := w.bothFiles(ctx, s.Base, tip)
	if err != nil {
		return nil, err
	}
	runs, err := w.Repo.Runs(ctx)
	if err != nil {
		return nil, err
	}
	found, err := judge.Obeyed{
		Base: base, Work: work, Settings: registry.Collect(settingGlobs), GitRuns: runs, Chores: slices.Concat(s.Setup, s.Teardown), Gates: gateCommands(s.Gates), OtherGates: s.OtherGates, Agents: agentCommands(s.Spec),
		Permitted: slices.Concat(s.Task.Scope, s.MayChange), Task: s.Task.Asks(),
		Content: w.content(ctx),
	}.Find()
	if err != nil {
		return nil, fmt.Errorf("search %s for what later runs obey: %w", git.Short(tip), err)
	}
	return firstOf(eachPlace(found)), nil
}

// eachPlace puts the first file of each kind before all others where not all are told, so that
// many of one kind hide none of another.
func eachPlace(found []string) []string {
	if len(found) <= mostTold {
		return found
	}
	var first, others []string
	seen := map[string]bool{}
	for _, f := range found {
		if kind := placeOf(f); !seen[kind] {
			seen[kind] = true
			first = append(first, f)
			continue
		}
		others = append(others, f)
	}
	return append(first, others...)
}

// placeOf is why a file is obeyed, else the hidden folder in which it lies, with the one below
// it (.github/workflows), else its name.
func placeOf(found string) string {
	file, why, given := strings.Cut(found, " (")
	if given {
		return why
	}
	parts := strings.Split(file, "/")
	if i := slices.IndexFunc(parts, func(part string) bool { return strings.HasPrefix(part, ".") }); i >= 0 {
		return strings.Join(parts[i:min(i+2, max(len(parts)-1, i+1))], "/")
	}
	return parts[len(parts)-1]
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
