package worker

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/text"
)

func (a *Commands) listCommand(f *flags) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the workers of the team",
		Long: `List the workers of the repository: host, version, labels, load and newest heartbeat, and
which accounts of their agents do not serve now. Plans in the places of tasks count, too. A worker announces itself every ten seconds. One that
was silent for half a minute has ended or is cut off, and the server forgets it after five
minutes.`,
		Example: `  ralph worker list
  ralph worker list --repo git@host:team/shop.git --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.TeamAddress == nil {
				return exit.UsageError("--engine temporal://HOST:7233/NAMESPACE", "which server keeps the loops?")
			}
			return a.list(cmd.Context(), f.repo)
		},
	}
}

func (a *Commands) list(ctx context.Context, repo string) error {
	p, err := a.opened(ctx, repo)
	if err != nil {
		return err
	}
	defer p.Close()
	all, err := p.Workers(ctx)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.Object(map[string]any{"schema": "ralph.workers/v1", "workers": objects(all, a.Now())})
	}
	if len(all) == 0 {
		a.Print("No worker has announced itself. ralph worker --repo URL starts one.")
		return nil
	}
	a.Print(table(all, a.Now()))
	return nil
}

// opened is the project of this clone, or of a repository by its address.
func (a *Commands) opened(ctx context.Context, repo string) (*project.Project, error) {
	if repo != "" {
		return a.OpenMirror(ctx, repo)
	}
	return a.Open(ctx, true)
}

// row is a worker as programs read it.
type row struct {
	Host    string    `json:"host"`
	Process int       `json:"process"`
	Version string    `json:"version"`
	Labels  []string  `json:"labels"`
	Slots   int       `json:"slots"`
	Loops   int       `json:"loops"`
	Plans   int       `json:"plans"`
	Started time.Time `json:"started"`
	Seen    time.Time `json:"seen"`
	Silent  bool      `json:"silent"`
	// Accounts are those of its agents that do not serve.
	Accounts []account `json:"accounts"`
}

type account struct {
	Label   string     `json:"label"`
	Trouble string     `json:"trouble"`
	Until   *time.Time `json:"until"`
}

func accountObjects(w engine.WorkerProcess) []account {
	out := make([]account, len(w.Accounts))
	for i, a := range w.Accounts {
		out[i] = account{Label: a.Label, Trouble: a.Trouble}
		if until := a.Until.UTC(); !a.Until.IsZero() {
			out[i].Until = &until
		}
	}
	return out
}

func objects(all []engine.WorkerProcess, now time.Time) []row {
	out := make([]row, len(all))
	for i, w := range all {
		out[i] = row{w.Host, w.Process, w.Version, append([]string{}, w.Labels...), w.Slots, w.Loops, w.Plans, w.Started.UTC(), w.Seen.UTC(), silent(w, now), accountObjects(w)}
	}
	return out
}

func silent(w engine.WorkerProcess, now time.Time) bool { return now.Sub(w.Seen) > engine.Silent }

func table(all []engine.WorkerProcess, now time.Time) string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "HOST\tPROCESS\tVERSION\tLABELS\tLOOPS\tPLANS\tUP\tSEEN")
	for _, w := range all {
		seen := text.Age(w.Seen, now) + " ago"
		if silent(w, now) {
			seen += ", silent"
		}
		labels := "-"
		if len(w.Labels) > 0 {
			labels = strings.Join(w.Labels, ",")
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%d of %d\t%d\t%s\t%s\n", text.Line(w.Host), w.Process, text.Line(w.Version), text.Line(labels), w.Loops, w.Slots, w.Plans, text.Age(w.Started, now), seen)
	}
	_ = t.Flush()
	for _, w := range all {
		for _, a := range w.Accounts {
			fmt.Fprintf(&b, "%s, process %d: %s: %s", text.Line(w.Host), w.Process, text.Line(a.Label), text.Line(a.Trouble))
			if !a.Until.IsZero() {
				fmt.Fprintf(&b, " %s", a.Until.Local().Format(time.DateTime))
			}
			b.WriteByte('\n')
		}
	}
	return strings.TrimRight(b.String(), "\n")
}
