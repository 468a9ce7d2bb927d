package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/config"
	"ralph/internal/engine"
	"ralph/internal/engine/planner"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/planfile"
	"ralph/internal/text"
	"ralph/internal/view"
)

// planSpec freezes what the run of a plan was asked for.
func (a *Commands) planSpec(ctx context.Context, p *project.Project, path string, file planfile.File, f launch.Flags) (engine.PlanSpec, error) {
	none := engine.PlanSpec{}
	set := p.Settings.Settings.Plans
	f.Plan.Trust = f.Plan.Trust || set.Trust.On()
	if f.Plan.Attempts < 0 || f.Plan.Attempts == 0 && f.Plan.Bounded {
		return none, exit.UsageError("--max-attempts 30", "--max-attempts %d: use 1 or more", f.Plan.Attempts)
	}
	if flag := f.OfOneLoop(); flag != "" {
		return none, exit.UsageError("leave out "+flag, "%s: a plan's tasks work in trees and loops of their own", flag)
	}
	for _, id := range f.Plan.Tasks {
		if !hasTask(file.Plan, id) {
			var ids []string
			for _, t := range file.Plan.Tasks {
				ids = append(ids, t.ID)
			}
			return none, exit.UsageError(command.Near(id, ids, next.PlanShow(path)), "the plan has no task %q", id)
		}
	}
	id := planner.IDOf(path)
	commands, err := a.planCommands(ctx, p, path, file.Plan, "the plan", f)
	if err != nil {
		return none, err
	}
	task, err := a.taskSpec(ctx, p, path, file.Plan, f, commands)
	if err != nil {
		return none, err
	}
	spec := engine.PlanSpec{
		ID: id, File: path, Base: task.Base, Task: task, Commands: commands, MaxLoops: p.Settings.MaxLoops(),
		ProofAsked: slices.Contains([]config.Layer{config.FlagLayer, config.EnvLayer}, p.Settings.Origin("proof").Layer),
		Agents:     map[string]loop.Agent{},
		Turns:      map[string][]loop.Agent{},
		Unattended: engine.Unattended{Policy: string(set.Unattended), After: set.AnswerAfter.After},
		MoveFile:   set.Archive == "move", Trust: f.Plan.Trust,
		Rules: plan.Rules{
			Parallel: set.Parallel.Int(), Attempts: f.Plan.Attempts, PerTask: task.Limits.Most(),
			OnFailure: plan.Policy(set.OnFailure), Only: f.Plan.Tasks, Chunks: file.Plan.Sectioned,
			Approve: set.Approve != "off", ByReview: set.Approve == "review", Flags: f.Plan.Given,
		},
	}
	spec.Rules.Gaps = gapRules(p, file.Plan, spec)
	if err := a.planReviews(p, &spec); err != nil {
		return none, err
	}
	if err := a.planAgents(p, file.Plan, "", &spec); err != nil {
		return none, err
	}
	if err := feasible(file.Plan, spec); err != nil {
		return none, err
	}
	return spec, launch.AffordablePlan(p, spec, file.Plan)
}

// gapRules are how often gaps become tasks: as the file says, unless a flag or the
// environment does. Where no hard gate could prove such a task, a person is asked.
func gapRules(p *project.Project, pl plan.Plan, spec engine.PlanSpec) *plan.GapRules {
	asked := slices.Contains([]config.Layer{config.FlagLayer, config.EnvLayer}, p.Settings.Origin("gaps.rounds").Layer)
	rules := plan.GapRules{Rounds: p.Settings.Settings.Gaps.Rounds.Int()}
	switch {
	case !provesAll(spec) && len(spec.Commands) == 0:
		rules.Rounds = 0
	case pl.GapRounds != nil && !asked:
		rules.Rounds = *pl.GapRounds
	}
	return &rules
}

// provesAll reports whether a gate holds for every task and could prove it.
func provesAll(spec engine.PlanSpec) bool {
	return slices.ContainsFunc(spec.Task.Gates, func(g loop.Gate) bool { return g.Level != loop.Soft && !g.Optional })
}

// feasible refuses tasks whose agent or proof the run cannot have.
func feasible(pl plan.Plan, s engine.PlanSpec) error {
	return cmp.Or(onlyAnswers(pl, s), reviewed(pl, s))
}

// reviewed refuses a task whose proof is a review that no reviewer can give.
func reviewed(pl plan.Plan, s engine.PlanSpec) error {
	if slices.ContainsFunc(s.Task.Gates, loop.Gate.IsSpecReview) {
		return nil
	}
	for _, t := range pl.Wanted(s.Rules.Only) {
		if spec := t.Permit(s.Task, s.ProofAsked); spec.Proof == loop.ProofReview && !spec.Task.Kind.Exempt() {
			return &exit.Error{
				Code: exit.Config, Err: fmt.Errorf("task %s: %w", t.ID, loop.ErrNoSpecReview),
				Hint: "name review.reviewers in ralph.yaml, and review.spec: on for tasks without criteria, or ask for another proof",
			}
		}
	}
	return nil
}

// onlyAnswers refuses a task that needs a tree for an agent without tools: the
// product of what it may do is its answer.
func onlyAnswers(pl plan.Plan, s engine.PlanSpec) error {
	for _, t := range pl.Wanted(s.Rules.Only) {
		agent, named := s.Agents[t.Agent]
		if !named {
			agent = s.Task.Agent
		}
		if !t.Suits(agent) {
			return exit.UsageError("give it another agent, or \"kind\": \"text\" if its product is the answer",
				"agent %s only answers: it cannot work in a tree, as task %s needs", agent.Name, t.ID)
		}
	}
	return nil
}

func hasTask(p plan.Plan, id string) bool {
	for _, t := range p.Tasks {
		if t.ID == id {
			return true
		}
	}
	return false
}

// taskSpec is what the loops of all tasks have in common. The commands of the
// plan may be all the gates that there are; or those of its tasks, if none of
// them is without.
func (a *Commands) taskSpec(ctx context.Context, p *project.Project, path string, pl plan.Plan, f launch.Flags, commands map[string]loop.Gate) (loop.Spec, error) {
	f.OfPlan = true
	s, err := launch.Spec(ctx, a.Opener, p, "plan", f)
	if errors.Is(err, loop.ErrNoHardGate) && len(f.Until)+len(f.Gates) == 0 {
		for _, c := range pl.Commands {
			if g, ok := commands[c]; ok {
				f.Until = append(f.Until, g.Run)
			}
		}
		if f.TasksProve = len(f.Until) == 0; f.TasksProve {
			if err := everyTaskProves(pl, f.Plan.Tasks, commands, err, "", next.Approve(launch.ShownPath(a.Opener, path))); err != nil {
				return s, err
			}
		}
		s, err = launch.Spec(ctx, a.Opener, p, "plan", f)
	}
	s.StopIfGreen = false
	return s, err
}

// everyTaskProves refuses a plan without gates of its own where a task to be
// done has none either, and names such tasks. in is the plan's file and a colon where
// it is in the place of a task. A task with such a plan is proved by the tasks of that.
func everyTaskProves(pl plan.Plan, only []string, commands map[string]loop.Gate, none error, in, approve string) error {
	var bare, proposed []string
	tasks := pl.Wanted(only)
	for _, t := range tasks {
		if t.Kind == plan.KindText || t.SubPlan != "" || slices.ContainsFunc(t.Commands, func(c string) bool { _, ok := commands[c]; return ok }) {
			continue
		}
		bare = append(bare, text.Clean(t.ID))
		if len(t.Commands) > 0 {
			proposed = append(proposed, t.ID)
		}
	}
	switch {
	case len(bare) == 0:
		return nil
	case len(bare) == len(tasks) && len(proposed) == 0:
		return none
	}
	hint := `--until "COMMAND" for all of them, gates in ralph.yaml (ralph init), or a command of its own for each task`
	if len(proposed) == len(bare) {
		hint = "read the plan's commands and accept them: " + approve
	}
	return &exit.Error{Code: exit.Config, Err: fmt.Errorf("%w: %stask %s", loop.ErrNoHardGate, in, text.Few(bare, 8)), Hint: hint}
}

// planOpening is what is said before the plan begins.
func (a *Commands) planOpening(p *project.Project, file planfile.File, spec engine.PlanSpec, inner map[string]*innerPlan) view.PlanStart {
	o := view.PlanStart{
		Plan: file.Plan, Name: filepath.Base(spec.File), Rules: spec.Rules, Task: spec.Task, ProofAsked: spec.ProofAsked,
		Gates: map[string][]loop.Gate{}, Inner: map[string]view.InnerPlan{}, Landed: planner.Branch(spec.ID), Review: loop.Review{Kind: loop.Magi, Reviewers: spec.Reviewers},
		Budget: p.Settings.BudgetOf(loop.PlanLevel), Session: p.Settings.BudgetOf(loop.SessionLevel), Now: a.Now(),
	}
	switch {
	case spec.Council != nil:
		o.Review = *spec.Council
	case len(spec.Reviewers) == 0 && spec.ReviewSelf:
		o.Review.Reviewers = []loop.Agent{spec.Task.Agent}
	}
	warnings := file.Warnings
	if spec.Task.Task.Kind == "" && spec.Task.Proof == loop.ProofRequired {
		warnings = append(slices.Clip(warnings), launch.LikelyKinds(file.Plan)...)
	}
	for _, w := range warnings {
		o.Doubts = append(o.Doubts, fmt.Sprintf("line %d: %s", w.Line, w.Message))
	}
	if more := len(o.Doubts) - 5; more > 0 {
		o.Doubts = append(o.Doubts[:5], fmt.Sprintf("and %d more such lines: %s", more, next.PlanCheck(spec.File)))
	}
	for id, i := range inner {
		o.Inner[id] = i.view()
	}
	own := func(g loop.Gate) bool {
		return !slices.ContainsFunc(spec.Task.Gates, func(o loop.Gate) bool { return o.Run == g.Run })
	}
	o.Whole = slices.DeleteFunc(accepted(file.Plan.Commands, spec), func(g loop.Gate) bool { return !own(g) })
	for _, t := range file.Plan.Tasks {
		if gates := accepted(t.Commands, spec); t.Status.Open() {
			o.Gates[t.ID] = gates
		} else { // those of done tasks run on the result
			o.Whole = append(o.Whole, gates...)
		}
	}
	return o
}
