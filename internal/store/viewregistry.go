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
