package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"ralph/internal/learn"
	"ralph/internal/loop"
	"ralph/internal/store/sqlrow"
)

// ErrNoPattern: no pattern has this number.
var ErrNoPattern = errors.New("no such pattern")

// PatternFilter chooses patterns. The zero value is all that are not dropped.
type PatternFilter struct {
	// Num is a single one, dropped or not.
	Num int64
	// Fingerprints of failures; none is any.
	Fingerprints []string
	// Dropped adds those that a person has dropped.
	Dropped bool
	// Newest is how many of each review, the newest of them; 0 is no limit.
	Newest int
}

// Patterns lists what was learned, with its counts, in the order of the numbers.
func (s *Store) Patterns(ctx context.Context, f PatternFilter) ([]learn.Known, error) {
	var out []learn.Known
	err := s.read(ctx, "list what was learned", func(tx *sql.Tx) (err error) {
		out, err = patterns(ctx, tx, f)
		return err
	})
	return out, err
}

// outcomes fills in the outcomes of loops that were not recorded with the
// pattern: earlier versions recorded none. Loops that are gone have none.
func outcomes(ctx context.Context, tx *sql.Tx, all []learn.Known) error {
	known := map[string]learn.Outcome{}
	for _, k := range all {
		for i := range k.Sources {
			s := &k.Sources[i]
			if s.Loop == "" || s.By != "" || s.Outcome != "" {
				continue
			}
			if _, found := known[s.Loop]; !found {
				o, err := outcomeOf(ctx, tx, s.Loop)
				if err != nil {
					return err
				}
				known[s.Loop] = o
			}
			s.Outcome = known[s.Loop]
		}
	}
	return nil
}

func outcomeOf(ctx context.Context, tx *sql.Tx, id string) (learn.Outcome, error) {
	var data []byte
	err := tx.QueryRowContext(ctx, `SELECT s.data FROM loops l JOIN states s ON s.num = l.num WHERE l.id = ?`, id).Scan(&data)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var s loop.State
	if err := json.Unmarshal(data, &s); err != nil {
		return "", fmt.Errorf("read loop %s: %w", id, err)
	}
	return learn.OutcomeOf(s), nil
}

func patterns(ctx context.Context, tx *sql.Tx, f PatternFilter) ([]learn.Known, error) {
	where, args := f.where()
	rows, err := tx.QueryContext(ctx, `
		SELECT num, review, seen, updated, data,
		       (SELECT count(*) FROM pattern_uses u WHERE u.pattern = p.num),
		       (SELECT count(helped) FROM pattern_uses u WHERE u.pattern = p.num),
		       (SELECT coalesce(sum(helped), 0) FROM pattern_uses u WHERE u.pattern = p.num)
		FROM patterns p WHERE `+where+` ORDER BY num`, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []learn.Known
	for rows.Next() {
		k, err := scanPattern(rows.Scan)
		if err != nil {
			return nil, err
		}
		out = append(out, k)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return out, outcomes(ctx, tx, out)
}

func scanPattern(scan func(...any) error) (k learn.Known, err error) {
	var updated int64
	var data []byte
	if err := scan(&k.Num, &k.Review, &k.Seen, &updated, &data, &k.Used, &k.Decided, &k.Helped); err != nil {
		return k, err
	}
	if err := json.Unmarshal(data, &k.Pattern); err != nil {
		return k, fmt.Errorf("read pattern %d: %w", k.Num, err)
	}
	k.Updated = sqlrow.Time(updated)
	return k, nil
}

// where is the filter as a condition on patterns.
func (f PatternFilter) where() (condition string, args []any) {
	reviews := []any{learn.Promoted, learn.Unreviewed}
	if f.Dropped {
		reviews = append(reviews, learn.Dropped)
	}
	switch {
	case f.Num > 0:
		return "num = ?", []any{f.Num}
	case len(f.Fingerprints) > 0:
		for _, hash := range f.Fingerprints {
			args = append(args, hash)
		}
		return "fingerprint <> '' AND fingerprint IN (" + marks(len(args)) + ") AND review IN (" + marks(len(reviews)) + ")", append(args, reviews...)
	case f.Newest > 0:
		var each []string
		for _, r := range reviews {
			each = append(each, "SELECT num FROM (SELECT num FROM patterns WHERE review = ? ORDER BY updated DESC LIMIT ?)")
			args = append(args, r, f.Newest)
		}
		return "num IN (" + strings.Join(each, " UNION ALL ") + ")", args
	}
	return "review IN (" + marks(len(reviews)) + ")", reviews
}

// marks are n places for arguments.
func marks(n int) string { return strings.TrimSuffix(strings.Repeat("?, ", n), ", ") }

// Pattern is the one with that number, dropped or not.
func (s *Store) Pattern(ctx context.Context, num int64) (k learn.Known, err error) {
	found := false
	err = s.read(ctx, "read a pattern", func(tx *sql.Tx) error {
		found = true
		k, err = pattern(ctx, tx, num)
		return err
	})
	if err == nil && !found {
		err = fmt.Errorf("%w: %d", ErrNoPattern, num)
	}
	return k, err
}

// pattern is the one with that number.
func pattern(ctx context.Context, tx *sql.Tx, num int64) (learn.Known, error) {
	all, err := patterns(ctx, tx, PatternFilter{Num: num})
	switch {
	case err != nil:
		return learn.Known{}, err
	case num <= 0 || len(all) == 0:
		return learn.Known{}, fmt.Errorf("%w: %d", ErrNoPattern, num)
	}
	return all[0], nil
}

// AddPattern stores a note. The same text again is the same pattern; only
// promotion restores a dropped one.
func (s *Store) AddPattern(ctx context.Context, p learn.Pattern, review learn.Review) (k learn.Known, err error) {
	err = s.write(ctx, "add a pattern", func(tx *sql.Tx) error {
		num, err := s.upsert(ctx, tx, p, "")
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

// upsert adds a pattern that a loop taught ("": none did), or counts that it was
// seen again, each loop once. The user's verdict on it stays.
func (s *Store) upsert(ctx context.Context, tx *sql.Tx, p learn.Pattern, teacher string) (num int64, err error) {
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
			key, p.Kind, p.Fingerprint, sqlrow.Nano(s.o.Now()), data).Scan(&num)
		return num, err
	case err != nil:
		return 0, err
	}
	var old learn.Pattern
	if err := json.Unmarshal(before, &old); err != nil {
		return 0, fmt.Errorf("read pattern %d: %w", num, err)
	}
	counted := 1
	if old.TaughtBy(teacher) {
		counted = 0
	}
	data, err := json.Marshal(learn.Merge(old, p))
	if err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, `UPDATE patterns SET seen = seen + ?, updated = ?, data = ? WHERE num = ?`, counted, sqlrow.Nano(s.o.Now()), data, num)
	return num, err
}

// UsePatterns records that a loop was shown patterns. Showing them again, on a
// later attempt, counts once.
func (s *Store) UsePatterns(ctx context.Context, id string, nums []int64) error {
	if len(nums) == 0 {
		return nil
	}
	return s.write(ctx, "record what loop "+id+" was shown", func(tx *sql.Tx) error {
		e, err := loopRuns.entry(ctx, tx, id)
		if err != nil {
			return err
		}
		return s.use(ctx, tx, e.num, nums)
	})
}

// PatternsShown are the numbers of the patterns that a loop was shown.
func (s *Store) PatternsShown(ctx context.Context, id string) (nums []int64, err error) {
	err = s.read(ctx, "look what loop "+id+" was shown", func(tx *sql.Tx) error {
		e, err := loopRuns.entry(ctx, tx, id)
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
			ON CONFLICT (pattern, loop) DO NOTHING`, num, loop, sqlrow.Nano(s.o.Now()))
		if err != nil {
			return err
		}
	}
	return nil
}

// rateUses rates the patterns that were shown to the loop.
func rateUses(ctx context.Context, tx *sql.Tx, loop int64, helped func(learn.Known) (helped, decided bool)) error {
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
