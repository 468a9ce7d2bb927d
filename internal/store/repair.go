package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ralph/internal/store/sqlrow"
)

// Repaired is what Repair did about a damaged run.
type Repaired struct {
	Damage
	// From names the sources of what was restored. It is empty where nothing was, for
	// the reason Err, and the run was left as it is.
	From []string
	Err  error
}

// errRepair ends a try to repair a run without any change.
var errRepair = errors.New("neither its events nor a copy has what is needed")

// Repair restores damaged runs from their own events and states, from checkpoints and
// from the copies that were made before migrations. What it replaces is kept in the
// table damaged. A run that cannot be restored is left as it is, and so is one that a
// process runs.
func (s *Store) Repair(ctx context.Context) (all []Repaired, err error) {
	found, err := s.Damaged(ctx)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	copies := s.copiesBefore(ctx)
	defer func() {
		for _, c := range copies {
			_ = c.Close()
		}
	}()
	for _, d := range found {
		r := Repaired{Damage: d}
		for _, source := range append([]*Store{nil}, copies...) {
			if r.From, r.Err = s.repair(ctx, d, source); !errors.Is(r.Err, errRepair) {
				break
			}
		}
		all = append(all, r)
	}
	s.show(ctx)
	return all, nil
}

// copyPaths returns the copies that were made before migrations, the newest first.
func (s *Store) copyPaths() []string {
	prefix := s.file + ".before-v"
	files, _ := filepath.Glob(filepath.Join(s.dir, prefix+"*"))
	version := func(path string) int {
		v, _ := strconv.Atoi(strings.TrimPrefix(filepath.Base(path), prefix))
		return v
	}
	slices.SortFunc(files, func(a, b string) int { return version(b) - version(a) })
	return files
}

// copiesBefore opens those copies.
func (s *Store) copiesBefore(ctx context.Context) (all []*Store) {
	for _, path := range s.copyPaths() {
		c := newStore(s.dir, filepath.Base(path), Options{ReadOnly: true, Wait: s.o.Wait, Now: s.o.Now}, s.schema)
		if _, err := c.database(ctx); err == nil {
			all = append(all, c)
		}
	}
	return all
}

// repair restores one run in one transaction, with the rows of a copy where there is
// one.
func (s *Store) repair(ctx context.Context, d Damage, source *Store) (from []string, err error) {
	k := kindOf(d.Kind)
	var other *sql.Tx
	if source != nil {
		db, err := source.database(ctx)
		if err != nil || db == nil {
			return nil, err
		}
		if other, err = db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}); err != nil {
			return nil, err
		}
		defer func() { _ = other.Rollback() }()
	}
	err = s.write(ctx, fmt.Sprintf("repair %s %q", d.Kind, d.ID), func(tx *sql.Tx) error {
		p, err := s.examineRun(ctx, tx, k, d.ID)
		if err != nil {
			return err
		}
		if held, err := heldBy(s.runLock(k, d.ID), p.epoch, p.owner); err != nil || held {
			return errors.Join(err, errors.New("a process runs it: stop it first"))
		}
		t := &runRepair{s: s, examinedRun: p, tx: tx, other: other}
		if source != nil {
			t.otherName = source.file
		}
		from, err = t.apply(ctx)
		return err
	})
	switch {
	case errors.Is(err, errRepair):
		return nil, errRepair
	case err != nil:
		return nil, err
	}
	return from, nil
}

// runRepair is one try to repair a run.
type runRepair struct {
	s *Store
	*examinedRun
	tx *sql.Tx
	// other is a copy of the database, or nil.
	other     *sql.Tx
	otherName string
	from      []string
}

func (t *runRepair) apply(ctx context.Context) ([]string, error) {
	if len(t.journal.wrong)+len(t.unread) > 0 {
		if err := t.repairEvents(ctx); err != nil {
			return nil, err
		}
	}
	if t.state != "" {
		if err := t.repairState(ctx); err != nil {
			return nil, err
		}
	}
	if err := t.repairDerived(ctx); err != nil {
		return nil, err
	}
	return t.from, t.healthy(ctx)
}

// healthy examines the run once more.
func (t *runRepair) healthy(ctx context.Context) error {
	p, err := t.s.examineRun(ctx, t.tx, t.k, t.id)
	if err != nil {
		return err
	}
	if len(p.findings()) > 0 {
		return errRepair
	}
	return nil
}

// repairEvents removes rows that are too many and takes the others from the copy.
func (t *runRepair) repairEvents(ctx context.Context) error {
	for _, f := range slices.Concat(t.journal.wrong, t.unread) {
		for seq := f.from; seq <= f.to; seq++ {
			if err := t.repairEvent(ctx, seq, f.what); err != nil {
				return err
			}
		}
	}
	p, err := t.s.examineRun(ctx, t.tx, t.k, t.id)
	if err != nil {
		return err
	}
	if len(p.journal.wrong)+len(p.unread) > 0 {
		return errRepair
	}
	t.examinedRun = p
	return nil
}

func (t *runRepair) repairEvent(ctx context.Context, seq int64, what string) error {
	switch what {
	case faultTwice:
		t.note("its events")
		return t.setAside(ctx, what, `seq = ?2 AND rowid > (SELECT min(rowid) FROM %events WHERE %key = ?1 AND seq = ?2)`, seq)
	case faultAdded:
		t.note("its events")
		return t.setAside(ctx, what, `seq = ?2`, seq)
	}
	if t.other == nil {
		return errRepair
	}
	r, epoch, err := t.copied(ctx, seq)
	if err != nil {
		return err
	}
	t.note(t.otherName)
	if err := t.setAside(ctx, what, `seq = ?2`, seq); err != nil {
		return err
	}
	return t.k.append(ctx, t.tx, t.num, epoch, r)
}

func (t *runRepair) note(from string) {
	if !slices.Contains(t.from, from) {
		t.from = append(t.from, from)
	}
}

// setAside moves events into the table of what was damaged.
func (t *runRepair) setAside(ctx context.Context, what, which string, seq int64) error {
	const row = `json_object('seq', seq, 'epoch', epoch, 'at', at, 'name', name, 'data', hex(data), 'hash', hex(hash))`
	_, err := t.tx.ExecContext(ctx, t.k.q(`INSERT INTO damaged (kind, run, at, what, data) SELECT '%kind', ?1, ?3, ?4, `+row+` FROM %events WHERE %key = ?1 AND `+which),
		t.num, seq, sqlrow.Nano(t.s.o.Now()), fmt.Sprintf("event %d %s", seq, what))
	if err == nil {
		_, err = t.tx.ExecContext(ctx, t.k.q(`DELETE FROM %events WHERE rowid IN (SELECT rowid FROM %events WHERE %key = ?1 AND `+which+`)`), t.num, seq)
	}
	return err
}

// copied is an event as the copy has it.
func (t *runRepair) copied(ctx context.Context, seq int64) (r row, epoch int64, err error) {
	e, err := t.k.entry(ctx, t.other, t.id)
	if errors.Is(err, t.k.missing) {
		return r, 0, errRepair
	}
	if err != nil {
		return r, 0, err
	}
	var at int64
	err = t.other.QueryRowContext(ctx, t.k.q(`SELECT seq, epoch, at, name, data, hash FROM %events WHERE %key = ? AND seq = ?`), e.num, seq).
		Scan(&r.seq, &epoch, &at, &r.name, &r.data, &r.hash)
	if errors.Is(err, sql.ErrNoRows) {
		return r, 0, errRepair
	}
	r.at = sqlrow.Time(at)
	return r, epoch, err
}
