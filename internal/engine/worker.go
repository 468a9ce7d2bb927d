package engine

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"ralph/internal/agent"
	"ralph/internal/git"
	"ralph/internal/learn"
	"ralph/internal/loop"
	"ralph/internal/money"
)

// Worker performs single actions with the hands and reports what happened. It
// keeps nothing between two of them but caches: all it needs stands in the state, in the
// repository and in the loop's directory, so any process can be the worker of
// the next action.
type Worker struct {
	Repo  *git.Repo
	Trees Trees
	// Owned says whether the loop is still this worker's to work on: nil, or
	// why not. It is asked before each action, since its owner may have slept.
	Owned   func(context.Context) error
	Drivers map[string]agent.Driver
	Files   Layout
	// TreeRoot is the directory of the worktrees, outside the repository.
	TreeRoot string
	// Recall finds what earlier loops taught about a query, the best first; nil
	// where there is no memory.
	Recall func(context.Context, learn.Query) ([]learn.Known, error)
	// StateFile is the view that agents may read (RALPH_STATE_FILE).
	StateFile string
	// Template replaces the built-in prompt where a project has its own. It is
	// frozen in the loop's directory when the loop is prepared.
	Template string
	Env      Environment
	// Prices estimate what runs cost whose agents do not tell.
	Prices money.Prices
	// Session is what this process may spend.
	Session money.Session
	// Confine is how agents, gates and set-up commands are held.
	Confine Confine
	// Grace between asking a process to end and insisting.
	Grace time.Duration
	Now   func() time.Time

	filtered bool
	listed   listing
	// said is told with the next commit; a crash before it loses the words.
	said []string
}

// Do performs an action. An error means that ralph itself could not do it, or
// that ctx was cancelled; how agents and gates fared stands in the event.
func (w *Worker) Do(ctx context.Context, s loop.State, a loop.Action, h *Hooks) (loop.Event, error) {
	if err := w.Owned(ctx); err != nil {
		return nil, err
	}
	if err := w.content(ctx); err != nil {
		return nil, err
	}
	notes, err := w.takeBack(ctx, s)
	if err != nil {
		return nil, err
	}
	w.said = append(w.said, notes...)
	again, err := w.standing(ctx, s, a, h)
	if err != nil {
		return nil, err
	}
	switch a.Do {
	case loop.DoPrepare:
		return w.prepare(ctx, s, a, h)
	case loop.DoAgent:
		return w.agent(ctx, s, a, h)
	case loop.DoCommit:
		return w.commit(ctx, s, again)
	case loop.DoGate:
		return w.gate(ctx, s, a, h)
	case loop.DoReview:
		return w.review(ctx, s, a, h)
	case loop.DoKeep:
		return w.keep(ctx, s)
	case loop.DoTidy:
		return w.tidy(ctx, s)
	}
	return nil, fmt.Errorf("no worker for action %q", a.Do)
}

// Busy says that trying again later makes sense: another git holds a lock that
// the user's repository and ours share.
func Busy(err error) bool {
	_, locked := errors.AsType[git.ErrLocked](err)
	return locked
}

// token names one process of one loop uniquely.
func token(id string) string {
	b := make([]byte, 8)
	_, _ = rand.Read(b)
	return id + "-" + hex.EncodeToString(b)
}
