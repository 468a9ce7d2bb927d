package finish

import (
	"context"
	"path"
	"slices"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/config"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
)

// agree asks before a merge of work that a person should look at first. Without a
// terminal it names all of that and refuses, unless --yes accepts it all or --allow
// the codes of it.
func (a *Commands) agree(ctx context.Context, p *project.Project, id string, w runs.Offer, allowed []loop.ConcernCode) error {
	item, err := w.Item(ctx)
	if err != nil {
		return err
	}
	look := item.Look()
	// Older versions did not record that the work changes ralph.yaml.
	if w.Commit != "" && !slices.ContainsFunc(look, func(c loop.Concern) bool {
		return c.Code == loop.ConcernObeyed && strings.Contains(c.What, config.FileName)
	}) {
		changed, err := p.Repo.ChangedFiles(ctx, w.Base, w.Commit)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(changed, func(f git.Change) bool { return path.Base(f.Path) == config.FileName }) {
			look = append(look, loop.Concern{Code: loop.ConcernJudges, What: "the work changes ralph.yaml, which decides how later work is judged and sandboxed"})
		}
	}
	look = slices.DeleteFunc(look, func(c loop.Concern) bool { return slices.Contains(allowed, c.Code) })
	if len(look) == 0 {
		return nil
	}
	var codes []loop.ConcernCode
	for _, c := range look {
		a.Say("look: %s", text.SpacedLine(c.What))
		if !slices.Contains(codes, c.Code) {
			codes = append(codes, c.Code)
		}
	}
	names := joined(codes)
	if !a.Yes && !a.Asks() {
		return exit.UsageError(next.Show(id, "--diff")+"; then add --yes, or --allow "+names, "not accepted: look at the points above first (%s)", names)
	}
	yes, err := a.Confirm(ctx, "Accept the work in spite of these points ("+names+")?")
	if err == nil && !yes {
		err = exit.UsageError(next.Show(id, "--diff"), "not accepted")
	}
	return err
}

func joined(codes []loop.ConcernCode) string { return strings.Join(loop.CodeNames(codes), ",") }

// allowedConcerns reads --allow.
func allowedConcerns(names []string) ([]loop.ConcernCode, error) {
	var out []loop.ConcernCode
	for _, name := range names {
		code := loop.ConcernCode(strings.TrimSpace(name))
		if !slices.Contains(loop.ConcernCodes(), code) {
			return nil, exit.UsageError("--allow "+string(loop.ConcernUnproved), "%q is not one of: %s", name, joined(loop.ConcernCodes()))
		}
		out = append(out, code)
	}
	return out, nil
}
