package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/config"
	"ralph/internal/git"
	"ralph/internal/loop"
)

// settings are the flags that are configuration too.
func (f runFlags) settings() ([]config.Setting, error) {
	var out []config.Setting
	add := func(key, flag, value string) {
		if value != "" {
			out = append(out, config.Setting{Key: key, Flag: flag, Value: value})
		}
	}
	add("limits.max_iterations", "--max-iterations", f.iterations)
	add("test_fix.max", "--auto-test-fix", f.fixes)
	add("limits.loop_timeout", "--timeout", f.timeout)
	add("sandbox", "--sandbox", f.sandbox)
	budgets, err := budgetSettings(cmp.Or(f.budgetOf, loop.TaskLevel), f.budget)
	return append(out, budgets...), err
}

// spec freezes what was asked for.
func (a *app) spec(ctx context.Context, p *project, task string, f runFlags) (loop.Spec, error) {
	if strings.TrimSpace(task) == "" {
		return loop.Spec{}, exit.UsageError("say what is to be done", "the task is empty")
	}
	if !(f.multiplier > 0 && f.multiplier <= 1000) {
		return loop.Spec{}, exit.UsageError("--timeout-multiplier 2", "--timeout-multiplier %v: use a number above 0, at most 1000", f.multiplier)
	}
	if err := checkScope(f.scope); err != nil {
		return loop.Spec{}, err
	}
	head, err := p.repo.Head(ctx)
	if err != nil {
		return loop.Spec{}, err
	}
	id, err := a.loopID(task, f.loopID)
	if err != nil {
		return loop.Spec{}, err
	}
	set := p.settings.Settings
	s := loop.Spec{
		ID: id, Mode: loop.Supervised, Project: p.name(),
		Task:   loop.Task{ID: taskID(task), Text: task, Criteria: f.criteria, Scope: f.scope},
		Limits: p.settings.Limits(), Root: p.treeOrHome(), Prefix: p.repo.Prefix, Base: head.Commit, Branch: "ralph/" + id,
		Until: len(f.until) > 0, Force: f.force, InPlace: f.inPlace, WithChanges: f.withChanges,
		GatesInAgentTree: string(set.GatesIn) == "agent",
		Setup:            set.Isolation.Setup, Copy: set.Isolation.Copy, Protect: set.Protect,
		ConfigSHA256: p.settings.Digest, Learn: loop.Learning(set.Learn),
		Sandbox: loop.Sandbox(set.Sandbox), SandboxWrite: set.Writable,
	}
	if s.Gates, err = a.gates(p, f); err != nil {
		return s, err
	}
	if s.Agent, err = a.agent(p, f); err != nil {
		return s, err
	}
	if s.Gates, err = a.reviewed(p, s.Gates, f); err != nil {
		return s, err
	}
	if err := a.takeTurns(p, &s); err != nil {
		return s, err
	}
	s.Budget, s.BudgetPauses = p.settings.BudgetOf(loop.TaskLevel), p.settings.BudgetPauses()
	if err := a.affordable(p, s); err != nil {
		return s, err
	}
	scale(&s, f.multiplier)
	if err := s.Validate(); err != nil && (!f.tasksProve || !errors.Is(err, loop.ErrNoHardGate)) {
		return s, err
	}
	return s, a.checkTrees(ctx, p, s, f.ofPlan)
}

// checkTrees refuses what the trees do not allow.
func (a *app) checkTrees(ctx context.Context, p *project, s loop.Spec, ofPlan bool) error {
	if err := checkCopies(ctx, p, s.Copy); err != nil {
		return err
	}
	if p.repo.Root == "" && (s.InPlace || s.WithChanges) {
		return exit.UsageError("leave out the flag", "a bare repository has no tree to work in")
	}
	if s.Prefix != "" {
		if _, err := p.repo.ResolveCommit(ctx, s.Base); err != nil {
			return err
		}
		files, err := p.repo.ListTree(ctx, s.Base)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(files, func(f git.File) bool { return strings.HasPrefix(f.Path, s.Prefix+"/") }) && !s.WithChanges {
			hint := "commit it, or use --with-changes"
			if ofPlan {
				hint = "commit it: tasks start from commits; or run the plan from the top of the repository"
			}
			return exit.UsageError(hint, "the folder %s is not part of the commit at HEAD", s.Prefix)
		}
	}
	if s.InPlace && !s.WithChanges {
		d, err := p.repo.Dirty(ctx, "")
		if err != nil {
			return err
		}
		if d.Any() {
			return exit.UsageError("commit them, or add --with-changes to make them the loop's first commit",
				"--in-place: the tree has uncommitted changes (%s)", strings.Join(d.Sample, ", "))
		}
	}
	return nil
}

// checkCopies refuses to copy what git does not ignore: it would end up in the
// commits of the loop, and such files hold secrets.
func checkCopies(ctx context.Context, p *project, files []string) error {
	if len(files) == 0 || p.repo.Root == "" {
		return nil
	}
	ignored, err := p.repo.Ignored(ctx, files)
	if err != nil {
		return err
	}
	for _, f := range files {
		_, gone := os.Lstat(filepath.Join(p.repo.Root, filepath.FromSlash(f)))
		if gone == nil && !slices.Contains(ignored, f) {
			return &exit.Error{
				Code: exit.Config, Err: fmt.Errorf("isolation.copy: git does not ignore %s, so it would be committed with the work", f),
				Hint: "add it to .gitignore or .git/info/exclude",
			}
		}
	}
	return nil
}

// scale multiplies every timeout (--timeout-multiplier, seed 004).
func scale(s *loop.Spec, f float64) {
	s.Limits.Attempt, s.Limits.Loop = s.Limits.Attempt.Scale(f), s.Limits.Loop.Scale(f)
	s.Limits.Session = s.Limits.Session.Scale(f)
	for i := range s.Gates {
		s.Gates[i].Timeout = s.Gates[i].Timeout.Scale(f)
	}
}
