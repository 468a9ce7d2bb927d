package limits

import (
	"context"
	"database/sql"

	"ralph/internal/store/sqlrow"
)

// version1. Times are Unix nanoseconds.
const version1 = `
CREATE TABLE limits (
  account   TEXT    PRIMARY KEY,
  label     TEXT    NOT NULL,
  until     INTEGER NOT NULL,
  told      INTEGER NOT NULL,
  misses    INTEGER NOT NULL,
  message   TEXT    NOT NULL,
  by        TEXT    NOT NULL,
  at        INTEGER NOT NULL,
  first     TEXT    NOT NULL,
  turn_ends INTEGER NOT NULL
);
`

// version2 tells more kinds of trouble than limits.
const version2 = `
ALTER TABLE limits ADD COLUMN health TEXT NOT NULL DEFAULT 'limited';
ALTER TABLE limits ADD COLUMN fix TEXT NOT NULL DEFAULT '';
ALTER TABLE limits ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
`

// version3 tells how much of the windows of an account is used.
const version3 = `
CREATE TABLE windows (
  account TEXT    NOT NULL,
  name    TEXT    NOT NULL,
  label   TEXT    NOT NULL,
  used    REAL    NOT NULL,
  resets  INTEGER NOT NULL,
  at      INTEGER NOT NULL,
  PRIMARY KEY (account, name)
);
`

// version4 tells what the team knows of a row (see team.go).
const version4 = `
ALTER TABLE limits ADD COLUMN team TEXT NOT NULL DEFAULT '';
`

const columns = `account, label, until, told, misses, message, by, at, first, turn_ends, health, fix, since, team`

// row is what the book has about an account.
type row struct {
	Known
	team standing
}

// known is the trouble of the row; nil is none.
func (r row) known() *Known {
	if r.Account == "" || r.team == lifted {
		return nil
	}
	return &r.Known
}

func (b *Book) rows(ctx context.Context, where string, args ...any) (out []row, err error) {
	if b.unwritten() {
		return nil, nil
	}
	book, err := b.open(ctx)
	if err != nil {
		return nil, err
	}
	err = book.Read(ctx, "look for limits", func(tx *sql.Tx) error {
		out, err = rows(ctx, tx, where, args...)
		return err
	})
	return out, err
}

func rows(ctx context.Context, tx *sql.Tx, where string, args ...any) (out []row, err error) {
	err = sqlrow.Each(ctx, tx, func(found *sql.Rows) error {
		var k row
		var until, at, turnEnds, since int64
		err := found.Scan(&k.Account, &k.Label, &until, &k.Told, &k.Misses, &k.Message, &k.By, &at, &k.First, &turnEnds, &k.Health, &k.Fix, &since, &k.team)
		k.Until, k.At, k.TurnEnds, k.Since = sqlrow.Time(until), sqlrow.Time(at), sqlrow.Time(turnEnds), sqlrow.Time(since)
		out = append(out, k)
		return err
	}, `SELECT `+columns+` FROM limits `+where, args...)
	return out, err
}

// changeRow reads what is known of an account, lets f decide, and records it, in
// one transaction.
func (b *Book) changeRow(ctx context.Context, account string, f func(row) row) error {
	book, err := b.open(ctx)
	if err != nil {
		return err
	}
	return book.Write(ctx, "note a limit", func(tx *sql.Tx) error {
		found, err := rows(ctx, tx, `WHERE account = ?`, account)
		if err != nil {
			return err
		}
		have := row{}
		if len(found) > 0 {
			have = found[0]
		}
		k := f(have)
		switch {
		case k == have:
			return nil
		case k == row{}:
			_, err = tx.ExecContext(ctx, `DELETE FROM limits WHERE account = ?`, account)
		default:
			_, err = tx.ExecContext(ctx, `INSERT OR REPLACE INTO limits (`+columns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
				account, k.Label, sqlrow.Nano(k.Until), k.Told, k.Misses, k.Message, k.By, sqlrow.Nano(k.At), k.First, sqlrow.Nano(k.TurnEnds), k.Health, k.Fix, sqlrow.Nano(k.Since), k.team)
		}
		return err
	})
}
