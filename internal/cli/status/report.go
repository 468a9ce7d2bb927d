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
		Example: `  ralph report                    # every plan and loop that is not archived
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
	loops, plans, err := a.reported(ctx, p, ids, f.since)
	if err != nil {
		return err
	}
	summary, err := a.Summarize(ctx, p, loops, plans)
	if err != nil {
		return err
	}
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

// reported are the loops of a report that belong to no plan, oldest first, and
// its plans.
func (a *Commands) reported(ctx context.Context, p *project.Project, ids []string, since string) (loops []engine.Loop, plans []engine.Plan, err error) {
	for _, name := range ids {
		r, err := a.Find(ctx, p, name, runs.Wanted{})
		if err != nil {
			return nil, nil, err
		}
		switch r := r.(type) {
		case *runs.Plan:
			plans = append(plans, r.Now)
		case *runs.Loop:
			loops = append(loops, r.Now)
		}
	}
	if len(ids) > 0 {
		return loops, plans, nil
	}
	if loops, err = p.Engine.List(ctx, engine.Filter{Apart: true, History: true}); err != nil {
		return nil, nil, err
	}
	if plans, err = p.Planner.List(ctx, engine.Filter{}); err != nil || since == "" {
		return runs.Reversed(loops), plans, err
	}
	d, err := runs.Age(since)
	if err != nil {
		return nil, nil, exit.UsageError("--since 12h", "--since %q: %v", since, err)
	}
	from := a.Now().Add(-d)
	loops = slices.DeleteFunc(loops, func(l engine.Loop) bool {
		return before(l.State.StartedAt, l.State.EndedAt, from)
	})
	plans = slices.DeleteFunc(plans, func(l engine.Plan) bool {
		return before(l.State.StartedAt, l.State.EndedAt, from)
	})
	return runs.Reversed(loops), plans, nil
}

// before: it neither started nor ended since.
func before(started, ended, since time.Time) bool {
	return started.Before(since) && (ended.IsZero() || ended.Before(since))
}
