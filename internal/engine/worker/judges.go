package worker

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"ralph/internal/gate"
	"ralph/internal/loop"
)

// putBack explains to agents and users why an edit had no effect, and how to
// allow it.
func putBack(files []string) string {
	const most = 3
	names := strings.Join(files[:min(len(files), most)], ", ")
	if len(files) > most {
		names += ", …"
	}
	return fmt.Sprintf("changed, but put back as it was, since it judges: %s (--scope allows the change)", names)
}

// restore puts back the files that judge: those that the gate's command names,
// the configuration of its runner, and the files that the project protects.
// Files that the task declares its scope are the agent's to change.
func (w *Worker) restore(ctx context.Context, s loop.State, g loop.Gate) ([]string, error) {
	names, err := w.list(ctx, s.Base)
	if err != nil {
		return nil, err
	}
	commands, scripts, err := w.scripts(ctx, s, g, names)
	if err != nil {
		return nil, err
	}
	patterns := slices.Concat(gate.NamedFiles(g, names), s.Protect, g.Protect)
	for _, c := range commands {
		named := g
		named.Run = c
		patterns = append(patterns, gate.NamedFiles(named, names)...)
	}
	restored, err := w.Repo.RestoreFrom(ctx, s.GateTree, s.Base, patterns, slices.Concat(s.Task.Scope, s.MayChange)...)
	if err != nil {
		return nil, fmt.Errorf("restore protected files: %w", err)
	}
	if scripts == nil {
		return restored, nil
	}
	again, err := gate.RestoreScripts(s.GateTree, path.Join(g.Dir, "package.json"), scripts)
	return append(restored, again...), err
}

// scripts is the base's package.json of a gate whose command reads one, and the
// command lines it runs from there. The agent may change its dependencies, not
// what "npm test" means.
func (w *Worker) scripts(ctx context.Context, s loop.State, g loop.Gate, names []string) (commands []string, base []byte, err error) {
	name := path.Join(g.Dir, "package.json")
	if !gate.ReadsPackageScripts(g.Run) || !slices.Contains(names, name) {
		return nil, nil, nil
	}
	base, err = w.Repo.FileAt(ctx, s.Base, name)
	if err != nil {
		return nil, nil, fmt.Errorf("read %s of the base: %w", name, err)
	}
	return gate.PackageCommands(g.Run, base), base, nil
}
