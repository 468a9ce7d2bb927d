package demo

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/runs"
	"ralph/internal/demo"
	"ralph/internal/engine"
	"ralph/internal/engine/planner"
	"ralph/internal/next"
	"ralph/internal/view"
)

// demoPlanSchema is the name of the format of `demo --plan --json`.
const demoPlanSchema = "ralph.demoplan/v1"

// demoPlanObject is how the demonstration of a plan ended.
type demoPlanObject struct {
	Schema      string       `json:"schema"`
	Directory   string       `json:"directory"`
	Repository  string       `json:"repository"`
	Tests       string       `json:"tests"`
	Scripted    bool         `json:"scripted"`
	AsAnnounced bool         `json:"as_announced"`
	Differs     []string     `json:"differs"`
	Plan        view.PlanRun `json:"plan"`
}

// demoPlan works through a plan of three tasks as `ralph run plan.md` does.
func (d *demonstration) demoPlan(ctx context.Context) error {
	asks := d.Asks()
	d.announcePlan(asks)
	f := launch.Flags{Agent: "script:" + filepath.Join(d.dir, demo.ScriptDir, "guide.yaml"), Iterations: fmt.Sprint(demo.PlanAttempts), Multiplier: 1}
	f.Plan = launch.PlanFlags{Parallel: "2", Trust: true, Unattended: "wait"}
	if !asks {
		f.Plan.Unattended = "default"
	}
	inner := d.runner.Copy()
	inner.Yes, inner.JSON = true, false
	inner.Env = append(inner.Env, "RALPH_PLANS_ANSWER_AFTER=off")
	path := filepath.Join(d.Dir, demo.PlanFile)
	err := d.runPlan(ctx, inner, path, f)
	if code := exit.Classify(err); err != nil && (!code.Quiet || code.Code != exit.Failed) {
		return err
	}
	l, err := d.project.Plans.Show(ctx, planner.PlanID(path))
	if err != nil {
		return err
	}
	return d.concludePlan(ctx, l)
}

func (d *demonstration) announcePlan(asks bool) {
	d.Say("A demonstration of ralph: a plan of three tasks, from beginning to end.\n")
	d.Say("  engine  real, with real git and real worktrees")
	d.Say("  repo    real, to be thrown away: %s", d.Dir)
	d.Say("  tests   real: %s", d.variant.Tests)
	d.Say("  agent   a script: no AI, no network; tokens n/a, cost n/a")
	who := "There is no terminal to answer it on: its default is taken."
	if asks {
		who = "You answer it."
	}
	d.Say("\n%s\n", folded(demo.PlanAnnounced+" "+who, 78))
	d.Say("$ ralph run %s --parallel 2 --trust-plan \\\n    --max-iterations %d --agent script:../%s/guide.yaml\n", demo.PlanFile, demo.PlanAttempts, demo.ScriptDir)
}

// concludePlan compares the record with what was announced.
func (d *demonstration) concludePlan(ctx context.Context, l engine.Plan) error {
	differs := demo.PlanDiffers(l.State)
	if asked, err := d.guideAsked(ctx, l); err != nil {
		return err
	} else if !asked {
		differs = append(differs, "plan: the guide's question was not answered")
	}
	item, err := runs.PlanItem(ctx, d.project, l, runs.Proving)
	if err != nil {
		return err
	}
	if d.JSON {
		err = d.Encode(demoPlanObject{
			Schema: demoPlanSchema, Directory: d.dir, Repository: d.Dir, Tests: d.variant.Name, Scripted: true,
			AsAnnounced: len(differs) == 0, Differs: append([]string{}, differs...),
			Plan: view.PlanOf(item, d.Now()).Object,
		})
	} else {
		d.Print(d.closingPlan(l.State.ID, len(differs) == 0))
	}
	if err != nil || len(differs) == 0 {
		return err
	}
	return &exit.Error{
		Code: exit.Failed, Err: errors.New("the demonstration did not end as announced:\n  " + strings.Join(differs, "\n  ")),
		Hint: "this is a mistake in ralph, or something on this machine is unusual; everything is in " + d.dir,
	}
}

// guideAsked: the last task has put its question, and has an answer.
func (d *demonstration) guideAsked(ctx context.Context, l engine.Plan) (bool, error) {
	last := l.State.Tasks[len(l.State.Tasks)-1]
	if last.Loop == "" {
		return false, nil
	}
	guide, err := d.project.Loops.Show(ctx, last.Loop)
	if err != nil {
		return false, err
	}
	q := guide.State.Questions
	return len(q) == 1 && q[0].Answered, nil
}

func (d *demonstration) closingPlan(id string, announced bool) string {
	end := "2 of 3 tasks landed"
	if announced {
		end += ", as announced. The failure was deliberate"
	}
	return fmt.Sprintf(`
%s.

LOOK AROUND
  cd %s
  %s  # every task, and where it stands
  %s  # what one reads in the morning
  %s  # each task landed in a commit of its own
  %s  # what landed is ticked
  %s  # merge what landed

ON YOUR OWN REPOSITORY
  %s  # any plan: docs/plans.md has the formats
  ralph run plan.md --until "the command that tests it"
`, end, command.ShellWord(d.Dir), column(next.Show(id)), column("ralph report"), column("git log --oneline --all --graph"),
		column("cat plan.md"), column(next.Accept(id)), column("ralph plan show plan.md")) + d.fate() + ourName()
}

// column is a command with something beside it.
func column(command string) string { return fmt.Sprintf("%-32s", command) }
