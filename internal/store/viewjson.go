package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"time"

	"ralph/internal/loop"
)

// registryView is seed 001's registry.json. version is its format's.
type registryView struct {
	Schema    string         `json:"schema"`
	Version   string         `json:"version"`
	Max       int            `json:"max_concurrent_loops"`
	UpdatedAt time.Time      `json:"updated_at"`
	Active    []registryLoop `json:"active_loops"`

	TotalActive    int `json:"total_active"`
	TotalCompleted int `json:"total_completed"`
	TotalFailed    int `json:"total_failed"`
	TotalAborted   int `json:"total_aborted"`
}

// registryLoop is one active loop. Status is "crashed" where nobody lives who
// would go on; PID is null without a living owner.
type registryLoop struct {
	LoopID        string    `json:"loop_id"`
	TaskSummary   string    `json:"task_summary"`
	Status        string    `json:"status"`
	StartedAt     time.Time `json:"started_at"`
	Owner         string    `json:"owner"`
	PID           *int      `json:"pid"`
	Iteration     int       `json:"iteration"`
	MaxIterations int       `json:"max_iterations"`

	Reason string `json:"reason,omitempty"`
	Mode   string `json:"mode"`
	Branch string `json:"branch,omitempty"`
	Epoch  int64  `json:"epoch"`
}

func (s *Store) writeRegistry(ctx context.Context, tx *sql.Tx, root *os.Root, active []Entry) error {
	v := registryView{
		Schema: "ralph.registry/v1", Version: "2.0.0", UpdatedAt: s.o.Now().UTC(),
		TotalActive: len(active), Active: []registryLoop{},
	}
	err := tx.QueryRowContext(ctx, `SELECT max, completed, failed, aborted FROM registry`).
		Scan(&v.Max, &v.TotalCompleted, &v.TotalFailed, &v.TotalAborted)
	if err != nil {
		return err
	}
	for _, e := range active {
		e.Live = s.lives(e)
		v.Active = append(v.Active, registryLoop{
			LoopID: e.ID, TaskSummary: e.Task, Status: e.shownStatus(), StartedAt: e.StartedAt,
			Owner: e.ownerName(), PID: e.livePID(), Iteration: e.Iteration, MaxIterations: e.MaxIterations,
			Reason: string(e.Reason), Mode: string(e.Mode), Branch: e.Branch, Epoch: e.Epoch,
		})
	}
	return v.write(root)
}

// write keeps the time of the last change while nothing else changes.
func (v *registryView) write(root *os.Root) error {
	var old registryView
	now := v.UpdatedAt
	if data, err := root.ReadFile("registry.json"); err == nil && json.Unmarshal(data, &old) == nil {
		v.UpdatedAt = old.UpdatedAt
		if same, err := indent(v); err == nil && bytes.Equal(same, data) {
			return nil
		}
		v.UpdatedAt = now
	}
	data, err := indent(v)
	if err != nil {
		return err
	}
	return replace(root, "registry.json", data)
}

func (e *Entry) shownStatus() string {
	if e.crashed() {
		return "crashed"
	}
	return string(e.Status)
}

func (e *Entry) ownerName() string {
	if e.Owner.Name != "" {
		return e.Owner.Name
	}
	return e.Owner.Host
}

func (e *Entry) livePID() *int {
	if !e.Live {
		return nil
	}
	return new(e.Owner.PID)
}

// stateView is state.json: the fields of seeds 000 and 001, then ours.
type stateView struct {
	Schema      string    `json:"schema"`
	LoopID      string    `json:"loop_id"`
	AgentType   string    `json:"agent_type"`
	Parent      *string   `json:"parent_orchestration"`
	QualityGate string    `json:"quality_gate"`
	Threshold   *float64  `json:"threshold"`
	Iteration   int       `json:"iteration"`
	Max         int       `json:"max_iterations"`
	Value       *float64  `json:"current_value"`
	Status      string    `json:"status"`
	Regressions int       `json:"regression_count"`
	StartedAt   time.Time `json:"started_at"`
	ProgressAt  time.Time `json:"last_progress_at"`
	Events      []checked `json:"events"`

	TaskSummary string     `json:"task_summary"`
	Owner       string     `json:"owner"`
	PID         *int       `json:"pid"`
	CompletedAt *time.Time `json:"completed_at"`

	Reason     string `json:"reason,omitempty"`
	Message    string `json:"message,omitempty"`
	Step       string `json:"step"`
	TaskID     string `json:"task_id"`
	Branch     string `json:"branch,omitempty"`
	Base       string `json:"base,omitempty"`
	Commit     string `json:"commit,omitempty"`
	Worktree   string `json:"worktree,omitempty"`
	FailureRef string `json:"failure_ref,omitempty"`
	Next       string `json:"next,omitempty"`
	Epoch      int64  `json:"epoch"`
	Seq        int64  `json:"seq"`
}

// checked is one attempt as seed 000 records it.
type checked struct {
	Iter   int       `json:"iter"`
	Value  *float64  `json:"value"`
	Passed bool      `json:"passed"`
	At     time.Time `json:"at"`
}

func stateJSON(e Entry, st loop.State) ([]byte, error) {
	v := stateView{
		Schema: "ralph.state/v1", LoopID: e.ID, AgentType: e.Agent,
		Iteration: st.Iteration, Max: st.Limits.MaxIterations, Status: e.shownStatus(),
		StartedAt: st.StartedAt, ProgressAt: st.ProgressAt, Events: []checked{},
		TaskSummary: e.Task, Owner: e.ownerName(), PID: e.livePID(),
		Reason: string(st.Reason), Message: st.Message, Step: string(st.Step), TaskID: st.Task.ID,
		Branch: st.Branch, Base: st.Base, Commit: st.Commit, Worktree: st.Worktree,
		FailureRef: st.FailureRef, Next: e.Next, Epoch: e.Epoch, Seq: e.Seq,
	}
	v.QualityGate, v.Threshold = mainGate(st)
	if st.Parent != "" {
		v.Parent = &st.Parent
	}
	if !st.EndedAt.IsZero() {
		v.CompletedAt = &st.EndedAt
	}
	v.checks(st)
	return indent(v)
}

// checks lists the judged attempts, and counts how often running the value fell.
func (v *stateView) checks(st loop.State) {
	for _, a := range st.Attempts {
		if a.Verdict == "" {
			continue
		}
		c := checked{Iter: a.N, Value: valueOf(a, v.QualityGate), Passed: a.Verdict == loop.Passed, At: a.EndedAt}
		switch {
		case c.Value == nil || v.Value == nil || *c.Value >= *v.Value:
			v.Regressions = 0
		default:
			v.Regressions++
		}
		v.Value = c.Value
		v.Events = append(v.Events, c)
	}
}

func indent(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.Bytes(), err
}
