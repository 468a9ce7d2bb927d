package engine

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"time"

	"ralph/internal/agent"
	"ralph/internal/git"
	"ralph/internal/loop"
)

// Worker performs single actions with the hands and reports what happened. It
// keeps nothing between two of them but caches: all it needs stands in the state, in the
// repository and in the loop's directory, so any process can be the worker of
// the next action.
type Worker struct {
	Repo    *git.Repo
	Trees   Trees
	Drivers map[string]agent.Driver
	Files   Layout
	// TreeRoot is the directory of the worktrees, outside the repository.
	TreeRoot string
	// StateFile is the view that agents may read (RALPH_STATE_FILE).
	StateFile string
	// Template replaces the built-in prompt where a project has its own.
	Template string
	Env      Environment
	// Grace between asking a process to end and insisting.
	Grace time.Duration
	Now   func() time.Time

	filtered bool
}

// Trees is the pool of worktrees (kept by the engine's memory).
type Trees interface {
	// Take reserves a tree of a kind for the loop, the same one each time it
	// is asked. Fresh ones do not exist yet.
	Take(ctx context.Context, kind, setup, root string) (path string, fresh bool, err error)
	Ready(ctx context.Context, path string) error
	Return(ctx context.Context, path string) error
	// Lock makes the loop the only one that writes in a tree of the user's.
	Lock(ctx context.Context, path string) error
}

// The kinds of tree. They never change places: what an agent leaves behind in
// ignored files must not meet a gate.
const (
	agentTree = "agent"
	gateTree  = "gate"
)

// Do performs an action. An error means that ralph itself could not do it, or
// that ctx was cancelled; how agents and gates fared stands in the event.
func (w *Worker) Do(ctx context.Context, s loop.State, a loop.Action, h *Hooks) (loop.Event, error) {
	if err := w.content(ctx); err != nil {
		return nil, err
	}
	switch a.Do {
	case loop.DoPrepare:
		return w.prepare(ctx, s, a, h)
	case loop.DoAgent:
		return w.agent(ctx, s, a, h)
	case loop.DoCommit:
		return w.commit(ctx, s)
	case loop.DoGate:
		return w.gate(ctx, s, a, h)
	case loop.DoKeep:
		return w.keep(ctx, s, a)
	case loop.DoTidy:
		return w.tidy(ctx, s)
	}
	return nil, fmt.Errorf("no worker for action %q", a.Do)
}

// token names one process of one loop uniquely.
func token(id string) string {
	b := make([]byte, 8)
	_, _ = rand.Read(b)
	return id + "-" + hex.EncodeToString(b)
}
