package move

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/text"
)

// agree asks about what a move leaves behind, and about the commands that a run of others
// runs on this machine.
func (a *Commands) agree(ctx context.Context, peer *project.Peer, r request, here found) (bool, error) {
	if here.id != "" && (here.state.Away() || moving(here.state)) && r.out {
		return true, nil // it was agreed to before
	}
	if r.server.Files == "" && (here.id == "" || here.worked) {
		what, where := "prompts, output and evidence", "this machine"
		if r.plan {
			what = "approved approaches, " + what
		}
		if !r.out {
			where = "the machines that made them"
		}
		yes, err := a.Confirm(ctx, fmt.Sprintf("%s names no folder or object store that the machines share (?files=…), so the %s of %s stay on %s. Move it without them?", peer.There, what, r.id, where))
		if err != nil || !yes {
			return false, err
		}
	}
	if r.out || here.id != "" {
		return true, nil
	}
	commands, err := commandsOf(ctx, peer, r)
	if errors.Is(err, engine.ErrNotFound) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return a.Confirm(ctx, fmt.Sprintf("%s was started elsewhere. Continued or accepted here, it runs on this machine:\n%s\nMove it here?", r.id, commands))
}

// commandsOf are the commands of a run of the server, one a line.
func commandsOf(ctx context.Context, peer *project.Peer, r request) (string, error) {
	if !r.plan {
		there, err := peer.Server.Read(ctx, r.id)
		return commandLines(there.State), err
	}
	there, err := peer.Plans.Server.Read(ctx, r.id)
	if err != nil {
		return "", err
	}
	spec, err := engine.ReadPlanSpec(r.id, there.Spec)
	if err != nil {
		return "", fmt.Errorf("%w: %w", engine.ErrDamaged, err)
	}
	return planCommands(spec), nil
}

// planCommands returns the commands that a plan runs, and those in the places of its tasks, one
// a line.
func planCommands(spec engine.PlanSpec) string {
	s := loop.State{Spec: spec.Task}
	s.Gates = slices.Concat(s.Gates, sorted(spec.Commands), innerCommands(spec.Inner))
	s.Agents = slices.Concat(s.Agents, sorted(spec.Agents), spec.Reviewers)
	return commandLines(s)
}

// innerCommands are the accepted commands of plans in tasks' places.
func innerCommands(all map[string]engine.InnerPlan) (gates []loop.Gate) {
	for _, in := range sorted(all) {
		gates = slices.Concat(gates, sorted(in.Commands), innerCommands(in.Inner))
	}
	return gates
}

// sorted returns values in the order of their keys.
func sorted[V any](all map[string]V) (values []V) {
	for _, key := range slices.Sorted(maps.Keys(all)) {
		values = append(values, all[key])
	}
	return values
}

// commandLines returns the commands that a loop runs, one a line.
func commandLines(s loop.State) string {
	var lines []string
	add := func(what, command string) {
		if command != "" {
			lines = append(lines, fmt.Sprintf("  %s: %s", text.Line(what), text.Clip(text.Line(command), 200)))
		}
	}
	agent := func(what string, a loop.Agent) {
		add(what+" "+a.Name, cmp.Or(strings.Join(a.Argv, " "), a.Use))
	}
	for _, g := range s.Gates {
		add("gate "+g.Name, g.Run)
		if g.Review == nil {
			continue
		}
		for _, a := range g.Review.Reviewers {
			agent("reviewer", a)
		}
	}
	for _, a := range append([]loop.Agent{s.Agent}, s.Agents...) {
		agent("agent", a)
	}
	for _, c := range s.Setup {
		add("setup", c)
	}
	for _, c := range s.Teardown {
		add("teardown", c)
	}
	return strings.Join(lines, "\n")
}
