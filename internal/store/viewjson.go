package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"reflect"
	"time"

	"ralph/internal/loop"
)

// stateView is state.json: the fields of seeds 000 and 001, then ours.
type stateView struct {
	Schema string `json:"schema"`
	loop.Summary
	// EventsBefore counts the attempts before those of events.
	EventsBefore int `json:"events_before,omitempty"`

	TaskSummary string     `json:"task_summary"`
	Owner       string     `json:"owner"`
	PID         *int       `json:"pid"`
	CompletedAt *time.Time `json:"completed_at"`

	Reason     loop.Reason `json:"reason,omitempty"`
	Message    string      `json:"message,omitempty"`
	Step       loop.Step   `json:"step"`
	TaskID     string      `json:"task_id"`
	Branch     string      `json:"branch,omitempty"`
	Base       string      `json:"base,omitempty"`
	Commit     string      `json:"commit,omitempty"`
	Worktree   string      `json:"worktree,omitempty"`
	FailureRef string      `json:"failure_ref,omitempty"`
	Next       string      `json:"next,omitempty"`
	Epoch      int64       `json:"epoch"`
	Seq        int64       `json:"seq"`
}

func stateJSON(e Entry, st loop.State, history []loop.Attempt) ([]byte, error) {
	v := stateView{
		Schema: "ralph.state/v1", Summary: st.Summary(e.shownStatus(), history), EventsBefore: notShown(history),
		TaskSummary: e.Task, Owner: e.ownerName(), PID: e.livePID(),
		Reason: st.Reason, Message: st.Message, Step: st.Step, TaskID: st.Task.ID,
		Branch: st.Branch, Base: st.Base, Commit: st.Commit, Worktree: st.Worktree,
		FailureRef: st.FailureRef, Next: e.Next, Epoch: e.Epoch, Seq: e.Seq,
	}
	if !st.EndedAt.IsZero() {
		v.CompletedAt = new(st.EndedAt.UTC())
	}
	return indent(v)
}

// notShown counts the attempts before the first one that is shown.
func notShown(history []loop.Attempt) int {
	if len(history) == 0 {
		return 0
	}
	return max(history[0].N-1, 0)
}

func indent(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.Bytes(), err
}

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

// registryLoop is one active loop. Status is "crashed" if the process that
// should continue is gone; PID is null without a living owner.
type registryLoop struct {
	LoopID        string      `json:"loop_id"`
	TaskSummary   string      `json:"task_summary"`
	Status        loop.Status `json:"status"`
	StartedAt     time.Time   `json:"started_at"`
	Owner         string      `json:"owner"`
	PID           *int        `json:"pid"`
	Iteration     int         `json:"iteration"`
	MaxIterations int         `json:"max_iterations"`

	Reason loop.Reason `json:"reason,omitempty"`
	Mode   loop.Mode   `json:"mode"`
	Branch string      `json:"branch,omitempty"`
	Epoch  int64       `json:"epoch"`
	// Parent is the orchestration the loop belongs to, Scope what it declares as
	// its own.
	Parent string   `json:"parent,omitempty"`
	Scope  []string `json:"scope,omitempty"`
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
			LoopID: e.ID, TaskSummary: e.Task, Status: e.shownStatus(), StartedAt: e.StartedAt.UTC(),
			Owner: e.ownerName(), PID: e.livePID(), Iteration: e.Iteration, MaxIterations: e.MaxIterations,
			Reason: e.Reason, Mode: e.Mode, Branch: e.Branch, Epoch: e.Epoch,
			Parent: e.Parent, Scope: e.Scope,
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

func (e *Entry) shownStatus() loop.Status {
	if e.crashed() {
		return "crashed"
	}
	return e.Status
}

func (e *Entry) ownerName() string {
	if e.Owner.Name != "" {
		return e.Owner.Name
	}
	return e.Owner.Host
}

func (e *Entry) livePID() *int {
	if !e.Live || e.Owner.PID == 0 {
		return nil
	}
	return new(e.Owner.PID)
}

// ViewTypes are the structs that views are encoded from, by the name of their
// format. A line of the event bus has no field that names it.
func ViewTypes() map[string]reflect.Type {
	return map[string]reflect.Type{
		"ralph.registry/v1": reflect.TypeFor[registryView](),
		"ralph.state/v1":    reflect.TypeFor[stateView](),
		"ralph.bus/v1":      reflect.TypeFor[busLine](),
	}
}
