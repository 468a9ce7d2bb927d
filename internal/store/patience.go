package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	sqlite "modernc.org/sqlite"
)

// A writer waits for another process as long as the database moves: a queue of busy
// processes is no fault of any. Where no commit is seen for Options.Wait, the process
// that holds the lock is stopped or hangs, and is named in a *BusyError.

const (
	// writeWait is the default of Options.Wait.
	writeWait = 10 * time.Second
	// mostWait is how often Options.Wait a writer waits in all.
	mostWait = 6
	// lookEvery is how long SQLite waits before commits of others are looked for.
	lookEvery = time.Second
	// leaseWait is how long the owner of a run waits: its agent may be at work, and
	// a record is written only once.
	leaseWait = 5 * time.Minute
)

// patience decides how long a writer waits.
type patience struct {
	wait         time.Duration
	began, moved time.Time
	mark         string
}

// over reports whether the wait is over at a time, with the mark of the newest commit.
func (p *patience) over(now time.Time, mark string) bool {
	if mark != p.mark {
		p.mark, p.moved = mark, now
	}
	return now.Sub(p.moved) >= p.wait || now.Sub(p.began) >= mostWait*p.wait
}

// openTx starts a transaction that writes. done gives its connection back.
func (s *Store) openTx(ctx context.Context, db *sql.DB) (tx *sql.Tx, done func(), err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, nil, err
	}
	done = func() {
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), busyTimeout(s.o.Wait)) // for readers
		_ = conn.Close()
	}
	if _, err = conn.ExecContext(ctx, busyTimeout(min(s.o.Wait, lookEvery))); err == nil {
		tx, err = s.beginPatiently(ctx, conn)
	}
	if err != nil {
		done()
	}
	return tx, done, err
}

func busyTimeout(d time.Duration) string {
	return fmt.Sprintf("PRAGMA busy_timeout=%d", d.Milliseconds())
}

func (s *Store) beginPatiently(ctx context.Context, conn *sql.Conn) (*sql.Tx, error) {
	now := time.Now()
	p := patience{wait: s.o.Wait, began: now, moved: now, mark: s.lastWrite()}
	for {
		tx, err := conn.BeginTx(ctx, nil)
		e, ok := errors.AsType[*sqlite.Error](err)
		if !ok || e.Code()&0xff != codeBusy {
			return tx, err
		}
		if now := time.Now(); p.over(now, s.lastWrite()) {
			return nil, &BusyError{now.Sub(p.began).Round(time.Second), s.holder(ctx)}
		}
	}
}

// write is Store.write for an owner, which waits longer than a command.
func (l *lease[S, E]) write(ctx context.Context, what string, f func(*sql.Tx) error) error {
	for began := time.Now(); ; {
		err := l.s.write(ctx, what, f)
		if _, busy := errors.AsType[*BusyError](err); !busy || time.Since(began) >= l.s.leaseWait || ctx.Err() != nil {
			return err
		}
	}
}
