package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"time"

	"ralph/internal/loop"
)

// busLine is one line of log.jsonl: seed 000's fields, then ours.
type busLine struct {
	Type   string `json:"type"`
	Event  string `json:"event"`
	LoopID string `json:"loop_id"`
	// Kind is "plan" where LoopID is the id of a plan.
	Kind string `json:"kind,omitempty"`
	notice
	MaxIterations int       `json:"max_iterations,omitempty"`
	Timestamp     time.Time `json:"timestamp"`

	tale
	Seq   int64 `json:"seq,omitempty"`
	Epoch int64 `json:"epoch"`
	// Pos is the place among the events of all loops, and the watermark.
	Pos int64 `json:"pos"`
}

// busType is the type of every line (seed 000).
const busType = "agent_loop"

// writeBus writes a line for each event after pos. With some, only those of
// active and of wanted loops, and of plans in sight.
func writeBus(ctx context.Context, tx *sql.Tx, w io.Writer, after int64, some *wanted) error {
	q, args := `WHERE e.pos > ?`, []any{after}
	if some != nil {
		ids, err := json.Marshal(some.ids)
		if err != nil {
			return err
		}
		q = `WHERE e.pos > ? AND e.loop IN (SELECT num FROM loops WHERE ended = 0
			UNION SELECT num FROM loops WHERE id IN (SELECT value FROM json_each(?)) UNION SELECT -num FROM plans WHERE archived = 0)`
		args = append(args, string(ids))
	}
	rows, err := tx.QueryContext(ctx,
		`SELECT e.pos, coalesce(e.seq, 0), e.epoch, e.at, e.name, e.data, coalesce(l.id, p.id), iif(l.id IS NULL, 'plan', ''),
		        coalesce(json_extract(l.summary, '$.agent'), '')
		 FROM events e LEFT JOIN loops l ON l.num = e.loop LEFT JOIN plans p ON p.num = -e.loop `+q+`
		 AND coalesce(l.id, p.id) IS NOT NULL ORDER BY e.pos`, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for rows.Next() {
		l := busLine{Type: busType}
		var at int64
		var data []byte
		var agent string
		if err := rows.Scan(&l.Pos, &l.Seq, &l.Epoch, &at, &l.Event, &data, &l.LoopID, &l.Kind, &agent); err != nil {
			return err
		}
		l.Timestamp = fromNano(at)
		l.fill(data)
		l.Agent = cmp.Or(l.Agent, agent)
		if err := out.Encode(l); err != nil {
			return err
		}
	}
	return rows.Err()
}

// fill takes the few fields that fit in a line out of an event's record.
func (l *busLine) fill(data []byte) {
	if l.Seq == 0 {
		_ = json.Unmarshal(data, &l.notice)
		_ = json.Unmarshal(data, &l.tale)
		return
	}
	e, err := loop.Decode(l.Event, data)
	if err != nil {
		return
	}
	switch e := e.(type) {
	case loop.Created:
		var f first
		_ = json.Unmarshal(data, &f)
		l.Event, l.MaxIterations = "init", f.MaxIterations
		l.Agent, l.Gate, l.Threshold, l.forced = f.Agent, f.Gate, f.Threshold, f.forced
		if f.From != "" {
			l.Detail = "imported from " + oneLine(f.From, 200)
		}
	case loop.GateEnded:
		r := e.Result
		l.Gate, l.Value, l.Threshold, l.Commit = r.Gate, r.Value, r.Threshold, r.Commit
		l.Passed, l.Detail = new(r.Verdict == loop.Passed), oneLine(r.Reason, 200)
	default:
		l.Detail, l.Commit = detail(e, data)
	}
}

// detail is one line about an event, and the commit it is about.
func detail(e loop.Event, data []byte) (text, commit string) {
	var about struct {
		Commit string `json:"commit"`
	}
	_ = json.Unmarshal(data, &about)
	if _, ok := e.(loop.Prepared); ok {
		return "", about.Commit // its description is a path of this machine, and the log may be shared
	}
	return oneLine(e.Describe(), 200), about.Commit
}
