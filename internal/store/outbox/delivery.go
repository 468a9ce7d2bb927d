package outbox

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"ralph/internal/notice"
	"ralph/internal/store/sqlrow"
)

// Delivery is a notice that waits for a target.
type Delivery struct {
	Num    int64
	Notice notice.Notice
	// Tries in vain so far. Next is when it may be sent, Since when it was put in.
	Tries       int
	Next, Since time.Time
	Error       string
}

// Waiting returns what waits for a target, oldest first, at most 500.
func (b *Box) Waiting(ctx context.Context, target string) (out []Delivery, err error) {
	err = b.read(ctx, "read what waits for "+target, func(tx *sql.Tx) error {
		return sqlrow.Each(ctx, tx, func(rows *sql.Rows) error {
			var d Delivery
			var next, since int64
			var err error
			d.Notice, err = scan(rows, &d.Num, &d.Tries, &next, &since, &d.Error)
			d.Next, d.Since = sqlrow.Time(next), sqlrow.Time(since)
			out = append(out, d)
			return err
		}, `SELECT n.key, n.data, n.num, d.tries, d.next, n.at, d.error FROM deliveries d JOIN notices n ON n.num = d.notice
		    WHERE d.target = ? AND d.state = 'waiting' ORDER BY n.num LIMIT 500`, target)
	})
	return out, err
}

// Targets returns the names of all for which something waits.
func (b *Box) Targets(ctx context.Context) (out []string, err error) {
	err = b.read(ctx, "read which targets wait", func(tx *sql.Tx) error {
		return sqlrow.Each(ctx, tx, func(rows *sql.Rows) error {
			var name string
			err := rows.Scan(&name)
			out = append(out, name)
			return err
		}, `SELECT DISTINCT target FROM deliveries WHERE state = 'waiting' ORDER BY target`)
	})
	return out, err
}

// Sent records that a target has these notices.
func (b *Box) Sent(ctx context.Context, target string, nums []int64) error {
	return b.mark(ctx, target, nums, "sent", "", time.Time{})
}

// Drop records that these notices are not for a target any more, and why.
func (b *Box) Drop(ctx context.Context, target string, nums []int64, why string) error {
	return b.mark(ctx, target, nums, "dropped", why, time.Time{})
}

// Failed records a try in vain. A zero next gives the notices up.
func (b *Box) Failed(ctx context.Context, target string, nums []int64, why string, next time.Time) error {
	state := "waiting"
	if next.IsZero() {
		state = "failed"
	}
	return b.mark(ctx, target, nums, state, why, next)
}

func (b *Box) mark(ctx context.Context, target string, nums []int64, state, why string, next time.Time) error {
	list, err := json.Marshal(nums)
	if err != nil {
		return err
	}
	return b.write(ctx, "record a delivery to "+target, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE deliveries SET state = ?1, error = ?2, next = max(next, ?3), at = ?4, tries = tries + (?1 <> 'dropped')
			WHERE target = ?5 AND state = 'waiting' AND notice IN (SELECT value FROM json_each(?6))`,
			state, why, sqlrow.Nano(next), b.now().UnixNano(), target, string(list))
		return err
	})
}

// Account is how deliveries to a target went in the last days.
type Account struct {
	Target                         string
	Waiting, Sent, Dropped, Failed int
	// Tries in vain of the oldest that waits, and when it is tried again.
	Tries int
	Next  time.Time
	// LastSent is when a message arrived last. Error is the newest, from ErrorAt.
	LastSent, ErrorAt time.Time
	Error             string
}

// Accounts returns one for each target that ever had something to get.
func (b *Box) Accounts(ctx context.Context) (out []Account, err error) {
	err = b.read(ctx, "read how deliveries went", func(tx *sql.Tx) error {
		return sqlrow.Each(ctx, tx, func(rows *sql.Rows) error {
			var a Account
			var next, sent, failed int64
			err := rows.Scan(&a.Target, &a.Waiting, &a.Sent, &a.Dropped, &a.Failed, &a.Tries, &next, &sent, &failed, &a.Error)
			a.Next, a.LastSent, a.ErrorAt = sqlrow.Time(next), sqlrow.Time(sent), sqlrow.Time(failed)
			out = append(out, a)
			return err
		}, `SELECT target, sum(state = 'waiting'), sum(state = 'sent'), sum(state = 'dropped'), sum(state = 'failed'),
		      coalesce(max(iif(state = 'waiting', tries, NULL)), 0), coalesce(min(iif(state = 'waiting', next, NULL)), 0),
		      coalesce(max(iif(state = 'sent', at, NULL)), 0),
		      coalesce((SELECT at FROM deliveries e WHERE e.target = d.target AND e.error <> '' AND e.state IN ('waiting', 'failed') ORDER BY at DESC LIMIT 1), 0),
		      coalesce((SELECT error FROM deliveries e WHERE e.target = d.target AND e.error <> '' AND e.state IN ('waiting', 'failed') ORDER BY at DESC LIMIT 1), '')
		    FROM deliveries d GROUP BY target ORDER BY target`)
	})
	return out, err
}

// Hurry makes everything that waits due now.
func (b *Box) Hurry(ctx context.Context) error {
	return b.write(ctx, "send at once", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE deliveries SET next = ? WHERE state = 'waiting' AND next > ?1`, b.now().UnixNano())
		return err
	})
}
