package migrate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/loop"
	"ralph/internal/migrate"
	"ralph/internal/store"
	"ralph/internal/view"
)

// migrateFlags are the flags of `ralph migrate`.
type migrateFlags struct {
	from         []string
	dryRun, link bool
}

func (a *Commands) MigrateCommand() *cobra.Command {
	var f migrateFlags
	cmd := &cobra.Command{
		Use:     "migrate",
		GroupID: command.GroupOther,
		Short:   "Import the loops of other runners, with their histories",
		Long: `Import the loops of other runners, with their counters and histories. Their files are copied, never moved or changed; each is imported once. What ended stays
ended, as its runner said. What did not is paused here if it has a task and a
check that ralph can run, and continues with ralph resume; else it is ended, with the
reason. docs/migration.md tells for each runner what is carried.

Exit code: 0 all is here, 1 something could not be read, 69 a loop waits for an
agent that is not installed. The others are imported all the same.`,
		Example: `  ralph migrate --dry-run                     # what lies here, and what would become of it
  ralph migrate
  ralph migrate --from agileflow              # only of this runner
  ralph migrate --from ../old-clone/.aiwg     # from elsewhere; or a single file
  ralph migrate --link                        # old readers find ralph's view of the loop`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, done := a.Interruptible(cmd.Context())
			defer done()
			return a.migrate(ctx, f)
		},
	}
	kinds := make([]string, len(migrate.Kinds()))
	for i, k := range migrate.Kinds() {
		kinds[i] = string(k)
	}
	cmd.Flags().StringArrayVar(&f.from, "from", nil, "only from `KIND|PATH` ("+strings.Join(kinds, ", ")+"; may be given again)")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "only say what would be imported")
	cmd.Flags().BoolVar(&f.link, "link", false, "leave .aiwg/ralph/current-loop.json as a link to ralph's view, a backup beside it")
	return cmd
}

// migration is one run of it.
type migration struct {
	*Commands
	p    *project.Project
	dry  bool
	now  time.Time
	done view.Migration
	// named are the ids that a dry run gave away.
	named map[string]bool
	// current is the loop that current-loop.json is about, and the id it got.
	current *migrate.Found
	linkTo  string
	// missing is why a loop waits that could continue.
	missing error
}

func (a *Commands) migrate(ctx context.Context, f migrateFlags) error {
	p, err := a.Locate(ctx)
	if err != nil {
		return err
	}
	if p.Place.MainRoot == "" {
		return exit.UsageError("call it in a tree", "a bare repository has no tree in which another runner could have left its state")
	}
	if err := a.Configure(p); err != nil {
		return err
	}
	if !f.dryRun {
		if err := a.Allow(ctx, p); err != nil {
			return err
		}
	}
	if err := a.Connect(ctx, p, f.dryRun); err != nil {
		return err
	}
	defer p.Close()
	m := &migration{Commands: a, p: p, dry: f.dryRun, now: a.Now().Round(0), named: map[string]bool{}}
	m.done = view.Migration{
		Schema: view.MigrateSchema, DryRun: f.dryRun,
		Folders: []view.MigratedFolder{}, Loops: []view.MigratedLoop{}, Problems: []view.MigrationProblem{},
	}
	if err := m.run(ctx, f); err != nil {
		return err
	}
	return m.tell()
}

func (m *migration) run(ctx context.Context, f migrateFlags) error {
	looks, err := m.looks(f.from)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, look := range looks {
		s, err := look.see()
		if err != nil {
			return err
		}
		if err := m.take(ctx, s, seen); err != nil {
			return err
		}
	}
	if f.link {
		return m.link(ctx)
	}
	return nil
}

// take imports what one look has found. A source that two looks see counts once.
func (m *migration) take(ctx context.Context, s migrate.Seen, seen map[string]bool) error {
	for _, e := range s.Problems {
		m.done.Problems = append(m.done.Problems, view.MigrationProblem{Path: e.Path, Line: e.Line, Why: e.Why, Hint: e.Hint})
	}
	for i := range s.Found {
		f := &s.Found[i]
		if seen[f.Source] {
			continue
		}
		seen[f.Source] = true
		if err := m.loop(ctx, f); err != nil {
			return fmt.Errorf("migrate %s: %w", f.Source, err)
		}
	}
	for _, f := range s.Folders {
		if err := m.folder(ctx, f, s.Found); err != nil {
			return fmt.Errorf("migrate %s: %w", f.Path, err)
		}
	}
	return nil
}

// loop brings one loop along, unless it is here already or waits for an agent.
func (m *migration) loop(ctx context.Context, f *migrate.Found) error {
	before, err := m.p.Store.WasImported(ctx, f.Source, f.SHA256)
	if err != nil {
		return err
	}
	row := view.MigratedLoop{
		Source: f.Source, Kind: string(f.Kind), ForeignID: f.ID, Task: f.Task, Iteration: f.Iteration, MaxIterations: f.Max, Lost: []view.Lost{},
	}
	if before.Already {
		m.already(f, row, before)
		return nil
	}
	adopted := m.adopt(ctx, f)
	if adopted == nil {
		row.Result, row.Message = view.MigrateWaiting, m.missing.Error()
		m.done.Loops = append(m.done.Loops, row)
		return nil
	}
	s, done, err := m.record(ctx, f, adopted)
	if err != nil {
		return err
	}
	if done.Already { // Another process was faster.
		m.already(f, row, done)
		return nil
	}
	m.imported(f, row, s)
	return nil
}

// mostNames bounds the search for a name that is free.
const mostNames = 1000

// record imports the loop under the first of its names that is free.
func (m *migration) record(ctx context.Context, f *migrate.Found, as func(id string) loop.State) (s loop.State, done store.Imported, err error) {
	n := 0
	for id := range f.Names() {
		if n++; n > mostNames {
			break
		}
		s = as(id)
		if m.dry {
			_, err = m.p.Store.Read(ctx, id)
			if errors.Is(err, store.ErrNoLoop) && !m.named[id] {
				m.named[id] = true
				return s, store.Imported{LoopID: id}, nil
			}
			if err != nil && !errors.Is(err, store.ErrNoLoop) {
				return s, done, err
			}
			continue
		}
		done, err = m.p.Store.Import(ctx, store.Import{Source: f.Source, SHA256: f.SHA256, State: s})
		if err == nil {
			m.fault("migrate:imported")
			return s, done, nil
		}
		if !errors.Is(err, store.ErrExists) && !errors.Is(err, fs.ErrExist) {
			return s, done, err
		}
	}
	return s, done, fmt.Errorf("no name is free for %q", f.ID)
}

func (m *migration) fault(point string) {
	if m.Fault != nil {
		m.Fault(point)
	}
}
