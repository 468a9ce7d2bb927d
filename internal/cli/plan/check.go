package plan

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/engine/planner"
	"ralph/internal/plan"
	"ralph/internal/planfile"
	"ralph/internal/text"
	"ralph/internal/view"
)

// CheckSchema names what plan check --json prints.
const CheckSchema = "ralph.plancheck/v1"

// Check is the answer to whether a plan is sound, and whether it is done.
type Check struct {
	Schema string          `json:"schema"`
	File   string          `json:"file"`
	Format planfile.Format `json:"format,omitempty"`
	Valid  bool            `json:"valid"`
	// Done: every task is over, and no gap and no edge case is left.
	Done      bool             `json:"done"`
	Counts    *planfile.Counts `json:"counts,omitempty"`
	Gaps      int              `json:"gaps"`
	EdgeCases int              `json:"edge_cases"`
	// Ordered are the open tasks that wait only because of the order of the file.
	Ordered  int                `json:"ordered"`
	Errors   []planMistake      `json:"errors"`
	Warnings []planfile.Warning `json:"warnings"`
	// Review is there where --review asked for one and the plan is sound.
	Review *Criticism `json:"review,omitempty"`
}

// planMistake is one thing that is wrong; line 0 is the file as a whole.
type planMistake struct {
	Line    int    `json:"line"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

func (a *Commands) checkCommand() *cobra.Command {
	var review bool
	var critic agentFlags
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Validate a plan and report its progress, or have it reviewed",
		Long: `Check a plan. Exit codes: 0 all is done, 2 the plan is sound and work is left,
1 something is wrong with it, or with a plan that is run in the place of one of
its open tasks; told with file and line.

With --review a reviewer (review.reviewers, or --agent) reads a sound plan before
it runs: missing criteria, tasks too large or too small, overlaps, order, unclear
text. The file stays as it is. Exit codes then: 0 no findings, 1 findings or a
plan that is wrong, 4 the usage limit is spent, 69 no reviewer answered.`,
		Example: `  ralph plan check prd.json
  ralph plan check docs/plan.md && echo done
  ralph plan check tasks.md --json | jq .errors
  ralph plan check plan.md --review --agent claude`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if critic.given() && !review {
				return exit.UsageError("add --review", "only a review asks an agent")
			}
			return a.check(cmd.Context(), args[0], review, critic)
		},
	}
	cmd.Flags().BoolVar(&review, "review", false, "have the plan reviewed before it runs")
	critic.add(cmd)
	return cmd
}

func (a *Commands) check(ctx context.Context, name string, review bool, critic agentFlags) error {
	f, err := launch.LoadPlan(a.Opener, name, "")
	wrong := launch.Mistakes(err)
	if err != nil && wrong == nil {
		return err
	}
	path := a.realPlan(name)
	if len(wrong) == 0 {
		wrong = append(a.innerMistakes(path, f.Plan), a.unknownAgents(ctx, path, f.Plan)...)
		f.Plan = a.withRecorded(ctx, path, f.Format, reopened(path, f.Plan))
	}
	check := checkOf(name, f, wrong)
	if check.Valid {
		check.Warnings = append(check.Warnings, append(a.unproved(ctx, path, f.Plan), launch.LikelyKinds(f.Plan)...)...)
	}
	if review && check.Valid {
		if err := a.criticise(ctx, &check, critic); err != nil {
			return err
		}
	}
	if !a.JSON {
		a.printCheck(check)
	} else if err := a.Object(check); err != nil {
		return err
	}
	switch {
	case !check.Valid, check.Review != nil && len(check.Review.Findings) > 0:
		return exit.With(exit.Failed)
	case !check.Done && check.Review == nil:
		return exit.With(exit.Unfinished)
	}
	return nil
}

// withRecorded adds the open gaps and edge cases that ralph's record of the plan
// has, where the file's format has no place for any.
func (a *Commands) withRecorded(ctx context.Context, path string, format planfile.Format, pl plan.Plan) plan.Plan {
	if format == planfile.Sections || format == planfile.Object {
		return pl
	}
	p, err := a.Open(ctx, true)
	if err != nil {
		return pl // outside of a repository nothing is recorded
	}
	defer p.Close()
	l, err := p.Plans.Show(ctx, planner.IDOf(path))
	if err != nil {
		return pl
	}
	for _, f := range l.State.Open() {
		if f.Kind == plan.Gap {
			pl.Gaps = append(pl.Gaps, f.Text)
		} else {
			pl.EdgeCases = append(pl.EdgeCases, f.Text)
		}
	}
	return pl
}

func checkOf(name string, f planfile.File, wrong planfile.Errors) Check {
	c := Check{Schema: CheckSchema, File: name, Format: f.Format, Valid: len(wrong) == 0, Errors: []planMistake{}, Warnings: []planfile.Warning{}}
	for _, e := range wrong {
		c.Errors = append(c.Errors, planMistake{e.Line, e.Message, e.Hint})
	}
	if !c.Valid {
		return c
	}
	counts := view.PlanCounts(f.Plan)
	c.Counts, c.Gaps, c.EdgeCases = &counts, len(f.Plan.Gaps), len(f.Plan.EdgeCases)
	c.Done = counts.Open == 0 && c.Gaps+c.EdgeCases == 0
	c.Ordered = ordered(f.Plan)
	c.Warnings = append(c.Warnings, f.Warnings...)
	return c
}

func (a *Commands) printCheck(c Check) {
	for _, e := range c.Errors {
		where := c.File
		if e.Line > 0 {
			where = fmt.Sprintf("%s:%d", c.File, e.Line)
		}
		a.Print(text.Clean(where + ": " + e.Message))
		if e.Hint != "" {
			a.Print("  " + text.Clean(e.Hint))
		}
	}
	for _, w := range c.Warnings {
		where := c.File
		if w.Line > 0 {
			where = fmt.Sprintf("%s:%d", c.File, w.Line)
		}
		a.Print(text.Clean(where + ": note: " + w.Message))
	}
	switch {
	case !c.Valid:
	case c.Done:
		a.Print(fmt.Sprintf("%s: all %d tasks are done or skipped", text.Clean(c.File), c.Counts.Tasks))
	default:
		s := fmt.Sprintf("%s: sound; %d of %d tasks left", text.Clean(c.File), c.Counts.Open, c.Counts.Tasks)
		if c.Gaps+c.EdgeCases > 0 {
			s += fmt.Sprintf(", %d gaps, %d edge cases", c.Gaps, c.EdgeCases)
		}
		a.Print(s)
		if c.Ordered > 0 {
			a.Print("  " + orderedWords(c.Ordered, c.Format))
		}
	}
	if c.Review != nil {
		a.printCriticism(c)
	}
}
