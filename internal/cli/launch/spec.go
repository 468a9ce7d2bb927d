package launch

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/config"
	"ralph/internal/git"
	"ralph/internal/loop"
)

// Settings are the flags that are configuration too.
func (f Flags) Settings() ([]config.Setting, error) {
	var out []config.Setting
	add := func(key, flag, value string) {
		if value != "" {
			out = append(out, config.Setting{Key: key, Flag: flag, Value: value})
		}
	}
	add("limits.max_iterations", "--max-iterations", f.Iterations)
	add("test_fix.max", "--auto-test-fix", f.fixes)
	add("limits.loop_timeout", "--timeout", f.Timeout)
	add("sandbox", "--sandbox", f.sandbox)
	add("proof", "--proof", f.proof)
	add("if_green", "--if-green", f.ifGreen)
	add("judges", "--judges", f.judges)
	budgets, err := BudgetSettings(cmp.Or(f.BudgetOf, loop.TaskLevel), f.budget)
	return append(out, budgets...), err
}

// Spec freezes what was asked for.
func Spec(ctx context.Context, a *project.Opener, p *project.Project, task string, f Flags) (loop.Spec, error) {
	if strings.TrimSpace(task) == "" {
		return loop.Spec{}, exit.UsageError("say what is to be done", "the task is empty")
	}
	if !(f.Multiplier > 0 && f.Multiplier <= 1000) {
		return loop.Spec{}, exit.UsageError("--timeout-multiplier 2", "--timeout-multiplier %v: use a number above 0, at most 1000", f.Multiplier)
	}
	if err := loop.TaskKind(f.kind).Check(); err != nil {
		return loop.Spec{}, exit.UsageError("--kind docs", "%v", err)
	}
	if err := errors.Join(CheckFiles(f.Scope, f.MayChange), CheckRefuse(f.Refuse, false)); err != nil {
		return loop.Spec{}, err
	}
	if err := loop.CheckLabels(f.runsOn); err != nil {
		return loop.Spec{}, exit.UsageError("--runs-on gpu", "--runs-on: %v", err)
	}
	head, err := p.Repo.Head(ctx)
	if err != nil {
		return loop.Spec{}, err
	}
	id, err := LoopID(p, task, f.LoopID)
	if err != nil {
		return loop.Spec{}, err
	}
	set := p.Settings.Settings
	s := Frozen(p, f)
	s.ID, s.Mode = id, loop.Supervised
	s.Task = loop.Task{ID: TaskID(task), Kind: loop.TaskKind(f.kind), Text: task, Criteria: f.criteria, Scope: f.Scope}
	s.Limits, s.Root, s.Base, s.Branch = p.Settings.Limits(), p.TreeOrHome(), head.Commit, "ralph/"+id
	s.StopIfGreen, s.Proof, s.Force = set.IfGreen == "stop", loop.ProofPolicy(set.Proof), f.Force
	s.InPlace, s.WithChanges, s.Teardown = f.inPlace, f.withChanges, set.Isolation.Teardown
	s.RunsOn = f.runsOn
	s.Sandbox, s.SandboxWrite, s.SandboxAsked = loop.Sandbox(set.Sandbox), set.Writable, p.Settings.WritableAsked()
	if s.Gates, err = Gates(a, p, f); err != nil {
		return s, err
	}
	if s.Gates, err = FreezeHidden(ctx, p, s.Gates); err != nil {
		return s, err
	}
	s.OtherGates = OtherGates(p, s.Gates)
	if s.Agent, err = Agent(a, p, f); err != nil {
		return s, err
	}
	if s.Gates, err = reviewed(a, p, s.Gates, f); err != nil {
		return s, err
	}
	if s.Gates, err = judgesReviewed(a, p, s.Gates); err != nil {
		return s, err
	}
	if err := TakeTurns(a, p, &s); err != nil {
		return s, err
	}
	s.Budget, s.BudgetPauses = p.Settings.BudgetOf(loop.TaskLevel), p.Settings.BudgetPauses()
	if err := Affordable(p, s); err != nil {
		return s, err
	}
	scale(&s, f.Multiplier)
	if err := s.Validate(); err != nil && (!f.TasksProve || !errors.Is(err, loop.ErrNoHardGate)) {
		return s, err
	}
	return s, checkTrees(ctx, p, s, f.OfPlan)
}

// checkTrees refuses what the trees do not allow.
func checkTrees(ctx context.Context, p *project.Project, s loop.Spec, ofPlan bool) error {
	if err := checkCopies(ctx, p, s.Copy); err != nil {
		return err
	}
	if p.Repo.Root == "" && (s.InPlace || s.WithChanges) {
		return exit.UsageError("leave out the flag", "a bare repository has no tree to work in")
	}
	if s.Prefix != "" {
		if _, err := p.Repo.ResolveCommit(ctx, s.Base); err != nil {
			return err
		}
		files, err := p.Repo.ListTree(ctx, s.Base)
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
		d, err := p.Repo.Dirty(ctx, "")
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
func checkCopies(ctx context.Context, p *project.Project, files []string) error {
	if len(files) == 0 || p.Repo.Root == "" {
		return nil
	}
	ignored, err := p.Repo.Ignored(ctx, files)
	if err != nil {
		return err
	}
	for _, f := range files {
		_, gone := os.Lstat(filepath.Join(p.Repo.Root, filepath.FromSlash(f)))
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

// TaskID is the name of a task: a slug of its words, or where nothing is left of
// them, as in many scripts, a digest.
func TaskID(task string) string {
	if s := loop.Slug(task, 40); s != "" {
		return s
	}
	sum := sha256.Sum256([]byte(task))
	return "task-" + hex.EncodeToString(sum[:4])
}

// Slug makes a short name of any text; "task" where nothing is left of it.
func Slug(text string, most int) string { return cmp.Or(loop.Slug(text, most), "task") }
