package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/git"
	"ralph/internal/loop"
)

// drivenSpec freezes what was asked for. It makes no worktree: the gates judge
// the tree that a check is called from.
func (a *app) drivenSpec(ctx context.Context, p *project.Project, f loopFlags) (loop.Spec, error) {
	if p.Repo.Root == "" {
		return loop.Spec{}, exit.UsageError("call it in a tree", "a bare repository has no tree to check")
	}
	if err := f.checkNames(); err != nil {
		return loop.Spec{}, err
	}
	if err := launch.CheckScope(f.scope); err != nil {
		return loop.Spec{}, err
	}
	began, err := p.Repo.SnapshotTree(ctx, "")
	if err != nil {
		return loop.Spec{}, err
	}
	branch, err := p.Repo.BranchOf(ctx, "")
	if err != nil {
		return loop.Spec{}, err
	}
	if began.Commit == "" {
		return loop.Spec{}, fmt.Errorf("%s: %w", branch, git.ErrUnborn)
	}
	gates, err := a.DrivenGates(p, f.gates, f.threshold, f.scope)
	if err != nil {
		return loop.Spec{}, err
	}
	task := cmp.Or(strings.TrimSpace(f.task), goal(gates))
	id, err := a.LoopID(task, f.id)
	if err != nil {
		return loop.Spec{}, err
	}
	s := loop.Spec{
		ID: id, Mode: loop.AgentDriven, Project: p.Name(),
		Task: loop.Task{ID: launch.TaskID(task), Text: task, Scope: f.scope}, Gates: gates,
		Limits: p.Settings.DrivenLimits(), Root: p.Repo.Root, Prefix: p.Repo.Prefix, Base: began.Commit, BaseTree: began.Tree, Branch: branch,
		Parent: cmp.Or(f.parent, a.Getenv("RALPH_LOOP_ID")), After: f.after, Session: a.session(f.session),
		StopOnStuck: f.onStuck == "stop", ConfigSHA256: p.Settings.Digest, Learn: loop.Learning(p.Settings.Settings.Learn),
		Agent: loop.Agent{Name: cmp.Or(f.agent, "agent"), Use: "session"},
	}
	if err := s.Validate(); err != nil {
		return s, exit.UsageError("ralph loop init --help", "%v", err)
	}
	return s, nil
}

// checkNames keeps the names of final verifications for them.
func (f loopFlags) checkNames() error {
	const mostParent = 50 // there must be room for "-final-99"
	switch {
	case len(f.parent) > mostParent:
		return exit.UsageError("--parent orch-001", "--parent: use at most %d characters", mostParent)
	case reserved.MatchString(f.id) && !f.verifies:
		return exit.UsageError("choose another --loop-id", "--loop-id %s: names that end in -final belong to final verifications (ralph loop check --parent)", f.id)
	}
	return nil
}

// goal is the task of a loop that was given none.
func goal(gates []loop.Gate) string {
	var parts []string
	for _, g := range gates {
		words := g.Name
		if g.Threshold != nil {
			words = fmt.Sprintf("%s of %g%%", g.Name, *g.Threshold)
		}
		parts = append(parts, words)
	}
	return "make these gates pass: " + strings.Join(parts, ", ")
}
