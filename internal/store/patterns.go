package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"ralph/internal/learn"
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
	return out, rows.Err()
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
	k.Updated = fromNano(updated)
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
