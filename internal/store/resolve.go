package store

import (
	"context"
	"database/sql"
	"fmt"

	"ralph/internal/lazyregexp"
	"ralph/internal/store/sqlrow"
)

var prefixPattern = lazyregexp.New(`^[a-z0-9._-]{1,64}$`)

// Resolve finds the loop that is meant by an id or by the beginning of one. A loop that
// is not archived is preferred. An *AmbiguousError names at most ten, sorted, among them the
// first and the last.
func (s *Store) Resolve(ctx context.Context, prefix string) (string, error) {
	return s.resolve(ctx, loopRuns, prefix)
}

// Resolve is Store.Resolve for plans.
func (p Plans) Resolve(ctx context.Context, prefix string) (string, error) {
	return p.s.resolve(ctx, planRuns, prefix)
}

func (s *Store) resolve(ctx context.Context, k kind, prefix string) (string, error) {
	var ids []string
	if prefixPattern.MatchString(prefix) {
		err := s.read(ctx, fmt.Sprintf("find %s %s", k.name, prefix), func(tx *sql.Tx) (err error) {
			ids, err = matches(ctx, tx, k, prefix)
			return err
		})
		if err != nil {
			return "", err
		}
	}
	switch len(ids) {
	case 0:
		return "", fmt.Errorf("%s %q: %w", k.name, prefix, k.missing)
	case 1:
		return ids[0], nil
	}
	return "", &AmbiguousError{prefix, ids}
}

func matches(ctx context.Context, tx *sql.Tx, k kind, prefix string) (ids []string, err error) {
	const begins = `id > ?1 AND id < ?1 || char(127)`
	for _, which := range []string{`id = ?1`, begins + ` AND archived = 0`, begins + ` AND archived = 1`} {
		from := `SELECT id FROM %runs WHERE ` + which + ` ORDER BY id `
		ids, err = sqlrow.Column[string](ctx, tx, k.q(`SELECT id FROM (`+from+`LIMIT 9) UNION SELECT id FROM (`+from+`DESC LIMIT 1) ORDER BY id`), prefix)
		if err != nil || len(ids) > 0 {
			break
		}
	}
	return ids, err
}
