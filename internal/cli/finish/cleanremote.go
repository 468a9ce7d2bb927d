package finish

import (
	"context"
	"errors"
	"fmt"

	"ralph/internal/cli/command"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/engine/team"
	"ralph/internal/git"
	"ralph/internal/text"
)

// cleanRemote deletes the branches of a team's remote that no run needs, or lists them. One is
// deleted only at the commit that was looked at. given are these commits.
func (a *Commands) cleanRemote(ctx context.Context, p *project.Project, o engine.CleanOptions, b branchOptions) (removed, kept, given []string, err error) {
	if !b.merged && !b.failures {
		return nil, nil, nil, nil
	}
	all, unsettled, err := p.Team.Spare(ctx, team.SpareOptions{OlderThan: o.OlderThan, Merged: b.merged, Failures: b.failures})
	if err != nil {
		return nil, nil, nil, err
	}
	var spare []team.Spare
	var only []string
	for _, s := range all {
		switch {
		case s.Why != "":
			kept = append(kept, fmt.Sprintf("%s: %s; %s", remoteLine(s), s.Why, command.DeleteRemote(s.Name)))
			continue
		case s.Only:
			only = append(only, s.Name)
		}
		spare = append(spare, s)
	}
	if unsettled > 0 {
		kept = append(kept, "the branches of "+text.Plural(unsettled, "run")+" that ended and are neither accepted nor archived")
	}
	if !o.DryRun {
		if err := a.confirmOnly(ctx, only); err != nil {
			return nil, kept, nil, err
		}
	}
	for _, s := range spare {
		if !o.DryRun {
			err = p.Team.Drop(ctx, s)
		}
		if _, moved := errors.AsType[git.ErrRefMoved](err); moved {
			kept, err = append(kept, remoteLine(s)+": it has moved meanwhile"), nil
			continue
		}
		if err != nil {
			return removed, kept, given, fmt.Errorf("delete %s: %w", remoteLine(s), err)
		}
		removed, given = append(removed, remoteLine(s)), append(given, s.Tip)
	}
	return removed, kept, given, nil
}

func remoteLine(s team.Spare) string {
	return fmt.Sprintf("branch %s of the remote at %.10s", s.Name, s.Tip)
}
