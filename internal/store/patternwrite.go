package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"ralph/internal/learn"
)

// AddPattern stores a note. The same text again is the same pattern; only
// promotion restores a dropped one.
func (s *Store) AddPattern(ctx context.Context, p learn.Pattern, review learn.Review) (k learn.Known, err error) {
	err = s.write(ctx, "add a pattern", func(tx *sql.Tx) error {
		num, err := s.upsert(ctx, tx, p)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE patterns SET review = ?2 WHERE num = ?1 AND ?2 = 'promoted'`, num, review); err != nil {
			return err
		}
		k, err = pattern(ctx, tx, num)
		return err
	})
	return k, err
}

// ReviewPattern records what a person says of a pattern.
func (s *Store) ReviewPattern(ctx context.Context, num int64, review learn.Review) (k learn.Known, err error) {
	err = s.write(ctx, fmt.Sprintf("review pattern %d", num), func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE patterns SET review = ? WHERE num = ?`, review, num); err != nil {
			return err
		}
		k, err = pattern(ctx, tx, num)
		return err
	})
	return k, err
}

// upsert adds a pattern, or counts that it was seen again. The user's verdict on
// it stays.
func (s *Store) upsert(ctx context.Context, tx *sql.Tx, p learn.Pattern) (num int64, err error) {
	key := p.Key()
	var before []byte
	err = tx.QueryRowContext(ctx, `SELECT num, data FROM patterns WHERE key = ?`, key).Scan(&num, &before)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		data, err := json.Marshal(p)
		if err != nil {
			return 0, err
		}
		err = tx.QueryRowContext(ctx, `
			INSERT INTO patterns (key, kind, fingerprint, review, seen, updated, data)
			VALUES (?, ?, ?, 'unreviewed', 1, ?, ?) RETURNING num`,
			key, p.Kind, p.Fingerprint, nano(s.o.Now()), data).Scan(&num)
		return num, err
	case err != nil:
		return 0, err
	}
	var old learn.Pattern
	if err := json.Unmarshal(before, &old); err != nil {
		return 0, fmt.Errorf("read pattern %d: %w", num, err)
	}
	data, err := json.Marshal(learn.Merge(old, p))
	if err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, `UPDATE patterns SET seen = seen + 1, updated = ?, data = ? WHERE num = ?`, nano(s.o.Now()), data, num)
	return num, err
}
