package planner

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"ralph/internal/store"
)

// Who takes a plan from a process that lives and does nothing takes its loops,
// and the plans in tasks' places, from that same process. What another process
// runs is waited for, and the plan's note says so.

// formerOwner is who holds a plan that is to be taken from a living owner; none
// where nobody does.
func (p *Planner) formerOwner(ctx context.Context, id string, takeOver bool) store.Owner {
	if !takeOver {
		return store.Owner{}
	}
	if rec, err := p.Store.Plan(ctx, id); err == nil && rec.Live {
		return rec.Owner
	}
	return store.Owner{}
}

// mayTake: the loop is held by the process from which its plan was taken.
func (r *run) mayTake(ctx context.Context, loopID string) bool {
	if r.former == (store.Owner{}) {
		return false
	}
	rec, err := r.Store.Load(ctx, loopID)
	return err == nil && rec.Live && rec.Owner == r.former
}

// mayTakeChild is mayTake for a plan in a task's place.
func (r *run) mayTakeChild(ctx context.Context, id string) bool {
	return r.former != (store.Owner{}) && r.formerOwner(ctx, id, true) == r.former
}

// waits are what hands wait for that others hold, in words, by task.
type waits struct {
	mu sync.Mutex
	on map[string]string
}

// put notes what a task waits for; no words: for nothing any more.
func (w *waits) put(task, words string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.on == nil {
		w.on = map[string]string{}
	}
	if w.on[task] = words; words == "" {
		delete(w.on, task)
	}
}

// words are all of them, in the order of the tasks' ids.
func (w *waits) words() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []string
	for _, words := range w.on {
		out = append(out, words)
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

// heldBy says that somebody else runs a loop or a plan that a task needs.
func heldBy(id, owner string) string {
	return fmt.Sprintf("waits for %s, which %s runs; if that does nothing: ralph resume %s --take-over", id, owner, id)
}
