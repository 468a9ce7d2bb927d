package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/recovery"
	"ralph/internal/store/sqlrow"
)

// Entry is one line about a loop or a plan, read without its state.
type Entry struct {
	ID     string
	Mode   loop.Mode
	Status loop.Status
	Reason loop.Reason
	Summary
	Epoch, Seq int64
	UpdatedAt  time.Time
	// Owner is the last owner of the run; it owns the run now only if Live is
	// set.
	Owner Owner
	Live  bool
	// Crashed: the run should have a process, but that is gone.
	Crashed  bool
	Archived bool

	kind     kind
	num      int64
	deadline time.Time
}

// Summary is the part of an Entry that queries do not need. Of a plan it has Closed only.
type Summary struct {
	// Task is the beginning of the task's text, in one line.
	Task          string    `json:"task"`
	TaskID        string    `json:"task_id,omitempty"`
	Parent        string    `json:"parent,omitempty"`
	Scope         []string  `json:"scope,omitempty"`
	Session       string    `json:"session,omitempty"`
	Agent         string    `json:"agent,omitempty"`
	Branch        string    `json:"branch,omitempty"`
	Message       string    `json:"message,omitempty"`
	Step          loop.Step `json:"step,omitempty"`
	Iteration     int       `json:"iteration"`
	MaxIterations int       `json:"max_iterations"`
	StartedAt     time.Time `json:"started_at"`
	EndedAt       time.Time `json:"ended_at,omitzero"`
	Wake          time.Time `json:"wake,omitzero"`
	FailureRef    string    `json:"failure_ref,omitempty"`
	// Judged counts the attempts that have a verdict.
	Judged int `json:"judged,omitempty"`
	// CostMicroUSD is nil where it is unknown.
	CostMicroUSD *int64 `json:"cost_micro_usd,omitempty"`
	// Closed: what a run that has ended asks of a person is done. It is missing in
	// summaries of older versions.
	Closed bool `json:"settled,omitempty"`
	// Next is the command a person would type now.
	Next string `json:"next,omitempty"`
}

func summarise(st loop.State) Summary {
	return Summary{
		Task: oneLine(st.Task.Text, 200), TaskID: st.Task.ID, Parent: st.Parent, Scope: st.Task.Scope, Session: st.Session, Agent: st.Agent.Name,
		Branch: st.Branch, Message: oneLine(st.Message, 500), Step: st.Step,
		Iteration: st.Iteration, MaxIterations: st.Limits.MaxIterations,
		StartedAt: st.StartedAt, EndedAt: st.EndedAt, Wake: st.Wake,
		FailureRef: st.FailureRef, Judged: judged(st), CostMicroUSD: st.Usage.CostMicroUSD, Next: next.Loop(st, next.Facts{}),
		Closed: st.Closed(),
	}
}

// oneLine is text as a single line of at most n characters.
func oneLine(text string, n int) string {
	if len(text) > 8*n {
		text = text[:8*n]
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}

// holdsSlot: the loop counts against the limit of loops.
func (e *Entry) holdsSlot(now time.Time) bool {
	switch {
	case e.kind.name == recovery.Plan, e.Status.Terminal(), e.Status == loop.Paused:
		return false
	case e.Mode == loop.AgentDriven:
		return e.deadline.IsZero() || now.Before(e.deadline)
	}
	return e.Live
}

// crashed reports whether the run needs a living owner and has none.
func (e *Entry) crashed() bool {
	switch {
	case e.kind.name == recovery.Plan:
		return !e.Live && plan.State{Status: e.Status}.NeedsProcess()
	case e.Live, e.Mode == loop.AgentDriven, e.Status.Terminal(), e.Status == loop.Paused:
		return false
	}
	return e.Status != loop.Waiting || e.Reason != loop.ForHuman
}

// summaryPart is the SQL of a part of a loop's summary, empty where it is missing or the
// summary is damaged.
func summaryPart(column, name string) string {
	return `coalesce(iif(json_valid(` + column + `), json_extract(` + column + `, '$.` + name + `'), ''), '')`
}

// columns are those of an Entry.
func (k kind) columns() string {
	return `num, id, mode, status, reason, epoch, seq, archived, updated, owner, ` + k.own
}

func (k kind) scan(scan func(...any) error) (Entry, error) {
	e := Entry{kind: k}
	var deadline, updated int64
	var owner, summary string
	err := scan(&e.num, &e.ID, &e.Mode, &e.Status, &e.Reason, &e.Epoch, &e.Seq, &e.Archived,
		&updated, &owner, &deadline, &summary)
	if err != nil {
		return Entry{}, err
	}
	e.deadline, e.UpdatedAt, e.Owner = sqlrow.Time(deadline), sqlrow.Time(updated), decodeOwner(owner)
	if json.Unmarshal([]byte(summary), &e.Summary) != nil {
		e.Summary = Summary{Task: "(the summary of this loop is damaged)"}
	}
	return e, nil
}

// entry reads the run of an id.
func (k kind) entry(ctx context.Context, tx *sql.Tx, id string) (Entry, error) {
	return k.entryWhere(ctx, tx, "id = ?", id)
}

func (k kind) entryWhere(ctx context.Context, tx *sql.Tx, where string, values ...any) (Entry, error) {
	e, err := k.scan(tx.QueryRowContext(ctx, k.q(`SELECT `+k.columns()+` FROM %runs WHERE `+where), values...).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		err = k.missing
	}
	return e, err
}

// unused refuses a second run of the same name.
func (k kind) unused(ctx context.Context, tx *sql.Tx, id string) error {
	_, err := k.entry(ctx, tx, id)
	switch {
	case err == nil:
		return k.taken
	case errors.Is(err, k.missing):
		return nil
	}
	return err
}

// decodeOwner is for display only: an unreadable owner is the zero value.
func decodeOwner(s string) (o Owner) {
	_ = json.Unmarshal([]byte(s), &o)
	return o
}

// lives reports whether the owner of the present epoch, or a later one, is alive; of a
// loop that its agent drives, whether it has its place. An owner whose lock cannot be read is
// shown as dead, and its run cannot be acquired either: no other run suffers from it.
func (s *Store) lives(e Entry) bool {
	switch {
	case e.Archived:
		return false
	case e.Mode == loop.AgentDriven:
		return !e.Status.Terminal() && e.holdsSlot(s.o.Now())
	}
	held, err := heldBy(s.runLock(e.kind, e.ID), e.Epoch, e.Owner)
	return held && err == nil
}

// enliven finds out which runs have a living owner and which have crashed, and calls crashed
// for each of the latter. Runs that have ended are asked about only where ended is set. An
// owner commits before it releases its lock, so a free lock means a crash only while the row
// is unchanged: the rows of crashed runs are read again in one transaction, and moved reports
// that one of them has changed.
func (s *Store) enliven(ctx context.Context, entries []Entry, ended bool, crashed func(tx *sql.Tx, i int) error) (moved bool, err error) {
	found := false
	for i := range entries {
		e := &entries[i]
		e.Live = (ended || !e.Status.Terminal()) && s.lives(*e)
		e.Crashed = e.crashed()
		found = found || e.Crashed
	}
	if !found {
		return false, nil
	}
	err = s.read(ctx, "look again at runs without an owner", func(tx *sql.Tx) error {
		for i, e := range entries {
			if !e.Crashed {
				continue
			}
			now, err := e.kind.entryWhere(ctx, tx, "num = ?", e.num)
			if errors.Is(err, e.kind.missing) || err == nil && (now.Epoch != e.Epoch || now.Seq != e.Seq || now.Archived != e.Archived) {
				moved = true
				return nil
			}
			if err == nil {
				err = crashed(tx, i)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return moved, err
}
