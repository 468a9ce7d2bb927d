package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Archive puts an ended loop away, or one whose record is damaged: its row is marked
// and its files move. Doing it again finishes what was cut off.
func (s *Store) Archive(ctx context.Context, id string) error {
	moved := false
	err := s.write(ctx, fmt.Sprintf("archive loop %q", id), func(tx *sql.Tx) error {
		e, err := s.mayArchive(ctx, tx, loopRuns, id)
		if err == nil && !e.Archived {
			_, err = s.mayTake(loopRuns, id, e.Epoch, e.Owner, false)
		}
		if err != nil {
			return err
		}
		if moved, err = s.move(s.loopDir(id), s.archiveDir(id)); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE loops SET archived = 1, ended = 1 WHERE num = ?`, e.num)
		return err
	})
	if err != nil {
		if moved {
			_, _ = s.move(s.archiveDir(id), s.loopDir(id))
		}
		return err
	}
	s.show(ctx, id)
	return nil
}

// Archive takes a plan that has ended, or whose record is damaged, out of sight, until it
// is run again.
func (p Plans) Archive(ctx context.Context, id string) error {
	return p.s.write(ctx, "archive plan "+id, func(tx *sql.Tx) error {
		e, err := p.s.mayArchive(ctx, tx, planRuns, id)
		if err == nil {
			_, err = tx.ExecContext(ctx, `UPDATE plans SET archived = 1 WHERE num = ?`, e.num)
		}
		return err
	})
}

func (s *Store) mayArchive(ctx context.Context, tx *sql.Tx, k kind, id string) (Entry, error) {
	e, err := k.entry(ctx, tx, id)
	if err != nil || e.Archived || e.Status.Terminal() {
		return e, err
	}
	p, err := s.examineRun(ctx, tx, k, id)
	if err == nil && len(p.findings()) == 0 {
		err = ErrNotEnded
	}
	return e, err
}

// move renames a directory, if it is there.
func (s *Store) move(from, to string) (bool, error) {
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return false, err
	}
	err := os.Rename(from, to)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Remove forgets an archived loop and deletes its files: they are moved aside
// with the row, and deleted outside of the transaction.
func (s *Store) Remove(ctx context.Context, id string) error {
	trash := filepath.Join(s.dir, "trash")
	err := s.write(ctx, fmt.Sprintf("remove loop %q", id), func(tx *sql.Tx) error {
		e, err := loopRuns.entry(ctx, tx, id)
		switch {
		case err != nil:
			return err
		case !e.Archived:
			return ErrNotArchived
		}
		for i, dir := range []string{s.archiveDir(id), s.loopDir(id)} {
			if _, err := s.move(dir, filepath.Join(trash, fmt.Sprintf("%d-%d", e.num, i))); err != nil {
				return err
			}
		}
		return forget(ctx, tx, e.num)
	})
	if err != nil {
		return err
	}
	s.show(ctx, id)
	if err := os.RemoveAll(trash); err != nil {
		return fmt.Errorf("delete the files of removed loops: %w", err)
	}
	return nil
}

func forget(ctx context.Context, tx *sql.Tx, num int64) error {
	for _, q := range []string{
		`DELETE FROM loops WHERE num = ?`, `DELETE FROM states WHERE num = ?`, `DELETE FROM attempts WHERE loop = ?`,
		`DELETE FROM events WHERE loop = ?`, `DELETE FROM inbox WHERE loop = ?`, `DELETE FROM unlearned WHERE loop = ?`,
		`DELETE FROM artifacts WHERE loop = ?`, `DELETE FROM recoveries WHERE kind = 'loop' AND run = ?`, `DELETE FROM checkpoints WHERE loop = ?`,
		`DELETE FROM budgets WHERE scope = 'task:' || ?`, `DELETE FROM journals WHERE kind = 'loop' AND run = ?`,
		`UPDATE trees SET loop = 0, state = iif(state = 'busy', 'free', state) WHERE loop = ?`,
	} {
		if _, err := tx.ExecContext(ctx, q, num); err != nil {
			return err
		}
	}
	return nil
}
