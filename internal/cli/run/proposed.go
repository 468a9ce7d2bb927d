package run

import (
	"context"
	"fmt"
	"strings"

	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/engine/planner"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// planCommands are the proposals that a person has accepted, as gates. At a
// terminal the new ones are shown, and asked about. A dry run counts all of them.
func (a *Commands) planCommands(ctx context.Context, p *project.Project, path string, pl plan.Plan, name string, f launch.Flags) (map[string]loop.Gate, error) {
	id := planner.IDOf(path)
	out, open, err := p.Plans.Approved(ctx, id, pl, p.Repo.Prefix, f.Plan.Trust)
	if err != nil || len(open) == 0 {
		return out, err
	}
	if f.DryRun {
		for _, c := range open {
			out[c] = planner.CommandGate(c, p.Repo.Prefix)
		}
		if !a.JSON { // its object, or the error, is all of the output
			a.sayProposed(path, name, "shown as gates here; a run leaves them out until they are approved", open)
		}
		return out, nil
	}
	if !a.Asks() {
		a.sayProposed(path, name, "they do not run", open)
		return out, nil
	}
	yes, err := a.askCommands(ctx, name, open)
	if err != nil || !yes {
		return out, err
	}
	for _, c := range open {
		if err := p.Plans.Approve(ctx, id, c); err != nil {
			return nil, err
		}
		out[c] = planner.CommandGate(c, p.Repo.Prefix)
	}
	return out, nil
}

// sayProposed lists the commands of a plan that are not approved. means is what that
// comes to.
func (a *Commands) sayProposed(path, name, means string, open []string) {
	a.Say("note: %s proposes commands that are not approved; %s:", name, means)
	for _, c := range open {
		a.Say("  %s", text.Clean(c))
	}
	a.Say("read them, and accept them: %s (or run with --trust-plan; --yes accepts none)", next.Approve(launch.ShownPath(a.Opener, path)))
}

func (a *Commands) askCommands(ctx context.Context, name string, open []string) (bool, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s proposes these commands as checks. They would run on this machine:\n", strings.ToUpper(name[:1])+name[1:])
	for _, c := range open {
		fmt.Fprintf(&b, "  %s\n", text.Clean(c))
	}
	return a.YesOrNo(ctx, b.String()+"Let them run as gates (--trust-plan lets them without asking)? [y/N] ", false)
}
