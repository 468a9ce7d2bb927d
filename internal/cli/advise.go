package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"ralph/internal/advise"
	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/planfile"
	"ralph/internal/text"
)

// advisedBy is how many of the newest loops the advice looks at.
const advisedBy = 500

func (a *app) adviseCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "advise [PLAN]",
		GroupID: command.GroupRun,
		Short:   "One loop, several, or groups? Computed from the plan and from what ran here",
		Long: `Tell whether one loop, several at once, or groups of them are the way to go,
with the reasons, every number, and where it comes from: the plan's graph, the
loops that ran in this repository, or published numbers. Without PLAN it is
about one more loop now. Nothing is started.`,
		Example: `  ralph advise prd.json       # how many loops for this plan
  ralph advise docs/plan.md --json
  ralph advise                # one more loop now?`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.advise(cmd.Context(), command.First(args), len(args) == 1)
		},
	}
}

func (a *app) advise(ctx context.Context, file string, planned bool) error {
	q := advise.Question{}
	if planned {
		f, err := a.readPlan(file)
		if err != nil {
			return err
		}
		q.Plan, q.File, q.Format = &f.Plan, file, string(f.Format)
	}
	if err := a.askHistory(ctx, &q); err != nil {
		return err
	}
	answer, err := advise.Advise(q)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.Encode(answer)
	}
	a.Print(a.Palette(a.Out).Out(advise.Text(answer)))
	return nil
}

// askHistory adds what this repository knows.
func (a *app) askHistory(ctx context.Context, q *advise.Question) error {
	p, err := a.Locate(ctx)
	if err != nil {
		return err
	}
	if err := a.Configure(p); err != nil {
		return err
	}
	q.Max = p.Settings.MaxLoops()
	if err := a.Connect(ctx, p, true); err != nil {
		return err
	}
	defer p.Close()
	past, err := p.Engine.List(ctx, engine.Filter{Archived: true, Limit: advisedBy, History: true})
	if err != nil {
		return err
	}
	q.Cut = len(past) == advisedBy
	for _, l := range past {
		q.Past = append(q.Past, loop.Whole{State: l.State, Attempts: l.History})
	}
	active, err := p.Engine.List(ctx, engine.Filter{Active: true})
	q.Active = project.States(project.Holding(active))
	return err
}

// readPlan reads a plan file. A plan may come from anybody: its mistakes are
// shown cleaned.
func (a *app) readPlan(name string) (planfile.File, error) { return a.readPlanAs(name, "") }

// readPlanAs reads a plan file in a format; an empty one is looked for.
func (a *app) readPlanAs(name string, as planfile.Format) (planfile.File, error) {
	f, err := a.loadPlan(name, as)
	if wrong := mistakes(err); wrong != nil {
		return f, &exit.Error{Code: exit.Usage, Err: errors.New(text.Clean(wrong.Error())), Hint: wrong.Hint()}
	}
	return f, err
}

// loadPlan reads a plan file in a format, or in the one that it is found to be
// in. What is wrong with it is planfile.Errors.
func (a *app) loadPlan(name string, as planfile.Format) (planfile.File, error) {
	data, err := a.readUpTo(name, planfile.MaxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return planfile.File{}, exit.UsageError("name a file that is there", "there is no plan %s", name)
	}
	if err != nil {
		return planfile.File{}, exit.UsageError("name a plan file", "read plan %s: %v", name, err)
	}
	return planfile.ReadAs(name, data, as)
}

// readUpTo reads a regular file, and one byte more than most of a larger one.
func (a *app) readUpTo(name string, most int64) ([]byte, error) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(a.Dir, path)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("it is no regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most+1))
}
