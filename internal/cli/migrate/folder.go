package migrate

import (
	"context"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/learn"
	"ralph/internal/migrate"
	"ralph/internal/store"
	"ralph/internal/view"
)

// folder tells what is lost of a folder, counts what ended without a record, and
// remembers that all of it was looked at.
func (m *migration) folder(ctx context.Context, f migrate.Folder, found []migrate.Found) error {
	row := view.MigratedFolder{Kind: string(f.Kind), Path: f.Path, Lost: []view.Lost{}}
	for _, l := range f.Lost {
		row.Lost = append(row.Lost, view.Lost{What: l.What, Why: l.Why})
	}
	if f.Registry != nil && !f.Whole {
		row.Lost = append(row.Lost, view.Lost{What: "total_completed, total_aborted", Why: "counted when all of the folder can be read"})
	}
	m.done.Folders = append(m.done.Folders, row)
	if err := m.lessons(ctx, f.Lessons); err != nil {
		return err
	}
	if !f.Whole {
		return nil
	}
	if f.Registry != nil {
		if err := m.totals(ctx, *f.Registry, within(f.Path, found)); err != nil {
			return err
		}
	}
	if m.dry || m.waiting(f.Path) {
		return nil
	}
	return m.p.Store.NoteImport(ctx, f.Path)
}

// within are the loops that lie below a folder.
func within(dir string, found []migrate.Found) (out []migrate.Found) {
	for _, f := range found {
		if strings.HasPrefix(f.Source, dir+"/") {
			out = append(out, f)
		}
	}
	return out
}

func (m *migration) waiting(dir string) bool {
	for _, l := range m.done.Loops {
		if l.Result == view.MigrateWaiting && (l.Source == dir || strings.HasPrefix(l.Source, dir+"/")) {
			return true
		}
	}
	return false
}

// totals are the loops that a registry counted and that left no record. Those
// that did are counted one by one.
func (m *migration) totals(ctx context.Context, r migrate.Counted, found []migrate.Found) error {
	left := store.Totals{Passed: r.Completed, Aborted: r.Aborted}
	for _, f := range found {
		switch f.Standing {
		case migrate.Passed:
			left.Passed--
		case migrate.Failed, migrate.Aborted: // Its program counts failed ones as aborted.
			left.Aborted--
		}
	}
	left.Passed, left.Aborted = max(left.Passed, 0), max(left.Aborted, 0)
	if left == (store.Totals{}) {
		return nil
	}
	done, err := m.p.Store.WasImported(ctx, r.Source, r.SHA256)
	if err == nil && !done.Already && !m.dry {
		done, err = m.p.Store.ImportTotals(ctx, r.Source, r.SHA256, left)
	}
	if err == nil && !done.Already {
		m.done.Totals.Passed += left.Passed
		m.done.Totals.Aborted += left.Aborted
	}
	return err
}

// lessons stores learned patterns as unreviewed notes.
func (m *migration) lessons(ctx context.Context, files []migrate.Lessons) error {
	for _, file := range files {
		if done, err := m.p.Store.WasImported(ctx, file.Source, file.SHA256); err != nil {
			return err
		} else if done.Already {
			continue
		}
		m.done.Patterns += len(file.All)
		if m.dry {
			continue
		}
		for _, l := range file.All {
			note, err := learn.NewNote(learn.NoteInput{Text: l.Text, By: string(migrate.Aiwg), Loop: l.Loop}, m.now)
			if err != nil { // Nothing that can be shown is left of it.
				m.done.Patterns--
				continue
			}
			if _, err := m.p.Store.AddPattern(ctx, note, learn.Unreviewed); err != nil {
				return err
			}
		}
		if _, err := m.p.Store.ImportTotals(ctx, file.Source, file.SHA256, store.Totals{}); err != nil {
			return err
		}
	}
	return nil
}

// tell prints what was done. Files that could not be read, and loops that wait,
// are in the exit code.
func (m *migration) tell() error {
	if m.JSON {
		if err := m.Encode(m.done); err != nil {
			return err
		}
	} else {
		m.Print(view.MigrationText(m.done, m.Palette(m.Out)))
	}
	switch {
	case len(m.done.Problems) > 0:
		return exit.With(exit.Failed)
	case m.missing != nil:
		f := exit.Classify(m.missing)
		if m.JSON {
			return exit.With(f.Code)
		}
		return &exit.Error{Code: f.Code, Err: m.missing, Hint: f.Hint}
	}
	return nil
}
