package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/config"
	"ralph/internal/engine"
	"ralph/internal/engine/planner"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/planfile"
	"ralph/internal/report"
)

// planFlags are what `ralph run FILE` was told besides the flags of its loops.
type planFlags struct {
	tasks    []string
	attempts int
	bounded  bool // attempts were given
	trust    bool

	parallel, onFailure, unattended, approve string
}

// settings are the flags that are configuration too.
func (f planFlags) settings() []config.Setting {
	var out []config.Setting
	add := func(key, flag, value string) {
		if value != "" {
			out = append(out, config.Setting{Key: key, Flag: flag, Value: value})
		}
	}
	add("plans.parallel", "--parallel", f.parallel)
	add("plans.on_failure", "--on-failure", f.onFailure)
	add("plans.unattended", "--unattended", f.unattended)
	add("plans.approve", "--approve-plan", f.approve)
	return out
}

func (f *planFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringArrayVar(&f.tasks, "task", nil, "of a plan: work on task `ID` and what it needs (may be given again)")
	fl.StringVar(&f.parallel, "parallel", "", "of a plan: at most `N` tasks at once (default 3)")
	fl.IntVar(&f.attempts, "max-attempts", 0, "of a plan: at most `N` attempts of all tasks together (default 3 for each task)")
	fl.StringVar(&f.onFailure, "on-failure", "", "of a plan: when a task fails, `POLICY` skip (what needs it), stop, or ask (default skip)")
	fl.StringVar(&f.unattended, "unattended", "", "of a plan: while nobody answers, `POLICY` wait, default, or fail (default wait)")
	fl.StringVar(&f.approve, "approve-plan", "", "of a plan: an agent writes how it will do each task, and `WHO` agrees before it begins: person (you), review (a reviewer), or off")
	fl.Lookup("approve-plan").NoOptDefVal = "person"
	fl.BoolVar(&f.trust, "trust-plan", false, "of a plan: its commands become gates without asking")
}

// lookAt answers what stands at a path, or that nothing can be seen there.
func lookAt(path string) (info os.FileInfo, missing bool) {
	info, err := os.Stat(path)
	return info, err != nil
}

// planPath answers the path of a plan's file, or "" where the argument is the
// text of a task.
func (a *app) planPath(arg string) (string, error) {
	path := arg
	if !filepath.IsAbs(path) {
		path = filepath.Join(a.Dir, path)
	}
	info, missing := lookAt(path)
	looks := !strings.ContainsAny(arg, " \n") && (strings.HasSuffix(arg, ".md") || strings.HasSuffix(arg, ".json"))
	switch {
	case missing && looks && archivedBeside(path):
		return filepath.Join(filepath.Dir(path), "archived", filepath.Base(path)), nil
	case missing && looks:
		return "", usage("name an existing plan; a task is more than one word", "there is no plan %s", arg)
	case missing || strings.Contains(arg, "\n"):
		return "", nil
	case info.IsDir() && strings.ContainsRune(arg, filepath.Separator):
		return "", usage("name the file", "%s is a folder", arg)
	case !info.Mode().IsRegular():
		return "", nil
	}
	return filepath.EvalSymlinks(path)
}

// archivedBeside: the plan was realised, and its file moved aside.
func archivedBeside(path string) bool {
	info, err := os.Stat(filepath.Join(filepath.Dir(path), "archived", filepath.Base(path)))
	return err == nil && info.Mode().IsRegular()
}

// mayForget asks before the record of work is forgotten that nobody has brought
// home.
func (a *app) mayForget(ctx context.Context, p *project, id string) error {
	l, err := p.planner.ShowPlan(ctx, id)
	if errors.Is(err, engine.ErrNoPlan) || err == nil && (l.State.Tip == l.State.Base || l.State.Accepted != "") {
		return nil
	}
	if err != nil {
		return err
	}
	yes, err := a.confirm(ctx, "what landed of "+id+" is not accepted; begun anew, it is only kept on an archive branch. Begin anew?")
	if err == nil && !yes {
		err = usage("ralph accept "+id, "nothing was begun")
	}
	return err
}

// runPlan works on the plan of a file.
func (a *app) runPlan(ctx context.Context, path string, f runFlags) error {
	p, err := a.locate(ctx)
	if err != nil {
		return err
	}
	f.budgetOf = loop.PlanLevel
	flags, err := f.settings()
	if err != nil {
		return err
	}
	if err := a.configure(p, append(flags, f.plan.settings()...)...); err != nil {
		return err
	}
	file, err := a.readPlan(path)
	if err != nil {
		return err
	}
	if file.Plan.Status == plan.PlanArchived {
		a.say("%s is archived: there is nothing to do", path)
		return nil
	}
	if p.prompt, err = p.template(); err != nil {
		return err
	}
	if err := a.connect(ctx, p, f.dryRun); err != nil {
		return err
	}
	defer p.close()
	spec, err := a.planSpec(ctx, p, path, file, f)
	if err != nil {
		return err
	}
	if f.dryRun {
		return a.dryPlan(ctx, p, spec, file)
	}
	holds, err := a.sandboxLine(ctx, spec.Task)
	if err != nil {
		return err
	}
	if f.fresh {
		if err := a.mayForget(ctx, p, spec.ID); err != nil {
			return err
		}
	}
	if err := a.agree(ctx, file, spec, f, holds); err != nil {
		return err
	}
	if err := a.budgetPlan(ctx, p, spec.ID, f.fresh); err != nil {
		return err
	}
	return a.drivePlan(ctx, p, f.events, func(ctx context.Context, d engine.PlanDrive) (plan.State, error) {
		return p.planner.RunPlan(ctx, spec, engine.PlanOptions{Fresh: f.fresh, Force: f.force}, d)
	})
}

// planSpec freezes what the run of a plan was asked for.
func (a *app) planSpec(ctx context.Context, p *project, path string, file planfile.File, f runFlags) (engine.PlanSpec, error) {
	none := engine.PlanSpec{}
	set := p.settings.Settings.Plans
	f.plan.trust = f.plan.trust || set.Trust.On()
	if f.plan.attempts < 0 || f.plan.attempts == 0 && f.plan.bounded {
		return none, usage("--max-attempts 30", "--max-attempts %d: use 1 or more", f.plan.attempts)
	}
	if f.inPlace || f.withChanges || f.loopID != "" {
		return none, usage("leave out the flag", "a plan's tasks work in trees and loops of their own")
	}
	for _, id := range f.plan.tasks {
		if !hasTask(file.Plan, id) {
			return none, usage("ralph plan show "+path, "the plan has no task %q", id)
		}
	}
	id := planner.PlanID(path)
	commands, err := a.planCommands(ctx, p, path, file.Plan, f)
	if err != nil {
		return none, err
	}
	task, err := a.taskSpec(ctx, p, file.Plan, f, commands)
	if err != nil {
		return none, err
	}
	spec := engine.PlanSpec{
		ID: id, File: path, Base: task.Base, Task: task, Commands: commands, MaxLoops: p.settings.MaxLoops(),
		Agents:     map[string]loop.Agent{},
		Unattended: engine.Unattended{Policy: string(set.Unattended), After: set.AnswerAfter.After},
		Move:       set.Archive == "move", Trust: f.plan.trust,
		Rules: plan.Rules{
			Parallel: set.Parallel.Int(), Attempts: f.plan.attempts, PerTask: task.Limits.Most(),
			OnFailure: plan.Policy(set.OnFailure), Only: f.plan.tasks, Chunks: file.Plan.Sectioned,
			Approve: set.Approve != "off", ByReview: set.Approve == "review",
		},
	}
	if err := a.planReviews(p, &spec); err != nil {
		return none, err
	}
	a.planAgents(p, file.Plan, &spec)
	if err := onlyAnswers(file.Plan, spec); err != nil {
		return none, err
	}
	return spec, a.affordablePlan(p, spec)
}

// onlyAnswers refuses a task that needs a tree for an agent without tools: the
// product of what it may do is its answer.
func onlyAnswers(pl plan.Plan, s engine.PlanSpec) error {
	for _, t := range pl.Wanted(s.Rules.Only) {
		agent, named := s.Agents[t.Agent]
		if !named {
			agent = s.Task.Agent
		}
		if agent.Use == "api" && t.Kind != plan.KindText && t.SubPlan == "" {
			return usage("give it another agent, or \"kind\": \"text\" if its product is the answer",
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

// planReviews are who looks at chunks and at the whole. A reviewer that is not
// installed is found now.
func (a *app) planReviews(p *project, spec *engine.PlanSpec) error {
	reviewers, self := p.settings.Magi()
	council := p.settings.PlanCouncil()
	all := [][]loop.Agent{reviewers}
	if council != nil {
		all = append(all, council.Reviewers)
	}
	for _, some := range all {
		if err := a.allConfigured(p, some); err != nil {
			return err
		}
	}
	spec.Reviewers, spec.ReviewSelf, spec.Council = reviewers, self, council
	spec.ReviewTimeout = loop.Deadline(p.settings.Settings.Review.Timeout)
	spec.Rules.Review = len(reviewers) > 0 || council != nil
	if spec.Rules.ByReview && len(reviewers) == 0 {
		return &failure{
			code: exitConfig, err: errors.New("nobody is configured who could agree to how tasks are done"),
			hint: "name review.reviewers, or let a person agree: --approve-plan",
		}
	}
	return nil
}

// planAgents are the configured agents that tasks name. An unknown name warns
// and takes the default.
func (a *app) planAgents(p *project, pl plan.Plan, spec *engine.PlanSpec) {
	for _, t := range pl.Tasks {
		if _, known := spec.Agents[t.Agent]; t.Agent == "" || known {
			continue
		}
		found, err := a.agent(p, runFlags{agent: t.Agent, ofPlan: true})
		if err != nil {
			a.say("note: task %s names the agent %q, which is not configured; %s does it", t.ID, t.Agent, spec.Task.Agent.Name)
			found = spec.Task.Agent
		}
		spec.Agents[t.Agent] = found
	}
}

// agree shows the plan and what holds its agents, and asks once on a terminal.
func (a *app) agree(ctx context.Context, file planfile.File, spec engine.PlanSpec, f runFlags, holds string) error {
	if !f.events && !a.quiet {
		for _, line := range report.PlanOpening(a.planOpening(file, spec), a.palette(a.Err)) {
			a.say("%s", line)
		}
		a.say("%s", holds)
	}
	if !a.asks() || a.yes {
		return nil
	}
	answer, err := a.ask(ctx, "Begin? [Y/n] ")
	if err == nil && strings.HasPrefix(strings.ToLower(answer), "n") {
		err = usage("ralph run "+strconv.Quote(spec.File)+" when you are ready", "nothing was begun")
	}
	return err
}
