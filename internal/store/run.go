package store

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"time"

	"ralph/internal/journal"
	"ralph/internal/recovery"
	"ralph/internal/store/sqlrow"
)

// kind tells the journal, the lease, the inbox and the lists where the rows and files of
// one kind of run are. The Commit of each kind stores the rest.
type kind struct {
	name recovery.Kind
	// runs, events and inbox are its tables; key is the column of the latter two
	// that names the run.
	runs, events, inbox, key string
	// own are the deadline and the summary of an Entry; state are the request and the
	// state of a run, with the tables that have them.
	own, state string
	// newest is the order of lists.
	newest string
	// dir holds the files of a run, by its id.
	dir            string
	missing, taken error
}

var (
	loopRuns = kind{
		name: recovery.Loop, runs: "loops", events: "events", inbox: "inbox", key: "loop",
		own: "deadline, summary", state: "NULL, s.data FROM loops r LEFT JOIN states s ON s.num = r.num",
		newest: "num DESC", dir: "loops", missing: ErrNoLoop, taken: ErrExists,
	}
	planRuns = kind{
		name: recovery.Plan, runs: "plans", events: "plan_events", inbox: "plan_inbox", key: "plan",
		own: "0, json_object('settled', json(iif(settled, 'true', 'false')))", state: "r.spec, r.data FROM plans r",
		newest: "updated DESC, num DESC", dir: "plans", missing: ErrNoPlan, taken: ErrPlanExists,
	}
)

func kindOf(name recovery.Kind) kind {
	if name == recovery.Plan {
		return planRuns
	}
	return loopRuns
}

// q returns a query on the tables of the kind: %runs, %events, %inbox, %key
// and %kind stand for their names.
func (k kind) q(query string) string {
	return strings.NewReplacer("%runs", k.runs, "%events", k.events, "%inbox", k.inbox, "%key", k.key, "%kind", string(k.name)).Replace(query)
}

func (s *Store) runDir(k kind, id string) string { return filepath.Join(s.dir, k.dir, id) }

func (s *Store) runLock(k kind, id string) string {
	return filepath.Join(s.runDir(k, id), "owner.lock")
}

// row of a journal. Without a seq it is a message on the bus, which has no hash.
type row struct {
	seq  int64
	at   time.Time
	name string
	data []byte
	hash []byte
}

// encode returns the rows of the events after seq.
func encode[E journal.Event](seq int64, events []E, codec func(E) (string, []byte, error)) ([]row, error) {
	rows := make([]row, len(events))
	for i, e := range events {
		name, data, err := codec(e)
		if err != nil {
			return nil, err
		}
		rows[i] = row{seq: seq + int64(i) + 1, at: e.When(), name: name, data: data}
	}
	return rows, nil
}

func (l *lease[S, E]) append(ctx context.Context, tx *sql.Tx, rows ...row) error {
	for _, r := range rows {
		if err := l.kind.append(ctx, tx, l.num, l.epoch, r); err != nil {
			return err
		}
	}
	return nil
}

func (k kind) append(ctx context.Context, tx *sql.Tx, num, epoch int64, r row) error {
	var seq any
	if r.seq > 0 {
		seq = r.seq
	}
	_, err := tx.ExecContext(ctx, k.q(`INSERT INTO %events (%key, seq, epoch, at, name, data, hash) VALUES (?, ?, ?, ?, ?, ?, ?)`),
		num, seq, epoch, sqlrow.Nano(r.at), r.name, r.data, r.hash)
	return err
}
