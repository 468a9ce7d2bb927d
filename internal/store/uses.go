package store

import (
	"context"
	"database/sql"

	"ralph/internal/learn"
)

// UsePatterns records that a loop was shown patterns. Showing them again, on a
// later attempt, counts once.
func (s *Store) UsePatterns(ctx context.Context, id string, nums []int64) error {
	if len(nums) == 0 {
		return nil
	}
	return s.write(ctx, "record what loop "+id+" was shown", func(tx *sql.Tx) error {
		e, err := entryOf(ctx, tx, id)
		if err != nil {
			return err
		}
		return s.use(ctx, tx, e.num, nums)
	})
}

// PatternsShown are the numbers of the patterns that a loop was shown.
func (s *Store) PatternsShown(ctx context.Context, id string) (nums []int64, err error) {
	err = s.read(ctx, "look what loop "+id+" was shown", func(tx *sql.Tx) error {
		e, err := entryOf(ctx, tx, id)
		if err != nil {
			return err
		}
		nums, err = numbers(ctx, tx, `SELECT pattern FROM pattern_uses WHERE loop = ? ORDER BY pattern`, e.num)
		return err
	})
	return nums, err
}

func (s *Store) use(ctx context.Context, tx *sql.Tx, loop int64, nums []int64) error {
	for _, num := range nums {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO pattern_uses (pattern, loop, at) SELECT num, ?2, ?3 FROM patterns WHERE num = ?1
			ON CONFLICT (pattern, loop) DO NOTHING`, num, loop, nano(s.o.Now()))
		if err != nil {
			return err
		}
	}
	return nil
}

// settleUses rates the patterns that were shown to the loop.
func settleUses(ctx context.Context, tx *sql.Tx, loop int64, helped func(learn.Known) (helped, decided bool)) error {
	open, err := numbers(ctx, tx, `SELECT pattern FROM pattern_uses WHERE loop = ? AND helped IS NULL`, loop)
	if err != nil {
		return err
	}
	for _, num := range open {
		k, err := pattern(ctx, tx, num)
		if err != nil {
			return err
		}
		yes, decided := helped(k)
		if !decided {
			continue
		}
		if _, err := tx.ExecContext(ctx, `UPDATE pattern_uses SET helped = ? WHERE pattern = ? AND loop = ?`, yes, num, loop); err != nil {
			return err
		}
	}
	return nil
}
