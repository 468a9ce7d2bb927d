package store

import (
	"encoding/json"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/store/sqlrow"
)

// Entry is one line about a loop, read without its state.
type Entry struct {
	ID     string
	Mode   loop.Mode
	Status loop.Status
	Reason loop.Reason
	Summary
	Epoch, Seq int64
	UpdatedAt  time.Time
	// Owner is the last owner of the loop; it owns the loop now only if Live is
	// set.
	Owner Owner
	Live  bool
	// Crashed: the loop should be running, but its process is gone.
	Crashed  bool
	Archived bool

	num      int64
	deadline time.Time
}

// Summary is the part of an Entry that queries do not need.
type Summary struct {
	// Task is the beginning of the task's text, in one line.
	Task          string    `json:"task"`
	TaskID        string    `json:"task_id,omitempty"`
	Parent        string    `json:"parent,omitempty"`
	InPlan        bool      `json:"in_plan,omitempty"`
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
	// Settled: what a loop that has ended asks of a person is done. It is missing in
	// summaries of older versions.
	Settled bool `json:"settled,omitempty"`
	// Next is the command a person would type now.
	Next string `json:"next,omitempty"`
}

func summarise(st loop.State) Summary {
	return Summary{
		Task: oneLine(st.Task.Text, 200), TaskID: st.Task.ID, Parent: st.Parent, InPlan: st.InPlan(), Scope: st.Task.Scope, Session: st.Session, Agent: st.Agent.Name,
		Branch: st.Branch, Message: oneLine(st.Message, 500), Step: st.Step,
		Iteration: st.Iteration, MaxIterations: st.Limits.MaxIterations,
		StartedAt: st.StartedAt, EndedAt: st.EndedAt, Wake: st.Wake,
		FailureRef: st.FailureRef, Judged: judged(st), CostMicroUSD: st.Usage.CostMicroUSD, Next: next.Loop(st, next.Facts{}),
		Settled: st.Status.Terminal() && !st.Acceptable() && !st.Unsettled(),
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
	case e.Status.Terminal(), e.Status == loop.Paused:
		return false
	case e.Mode == loop.AgentDriven:
		return e.deadline.IsZero() || now.Before(e.deadline)
	}
	return e.Live
}

// crashed reports whether the loop needs a living owner and has none.
func (e *Entry) crashed() bool {
	switch {
	case e.Live, e.Mode == loop.AgentDriven, e.Status.Terminal(), e.Status == loop.Paused:
		return false
	}
	return e.Status != loop.Waiting || e.Reason != loop.ForHuman
}

const entryColumns = `num, id, mode, status, reason, epoch, seq, archived, deadline, updated, owner, summary`

func scanEntry(scan func(...any) error) (Entry, error) {
	var e Entry
	var deadline, updated int64
	var owner, summary string
	err := scan(&e.num, &e.ID, &e.Mode, &e.Status, &e.Reason, &e.Epoch, &e.Seq, &e.Archived,
		&deadline, &updated, &owner, &summary)
	if err != nil {
		return Entry{}, err
	}
	e.deadline, e.UpdatedAt, e.Owner = sqlrow.Time(deadline), sqlrow.Time(updated), decodeOwner(owner)
	if json.Unmarshal([]byte(summary), &e.Summary) != nil {
		e.Summary = Summary{Task: "(the summary of this loop is damaged)"}
	}
	return e, nil
}

// decodeOwner is for display only: an unreadable owner is the zero value.
func decodeOwner(s string) (o Owner) {
	_ = json.Unmarshal([]byte(s), &o)
	return o
}
