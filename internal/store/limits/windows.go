package limits

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/store/sqlrow"
)

// Used is how much of a window of an account's usage limit is used, as an agent
// reported it last.
type Used struct {
	Account, Label string
	loop.Window
	At time.Time
}

// unknownReset is how long a window without a reset time counts after its report:
// as long as the longest wait between two probes.
const unknownReset = lastTry

// Over returns when the report says nothing any more: the window begins anew.
func (u Used) Over() time.Time {
	if u.ResetsAt.IsZero() {
		return u.At.Add(unknownReset)
	}
	return u.ResetsAt
}

// Note records the windows that a run of the account's agent reported.
func (b *Book) Note(ctx context.Context, account, label string, windows []loop.Window) error {
	if len(windows) == 0 {
		return nil
	}
	book, err := b.open(ctx)
	if err != nil {
		return err
	}
	return book.Write(ctx, "note the use of a limit", func(tx *sql.Tx) error {
		for _, w := range windows {
			if w.ResetsAt.Sub(b.now()) > farthest {
				continue // no window lasts that long: the time cannot be believed
			}
			_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO windows (account, name, label, used, resets, at) VALUES (?, ?, ?, ?, ?, ?)`,
				account, w.Name, label, w.Used, sqlrow.Nano(w.ResetsAt), sqlrow.Nano(b.now()))
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Windows returns the windows of all accounts that have not begun anew since they
// were reported.
func (b *Book) Windows(ctx context.Context) ([]Used, error) {
	return b.windows(ctx, `ORDER BY label, name`)
}

func (b *Book) windows(ctx context.Context, where string, args ...any) (out []Used, err error) {
	if b.unwritten() {
		return nil, nil
	}
	book, err := b.open(ctx)
	if err != nil {
		return nil, err
	}
	err = book.Read(ctx, "look for the use of limits", func(tx *sql.Tx) error {
		out = nil
		found, err := tx.QueryContext(ctx, `SELECT account, name, label, used, resets, at FROM windows `+where, args...)
		if err != nil {
			return err
		}
		defer found.Close()
		for found.Next() {
			var u Used
			var resets, at int64
			if err := found.Scan(&u.Account, &u.Name, &u.Label, &u.Used, &resets, &at); err != nil {
				return err
			}
			if u.ResetsAt, u.At = sqlrow.Time(resets), sqlrow.Time(at); u.Over().After(b.now()) {
				out = append(out, u)
			}
		}
		return found.Err()
	})
	return out, err
}

// Spare is the decision for a loop that leaves the part keep, in per cent, of each
// window to the user. It waits for the last window of which less is left.
func (b *Book) Spare(ctx context.Context, account string, keep float64) (a Answer, err error) {
	if keep <= 0 {
		return Answer{}, nil
	}
	windows, err := b.windows(ctx, `WHERE account = ?`, account)
	for _, u := range windows {
		if u.Used > 100-keep && u.Over().After(a.Until) {
			a = Answer{Until: u.Over(), Kept: true, Label: u.Label, Message: fmt.Sprintf("%s is used of the %s window, and limits.keep leaves %s to you", percent(u.Used), WindowName(u.Name), percent(keep))}
		}
	}
	return a, err
}

// WindowName is a window's name for people.
func WindowName(name string) string { return strings.ReplaceAll(name, "_", " ") }

func percent(n float64) string { return strconv.FormatFloat(n, 'f', 0, 64) + " %" }
