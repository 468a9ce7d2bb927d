package status

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/durable"
	"ralph/internal/engine"
)

type reportFlags struct {
	since, out, format string
	all, archived      bool
}

func (a *Commands) ReportCommand() *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:     "report [PLAN|ID...]",
		GroupID: command.GroupWatch,
		Short:   "The morning report: what passed, what failed and why, what needs you",
		Long: `The morning report: the verdict, what needs you, what is ready to review with its
evidence, what failed and why, what waits, what to look at twice, what it cost, what
was learned. When a plan ends, its report is written to .ralph/reports/ by itself.`,
		Example: `  ralph report                    # what is open, and the newest plans and loops that ended
  ralph report --all              # every plan and loop that is not archived
  ralph report --archived --since 30d   # with archived ones: what a month cost
  ralph report plan.md            # one plan; also by its id
  ralph report --since 12h
  ralph report -o report.html     # one file that needs no other; prints, too
  ralph report --format junit -o ralph.xml
  ralph report --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.reportOn(cmd.Context(), args, f)
		},
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, start string) ([]string, cobra.ShellCompDirective) {
			return a.CompleteIDs(cmd.Context(), start), cobra.ShellCompDirectiveNoFileComp
		},
	}
	names, _ := formatNames()
	fl := cmd.Flags()
	fl.StringVar(&f.since, "since", "", "what started or ended in the last `DURATION`")
	fl.BoolVar(&f.all, "all", false, "everything that is not archived, not only the newest 100 loops and 20 plans that ended")
	fl.BoolVar(&f.archived, "archived", false, "archived plans and loops too: what all of them cost")
	fl.StringVarP(&f.out, "output", "o", "", "write to `FILE` instead of standard output")
	fl.StringVar(&f.format, "format", "", "write as `FORMAT`: "+oneOf(names)+" (default: by the name of the file, else md)")
	return cmd
}

func (a *Commands) reportOn(ctx context.Context, ids []string, f reportFlags) error {
	format, err := a.formatOf(f)
	if err != nil {
		return err
	}
	p, err := a.Locate(ctx)
	if err != nil {
		return err
	}
	if err := a.Configure(p); err != nil {
		return err
	}
	if err := a.Connect(ctx, p, true); err != nil {
		return err
	}
	defer p.Close()
	f.all = f.all || format.whole
	r, err := a.reported(ctx, p, ids, f)
	if err != nil {
		return err
	}
	summary, err := runs.Summarize(ctx, a.Opener, p, r.Loops, r.Plans)
	if err != nil {
		return err
	}
	summary.More = r.More
	if len(ids) == 0 && !f.archived {
		if summary.Archived, err = runs.ArchivedRuns(ctx, p); err != nil {
			return err
		}
	}
	text, err := format.write(summary, a.Now())
	if err != nil {
		return err
	}
	if f.out == "" {
		if format.fold != nil && a.IsTerminal(a.Out) {
			text = format.fold(text, a.Palette(a.Out).Width)
		}
		_, err = io.WriteString(a.Out, text)
		return err
	}
	if !filepath.IsAbs(f.out) {
		f.out = filepath.Join(a.Dir, f.out)
	}
	err = writeWhole(f.out, []byte(text))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return exit.UsageError("name a file in a folder that exists and may be written to", "write the report: %v", err)
	}
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	a.Say("report: %s", f.out)
	return nil
}

// writeWhole writes a file of the user's. Where that fails, the file that was there stays as
// it is. A pipe and the like, and a file in a folder that the user may not write, are
// written in place.
func writeWhole(path string, text []byte) error {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
	}
	info, err := os.Stat(path)
	if err == nil && info.Mode().IsRegular() {
		err = durable.Replace(path, text, info.Mode().Perm())
		if !errors.Is(err, fs.ErrPermission) {
			return err
		}
	}
	had := err == nil || !errors.Is(err, fs.ErrNotExist)
	if err = os.WriteFile(path, text, 0o644); err != nil && !had {
		return errors.Join(err, ignoreMissing(os.Remove(path)))
	}
	return err
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (a *Commands) reported(ctx context.Context, p *project.Project, ids []string, f reportFlags) (runs.Reported, error) {
	switch {
	case len(ids) > 0:
		return a.named(ctx, p, ids)
	case f.since != "":
		return a.lately(ctx, p, f)
	case f.all, f.archived:
		return everything(ctx, p, time.Time{}, f.archived)
	}
	return runs.Newest(ctx, p, runs.MostReported)
}

// named are the runs with these names.
func (a *Commands) named(ctx context.Context, p *project.Project, ids []string) (r runs.Reported, err error) {
	for _, name := range ids {
		found, err := runs.Find(ctx, a.Opener, p, name, runs.Wanted{})
		if err != nil {
			return r, err
		}
		switch found := found.(type) {
		case *runs.Plan:
			r.Plans = append(r.Plans, found.Now)
		case *runs.Loop:
			r.Loops = append(r.Loops, found.Now)
		}
	}
	return r, nil
}

// everything is all that is not archived, or archived is too, and was recorded since then.
func everything(ctx context.Context, p *project.Project, since time.Time, archived bool) (r runs.Reported, err error) {
	f := engine.Filter{Since: since, Archived: archived}
	if r.Plans, err = engine.Overview(ctx, p.Plans.List, f, 0); err != nil {
		return r, err
	}
	f.Apart = true
	loops, err := p.Loops.List(ctx, f)
	if err == nil {
		err = p.Loops.Complete(ctx, loops)
	}
	r.Loops = runs.Reversed(loops)
	return r, err
}

// lately are the runs that started or ended in the last while.
func (a *Commands) lately(ctx context.Context, p *project.Project, f reportFlags) (runs.Reported, error) {
	d, err := runs.Age(f.since)
	if err != nil {
		return runs.Reported{}, exit.UsageError("--since 12h", "--since %q: %v", f.since, err)
	}
	from := a.Now().Add(-d)
	r, err := everything(ctx, p, from, f.archived)
	if err != nil {
		return r, err
	}
	r.Loops = slices.DeleteFunc(r.Loops, func(l engine.Loop) bool {
		return before(l.State.StartedAt, l.State.EndedAt, from)
	})
	r.Plans = slices.DeleteFunc(r.Plans, func(l engine.Plan) bool {
		return before(l.State.StartedAt, l.State.EndedAt, from)
	})
	return r, nil
}

// before: it neither started nor ended since.
func before(started, ended, since time.Time) bool {
	return started.Before(since) && (ended.IsZero() || ended.Before(since))
}
