package status

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
)

type reportFlags struct {
	since, out, format string
	all                bool
}

// The newest runs that have ended stand in a report that names none: as many as a
// person reads, and a page of a store with thousands of them stays small.
const (
	mostReported      = 100
	mostReportedPlans = 20
)

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
	fl := cmd.Flags()
	fl.StringVar(&f.since, "since", "", "what started or ended in the last `DURATION`")
	fl.BoolVar(&f.all, "all", false, "everything that is not archived, not only the newest 100 loops and 20 plans that ended")
	fl.StringVarP(&f.out, "output", "o", "", "write to `FILE` instead of standard output")
	fl.StringVar(&f.format, "format", "", "write as `FORMAT`: md, json, html or junit (default: by the name of the file, else md)")
	return cmd
}

// reportFormat is the one asked for, or what the file's name says.
func (a *Commands) reportFormat(f reportFlags) (string, error) {
	named := map[string]string{".html": "html", ".htm": "html", ".json": "json", ".xml": "junit"}[strings.ToLower(filepath.Ext(f.out))]
	switch f.format {
	case "":
		if a.JSON {
			return "json", nil
		}
		if ext := strings.ToLower(filepath.Ext(f.out)); named == "" && !slices.Contains([]string{"", ".md", ".markdown", ".txt"}, ext) {
			return "", exit.UsageError("name it .md, .html, .json or .xml (junit), or add --format", "-o %s: no format has the ending %s", f.out, ext)
		}
		return cmp.Or(named, "md"), nil
	case "md", "json", "html", "junit":
		if a.JSON && f.format != "json" {
			return "", exit.UsageError("leave out --json", "--json and --format %s ask for different formats", f.format)
		}
		return f.format, nil
	case "markdown":
		return "md", nil
	}
	return "", exit.UsageError("--format md, json, html or junit", "--format %q is not one of: md, json, html, junit", f.format)
}

func (a *Commands) reportOn(ctx context.Context, ids []string, f reportFlags) error {
	format, err := a.reportFormat(f)
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
	if format == "junit" {
		f.all = true // a build server must not miss a failure
	}
	r, err := a.reported(ctx, p, ids, f)
	if err != nil {
		return err
	}
	summary, err := a.Summarize(ctx, p, r.loops, r.plans)
	if err != nil {
		return err
	}
	summary.More = r.more
	text, err := a.Formatted(summary, format)
	if err != nil {
		return err
	}
	if f.out == "" {
		_, err = a.Out.Write(text)
		return err
	}
	if !filepath.IsAbs(f.out) {
		f.out = filepath.Join(a.Dir, f.out)
	}
	err = os.WriteFile(f.out, text, 0o644)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return exit.UsageError("name a file in a folder that exists and may be written to", "write the report: %v", err)
	}
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// reported are the runs of a report: its plans, and the loops that belong to none, oldest
// first. As many more ended earlier.
type reported struct {
	loops []engine.Loop
	plans []engine.Plan
	more  int
}

func (a *Commands) reported(ctx context.Context, p *project.Project, ids []string, f reportFlags) (reported, error) {
	switch {
	case len(ids) > 0:
		return a.named(ctx, p, ids)
	case f.since != "":
		return a.lately(ctx, p, f.since)
	case f.all:
		return everything(ctx, p, time.Time{})
	}
	return newest(ctx, p)
}

// named are the runs with these names.
func (a *Commands) named(ctx context.Context, p *project.Project, ids []string) (r reported, err error) {
	for _, name := range ids {
		found, err := a.Find(ctx, p, name, runs.Wanted{})
		if err != nil {
			return r, err
		}
		switch found := found.(type) {
		case *runs.Plan:
			r.plans = append(r.plans, found.Now)
		case *runs.Loop:
			r.loops = append(r.loops, found.Now)
		}
	}
	return r, nil
}

// everything is all that is not archived; of loops, those recorded since then.
func everything(ctx context.Context, p *project.Project, since time.Time) (r reported, err error) {
	loops, err := p.Engine.List(ctx, engine.Filter{Apart: true, History: true, Since: since})
	if err != nil {
		return r, err
	}
	r.loops = runs.Reversed(loops)
	r.plans, err = p.Planner.List(ctx, engine.Filter{})
	return r, err
}

// newest are the runs that have not ended, and the newest that have.
func newest(ctx context.Context, p *project.Project) (r reported, err error) {
	open, err := p.Engine.List(ctx, engine.Filter{Active: true, Apart: true, History: true})
	if err != nil {
		return r, err
	}
	f := engine.Filter{Ended: true, Apart: true, History: true, Limit: mostReported}
	ended, err := p.Engine.List(ctx, f)
	if err != nil {
		return r, err
	}
	full := len(ended) == mostReported
	if ended, err = runs.WithUnsettled(ctx, p, ended, f); err != nil {
		return r, err
	}
	if full {
		n, err := p.Engine.Count(ctx, f)
		if err != nil {
			return r, err
		}
		r.more = max(n-len(ended), 0)
	}
	r.loops = runs.Reversed(append(open, ended...))
	if r.plans, err = p.Planner.List(ctx, engine.Filter{Recent: mostReportedPlans, Unsettled: true}); err != nil || len(r.plans) < mostReportedPlans {
		return r, err
	}
	all, err := p.Planner.Marks(ctx, engine.Filter{})
	r.more += max(len(all)-len(r.plans), 0)
	return r, err
}

// lately are the runs that started or ended in the last while.
func (a *Commands) lately(ctx context.Context, p *project.Project, since string) (reported, error) {
	d, err := runs.Age(since)
	if err != nil {
		return reported{}, exit.UsageError("--since 12h", "--since %q: %v", since, err)
	}
	from := a.Now().Add(-d)
	r, err := everything(ctx, p, from)
	if err != nil {
		return r, err
	}
	r.loops = slices.DeleteFunc(r.loops, func(l engine.Loop) bool {
		return before(l.State.StartedAt, l.State.EndedAt, from)
	})
	r.plans = slices.DeleteFunc(r.plans, func(l engine.Plan) bool {
		return before(l.State.StartedAt, l.State.EndedAt, from)
	})
	return r, nil
}

// before: it neither started nor ended since.
func before(started, ended, since time.Time) bool {
	return started.Before(since) && (ended.IsZero() || ended.Before(since))
}
