package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"time"

	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/store/sqlrow"
)

// busMessage is a message on the bus that is not an event of the state machine: seed 000's
// iteration, passed, failed and abort. Unknown fields are left out.
type busMessage struct {
	Agent     string   `json:"agent,omitempty"`
	Gate      string   `json:"gate,omitempty"`
	Threshold *float64 `json:"threshold,omitempty"`

	Iter      int      `json:"iter,omitempty"`
	Value     *float64 `json:"value,omitempty"`
	Passed    *bool    `json:"passed,omitempty"`
	ErrorHash string   `json:"error_hash,omitempty"`

	FinalValue *float64 `json:"final_value,omitempty"`
	Iterations *int     `json:"iterations,omitempty"`
	Reason     string   `json:"reason,omitempty"`
	Message    string   `json:"failure_message,omitempty"`

	forced
	handoff
}

// outsideMessage is one about an action on a loop from outside: the number of the
// restart, its initiator, the checkpoint.
type outsideMessage struct {
	Reason string `json:"reason,omitempty"`
	busFields
}

// busFields are the fields of a bus line besides seed 000's.
type busFields struct {
	Detail string `json:"detail,omitempty"`
	Commit string `json:"commit,omitempty"`
	By     string `json:"by,omitempty"`
	Try    int    `json:"try,omitempty"`
	N      int    `json:"n,omitempty"`
}

// busRows returns the messages for the change between two states. A move is none.
func busRows(before, after loop.State) ([]row, error) {
	before, after = before.Unmoved(), after.Unmoved()
	var rows []row
	judged := map[int]bool{}
	for _, a := range before.Recent {
		judged[a.N] = a.Verdict != ""
	}
	for _, a := range after.Recent {
		if a.Verdict == "" || judged[a.N] {
			continue
		}
		r, err := busRow("iteration", a.EndedAt, iterationMessage(after, a))
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	if !after.Status.Terminal() || before.Status.Terminal() {
		return rows, nil
	}
	name := map[loop.Status]string{loop.StatusPassed: "passed", loop.StatusFailed: "failed", loop.Aborted: "abort"}
	r, err := busRow(name[after.Status], after.EndedAt, endMessage(after))
	return append(rows, r), err
}

func iterationMessage(st loop.State, a loop.Attempt) busMessage {
	m := busMessage{Agent: st.Agent.Name, Iter: a.N, Passed: new(a.Verdict == loop.Passed), ErrorHash: a.Fingerprint}
	m.Gate, m.Threshold = st.MainGate()
	m.Value = a.Value(m.Gate)
	return m
}

func endMessage(st loop.State) busMessage {
	m := busMessage{Agent: st.Agent.Name, Iterations: new(st.Iteration), Reason: string(st.Reason)}
	m.Gate, m.Threshold = st.MainGate()
	if a := st.Last(); a != nil {
		m.FinalValue = a.Value(m.Gate)
	}
	if st.Status != loop.StatusPassed {
		m.Message = oneLine(st.Message, 500)
	}
	return m
}

func busRow(name string, at time.Time, message any) (row, error) {
	data, err := json.Marshal(message)
	return row{at: at, name: name, data: data}, err
}

// busLine is one line of log.jsonl: seed 000's fields, then ours.
type busLine struct {
	Type   string `json:"type"`
	Event  string `json:"event"`
	LoopID string `json:"loop_id"`
	// Kind is "plan" where LoopID is the id of a plan.
	Kind string `json:"kind,omitempty"`
	busMessage
	MaxIterations int       `json:"max_iterations,omitempty"`
	Timestamp     time.Time `json:"timestamp"`

	busFields
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
		        `+summaryPart("l.summary", "agent")+`
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
		l.Timestamp = sqlrow.Time(at)
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
		_ = json.Unmarshal(data, &l.busMessage)
		_ = json.Unmarshal(data, &l.busFields)
		return
	}
	e, err := loop.Decode(l.Event, data)
	if err != nil {
		return
	}
	switch e := e.(type) {
	case loop.Created:
		l.Event, l.MaxIterations = "init", e.MaxIterations
		l.Agent, l.Gate, l.Threshold, l.forced = e.Agent, e.Gate, e.Threshold, forced{e.ForcedOver, e.Paths}
		if e.From != "" {
			l.Detail = "imported from " + oneLine(e.From, 200)
		}
	case loop.GateEnded:
		r := e.Result.ForAgents() // the log may be shared
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
	if _, is := e.(journal.Local); is {
		return "", about.Commit // the log may be shared
	}
	return oneLine(e.Describe(), 200), about.Commit
}
