package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/store/sqlrow"
)

// Plans are kept beside loops, in the same manner: a row that carries the epoch,
// events, an inbox. Each task has a row, so that a step of one task writes no
// more in a large plan than in a small one.

// planParts are the digests of what the seal of a plan covers.
type planParts struct {
	header, spec link
	tasks        []link
}

func (p planParts) seal(newest link) []byte {
	return newest.seal(append([]link{p.header, p.spec}, p.tasks...)...)
}

// ErrNoPlan: no plan of this name was ever run here.
var ErrNoPlan = errors.New("no such plan")

// Plans are the plans of a store, with the verbs that Store itself has for loops.
type Plans struct{ s *Store }

// Plans returns the plans of the store.
func (s *Store) Plans() Plans { return Plans{s} }

// Dir is where a plan's big files go, whether or not there is one.
func (p Plans) Dir(id string) string { return p.s.runDir(planRuns, id) }

// Read returns one plan. One whose row is damaged waits for a person: see Record.Damage.
func (p Plans) Read(ctx context.Context, id string) (PlanRecord, error) {
	return planReader().one(ctx, p.s, id)
}

// List returns plans with their tasks, the one that changed last first. An ended plan has
// no owner here.
func (p Plans) List(ctx context.Context, f Filter) ([]PlanRecord, error) {
	return planReader().all(ctx, p.s, f)
}

func planReader() reader[plan.State] {
	return reader[plan.State]{
		kind:     planRuns,
		facts:    func(st *plan.State) (string, loop.Status, loop.Reason) { return st.ID, st.Status, st.Reason },
		rest:     planRest,
		damaged:  damagedPlan,
		progress: func(ctx context.Context, tx *sql.Tx, st plan.State) (int, error) { return planProgress(ctx, tx, st.ID) },
	}
}

// planRest reads the tasks of a plan.
func planRest(ctx context.Context, tx *sql.Tx, e Entry, c *content[plan.State]) error {
	if len(c.spec) > 0 && !json.Valid(c.spec) {
		return planRuns.damage(e.ID, "its request cannot be read")
	}
	tasks, parts, err := planTasks(ctx, tx, e.num, e.ID)
	c.state.Tasks, c.parts = tasks, append(append(c.parts, digest(c.spec)), parts...)
	return err
}

// planTasks returns tasks with their digests.
func planTasks(ctx context.Context, tx *sql.Tx, num int64, id string) ([]plan.TaskState, []link, error) {
	all, err := sqlrow.Column[[]byte](ctx, tx, `SELECT data FROM plan_tasks WHERE plan = ? ORDER BY n`, num)
	tasks, parts := make([]plan.TaskState, len(all)), make([]link, len(all))
	for i, data := range all {
		if err := json.Unmarshal(data, &tasks[i]); err != nil {
			return nil, nil, planRuns.damage(id, "its task %d cannot be read: %v", i+1, err)
		}
		parts[i] = digest(data)
	}
	return tasks, parts, err
}

// damagedPlan needs no process.
func damagedPlan(e *Entry, was plan.State, message string) plan.State {
	e.Status, e.Reason = loop.Waiting, loop.Damaged
	return plan.State{ID: e.ID, Title: e.ID, Status: e.Status, Reason: e.Reason, Message: message, File: was.File, Branch: was.Branch}
}
