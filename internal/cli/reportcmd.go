package cli

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"ralph/internal/engine"
	"ralph/internal/report"
)

func (a *app) reportCommand() *cobra.Command {
	var since, out string
	cmd := &cobra.Command{
		Use:     "report [ID...]",
		GroupID: groupWatch,
		Short:   "The morning report: what passed, what failed and why, what needs you",
		Example: `  ralph report                    # every loop that is not archived
  ralph report --since 12h
  ralph report -o report.md
  ralph report --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.reportOn(cmd.Context(), args, since, out)
		},
	}
	cmd.Flags().StringVar(&since, "since", "", "loops that started or ended in the last `DURATION`")
	cmd.Flags().StringVarP(&out, "output", "o", "", "write to `FILE` instead of standard output")
	return cmd
}

func (a *app) reportOn(ctx context.Context, ids []string, since, out string) error {
	p, err := a.locate(ctx)
	if err != nil {
		return err
	}
	if err := a.configure(p); err != nil {
		return err
	}
	if err := a.connect(ctx, p, true); err != nil {
		return err
	}
	defer p.close()
	loops, err := a.reported(ctx, p, ids, since)
	if err != nil {
		return err
	}
	items, err := a.items(ctx, p, loops)
	if err != nil {
		return err
	}
	summary := report.Summarize(p.name(), items, a.now())
	if taught, err := p.engine.Patterns(ctx, engine.PatternQuery{}); err == nil {
		summary.Propose(taught)
	}
	var text []byte
	if a.json {
		text, err = report.Encode(summary)
	} else {
		text = []byte(report.Markdown(summary, a.now()))
	}
	if err != nil {
		return err
	}
	if out == "" {
		_, err = a.Out.Write(text)
		return err
	}
	if !filepath.IsAbs(out) {
		out = filepath.Join(a.Dir, out)
	}
	return os.WriteFile(out, text, 0o644)
}

// reported are the loops of a report, oldest first.
func (a *app) reported(ctx context.Context, p *project, ids []string, since string) ([]engine.Loop, error) {
	var loops []engine.Loop
	for _, name := range ids {
		l, err := a.pick(ctx, p, name)
		if err != nil {
			return nil, err
		}
		loops = append(loops, l)
	}
	if len(ids) > 0 {
		return loops, nil
	}
	loops, err := p.engine.List(ctx, engine.Filter{})
	if err != nil {
		return nil, err
	}
	slices.Reverse(loops)
	if since == "" {
		return loops, nil
	}
	d, err := age(since)
	if err != nil {
		return nil, usage("--since 12h", "--since %q: %v", since, err)
	}
	from := a.now().Add(-d)
	return slices.DeleteFunc(loops, func(l engine.Loop) bool {
		return l.State.StartedAt.Before(from) && (l.State.EndedAt.IsZero() || l.State.EndedAt.Before(from))
	}), nil
}
